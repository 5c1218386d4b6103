/* staggered_low.c - the operator of staggered quarks in another precision or format. */
#include "src/operators/staggered_low.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/gauge/packed_links.h"
#include "src/operators/staggered_apply.h"

#include <assert.h>

struct staggered_low {
    const staggered_links *links;
    vector_format format;
    precision precision;
    packed_links *fat[EPSILONS_MAX];
    naik_storage wanted;
    packed_links *naik_compressed;       /* N in the storage `wanted`; NULL: no Naik term, or NAIK_IN_18 */
    packed_links *naik;                  /* N in full; NULL: no Naik term, or not needed so far */
    bool compressed;                     /* whether naik_compressed has the present N; else `naik` does */
};

/* Of N by its storage; fat links are in full. */
static const link_format naik_formats[NAIK_STORAGES][VECTOR_FORMATS] = {
    [NAIK_IN_18] = { LINK_NATIVE, LINK_FIXED16, LINK_FIXED16, LINK_FIXED32 },
    [NAIK_IN_13] = { LINK_13, LINK_FIXED16_13, LINK_FIXED16_13, LINK_FIXED32_13 },
};

static link_format full_format(vector_format f)
{
    return naik_formats[NAIK_IN_18][f];
}

static precision precision_with(vector_format f, precision p)
{
    return f == VECTOR_NATIVE ? p : vector_format_precision(f);
}

size_t staggered_low_bytes_as(const staggered_links_params *params, naik_storage naik, const lattice_shape *shape,
                              vector_format f, precision p)
{
    const precision of_links = precision_with(f, p);
    size_t fat = packed_links_bytes_precision(shape, full_format(f), of_links);
    size_t long_links = packed_links_bytes_precision(shape, naik_formats[naik][f], of_links);
    return (size_t)params->epsilons * fat + (staggered_second_table(params).naik != 0 ? long_links : 0);
}

size_t staggered_low_bytes(const staggered_links_params *params, const lattice_shape *shape, vector_format f,
                           precision p)
{
    return staggered_low_bytes_as(params, NAIK_IN_13, shape, f, p);
}

static packed_links *copy_of(const gauge *u, link_format f, precision p)
{
    return packed_links_create_precision(u->links.lattice, u->links.where, f, p);
}

static void create_full_naik(staggered_low *low)
{
    low->naik = copy_of(staggered_naik(low->links), full_format(low->format), low->precision);
}

staggered_low *staggered_low_create_as(const staggered_links *s, naik_storage naik, vector_format f, precision p)
{
    staggered_low *low = memory_alloc(sizeof *low, "links in another precision");
    low->links = s;
    low->wanted = naik;
    low->format = f;
    low->precision = precision_with(f, p);
    for (int set = 0; set < staggered_links_params_of(s)->epsilons; set++)
        low->fat[set] = copy_of(staggered_fat(s, set), full_format(f), low->precision);
    low->compressed = staggered_naik(s) && naik != NAIK_IN_18;
    if (low->compressed)
        low->naik_compressed = copy_of(staggered_naik(s), naik_formats[naik][f], low->precision);
    else if (staggered_naik(s))
        create_full_naik(low);
    return low;
}

staggered_low *staggered_low_create(const staggered_links *s, vector_format f, precision p)
{
    return staggered_low_create_as(s, NAIK_IN_13, f, p);
}

void staggered_low_free(staggered_low *low)
{
    if (!low)
        return;
    for (int set = 0; set < EPSILONS_MAX; set++)
        packed_links_free(low->fat[set]);
    packed_links_free(low->naik_compressed);
    packed_links_free(low->naik);
    memory_free(low);
}

/* Copies N.  If its links are not U(3) matrices, they are copied in full; the first time, this allocates the memory and
 * logs its size and the reason. */
