/* staggered_low.c - the operator of staggered quarks in another precision or format. */
#include "src/operators/staggered_low.h"

#include "src/base/memory.h"

#include <assert.h>

struct staggered_low {
    const staggered_links *links;
    vector_format format;
    precision precision;
    staggered_packed *packed;                 /* NULL: native links */
    gauge *fat[EPSILONS_MAX], *naik;          /* naik: NULL where there is none */
};

size_t staggered_low_bytes(const staggered_links_params *params, const int extents[4], vector_format f, precision p)
{
    int fields = params->epsilons + (staggered_second_table(params).naik != 0);
    return f == VECTOR_NATIVE ? (size_t)fields * field_bytes(extents, p, GAUGE_REALS)
                              : staggered_packed_bytes(params, extents, f);
}

static gauge *like(const gauge *u, precision p)
{
    gauge *low = gauge_create(u->links.lattice, u->links.where, p);
    low->version = 0;                         /* of none: not converted yet */
    return low;
}

staggered_low *staggered_low_create(const staggered_links *s, vector_format f, precision p)
{
    staggered_low *low = memory_alloc(sizeof *low, "links in another precision");
    low->links = s;
    low->format = f;
    low->precision = f == VECTOR_NATIVE ? p : vector_format_precision(f);
    if (f != VECTOR_NATIVE) {
        low->packed = staggered_packed_create(s, f);
        return low;
    }
    for (int set = 0; set < staggered_links_params_of(s)->epsilons; set++)
        low->fat[set] = like(staggered_fat(s, set), p);
    if (staggered_naik(s))
        low->naik = like(staggered_naik(s), p);
    return low;
}

void staggered_low_free(staggered_low *low)
{
    if (!low)
        return;
    for (int set = 0; set < EPSILONS_MAX; set++)
        gauge_free(low->fat[set]);
    gauge_free(low->naik);
    staggered_packed_free(low->packed);
    memory_free(low);
}

static void follow(gauge *low, const gauge *high)
{
    if (low->version == high->version)
        return;
    field_convert(&low->links, &high->links);
    low->version = high->version;
}

void staggered_low_update(staggered_low *low)
{
    if (low->packed) {
        staggered_packed_update(low->packed);
        return;
    }
    for (int set = 0; set < staggered_links_params_of(low->links)->epsilons; set++)
        follow(low->fat[set], staggered_fat(low->links, set));
    if (low->naik)
        follow(low->naik, staggered_naik(low->links));
}

vec *staggered_low_vec(const staggered_low *low, parity_set on)
{
    const field *f = &staggered_fat(low->links, 0)->links;
    return low->packed ? vec_create_format(f->lattice, on, f->where, low->format)
                       : vec_create(f->lattice, on, f->where, low->precision);
}

staggered_low_op staggered_low_operator(const staggered_low *low, int set, vec *between)
{
    staggered_low_op op;
    assert(between->format == low->format && between->f.precision == low->precision);
    if (low->packed)
        op.packed = staggered_packed_normal_operator(low->packed, set, between);
    else
        op.native = staggered_normal_operator_with(
            (staggered_terms){ low->fat[set], low->naik, staggered_naik_coefficient(low->links, set) }, between);
    return op;
}

void staggered_low_room(staggered_low_op *op, vec *const *between, int count)
{
    if (between[0]->format == VECTOR_NATIVE)
        staggered_normal_room(&op->native, between, count);
    else
        staggered_packed_normal_room(&op->packed, between, count);
}
