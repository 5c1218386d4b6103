/* quark_current.c - the derivative of the staggered operator by a chemical potential. */
#include "src/operators/quark_current.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"

#include <assert.h>

MAP_KERNEL(current_links);

enum { NAIK_HOPS = 3 };

struct quark_current { gauge *fat, *naik; };          /* naik NULL: no Naik term */

static bool has_naik(staggered_kind kind)
{
    return staggered_second_table(&(staggered_links_params){ .kind = kind, .u0 = 1 }).naik != 0;
}

quark_current *quark_current_create(staggered_kind kind, const gauge *u)
{
    const field *f = &u->links;
    quark_current *c = memory_alloc(sizeof *c, "links of a current");
    c->fat = gauge_create(f->lattice, f->where, f->precision);
    if (has_naik(kind))
        c->naik = gauge_create_straight(f->lattice, f->where, f->precision);
    return c;
}

void quark_current_free(quark_current *c)
{
    if (!c)
        return;
    gauge_free(c->naik);
    gauge_free(c->fat);
    memory_free(c);
}

memory_need quark_current_bytes(staggered_kind kind, const lattice_shape *shape, precision prec)
{
    const size_t naik = has_naik(kind) ? gauge_straight_bytes(shape, prec) : 0;
    return (memory_need){ .lasting = field_bytes(shape, prec, GAUGE_REALS) + naik };
}

static void make_links(gauge *out, const gauge *in)
{
    const field *f = &in->links;
    current_links_args args = { gauge_view_of(out), gauge_view_of(in) };
    run_map(&current_links, f->where, f->precision, &args, lattice_all(f->lattice));
    out->version = lattice_new_version(f->lattice);
}

staggered_terms quark_current_update(quark_current *c, staggered_terms links)
{
    assert(!links.naik == !c->naik);
    make_links(c->fat, links.fat);
    if (c->naik)
        make_links(c->naik, links.naik);
    return (staggered_terms){ c->fat, c->naik, NAIK_HOPS * links.coefficient };
}