static void update_naik(staggered_low *low, const gauge *naik)
{
    failure why;
    if (low->naik && low->naik->version == naik->version)
        return;
    low->compressed = low->naik_compressed && packed_links_set(low->naik_compressed, naik, low->naik ? NULL : &why);
    if (low->compressed)
        return;
    if (!low->naik) {
        create_full_naik(low);
        log_line(LOG_INFO, "long links are kept in full too, which takes %s more: %s",
                 bytes_to_text((double)low->naik->f.bytes).s, why.why);
    }
    packed_links_update(low->naik, naik);
}

void staggered_low_update(staggered_low *low)
{
    const gauge *naik = staggered_naik(low->links);
    for (int set = 0; set < staggered_links_params_of(low->links)->epsilons; set++)
        packed_links_update(low->fat[set], staggered_fat(low->links, set));
    if (naik)
        update_naik(low, naik);
}

bool staggered_low_is_compressed(const staggered_low *low)
{
    return low->compressed;
}

vec *staggered_low_vec(const staggered_low *low, parity_set on)
{
    const field *f = &staggered_fat(low->links, 0)->links;
    return low->format == VECTOR_NATIVE ? vec_create(f->lattice, on, f->where, low->precision)
                                        : vec_create_format(f->lattice, on, f->where, low->format);
}

static const packed_links *naik_of(const staggered_low *low)
{
    return low->compressed ? low->naik_compressed : low->naik;
}

static staggered_links_view links_of(const staggered_low *low, int set)
{
    const packed_links *fat = low->fat[set], *naik = naik_of(low);
    const double coefficient = naik ? staggered_naik_coefficient(low->links, set) : 0;
    assert(fat->version == staggered_fat(low->links, set)->version);
    assert(!naik || naik->version == staggered_naik(low->links)->version);
    return (staggered_links_view){ .format = low->format, .precision = low->precision, .fat = packed_links_view(fat),
                                   .long_links = packed_links_view(coefficient != 0 ? naik : fat), .unit = fat->unit,
                                   .naik = coefficient != 0 ? coefficient * naik->unit : 0,
                                   .naik_in = low->compressed ? low->wanted : NAIK_IN_18 };
}

staggered_links_view staggered_low_links(const staggered_low *low, int set)
{
    return links_of(low, set);
}

void staggered_low_hop(vec *out, const staggered_low *low, int set, const vec *in)
{
    staggered_links_view h = links_of(low, set);
    staggered_apply_hop(out, &h, in);
}

static double apply_dot(const linop *op, vec *out, double shift, const vec *in, double guess)
{
    const staggered_low_op *k = (const staggered_low_op *)op;
    staggered_links_view h = links_of(k->links, k->set);
    return staggered_apply_normal_dot(out, &h, shift, in, k->between[0], guess);
}

static void apply(const linop *op, vec *out, double shift, const vec *in)
{
    const staggered_low_op *k = (const staggered_low_op *)op;
    staggered_links_view h = links_of(k->links, k->set);
    staggered_apply_normal(out, &h, shift, in, k->between[0]);
}

static void add_batch(const linop *op, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const staggered_low_op *k = (const staggered_low_op *)op;
    staggered_links_view h = links_of(k->links, k->set);
    assert(b->count <= op->max_rhs);
    staggered_add_batch_normal(l, &h, b, q, p, k->between);
}

static double bytes_a_site(const field *f)
{
    return f->reals * (double)precision_bytes(f->precision);
}

staggered_low_op staggered_low_operator(const staggered_low *low, int set, vec *between)
{
    const field *v = &between->f;
    const packed_links *naik = staggered_naik_coefficient(low->links, set) != 0 ? naik_of(low) : NULL;
    work_count work = staggered_work_of(lattice_shape_of(v->lattice), bytes_a_site(&low->fat[set]->f),
                                        naik ? bytes_a_site(&naik->f) : 0, bytes_a_site(v));
    assert(v->on != ON_ALL && between->format == low->format && v->precision == low->precision);
    return (staggered_low_op){ .base = { apply_dot, apply, add_batch, 1, work }, .links = low, .set = set,
                               .between = { between } };
}

void staggered_low_set_work(staggered_low_op *op, vec *const *between, int count)
{
    staggered_set_work(&op->base, op->between, between, count);
}
