/* packed_links.c - from a gauge field to links in fixed point. */
#include "src/lattice/packed_links.h"

#include "src/base/memory.h"
#include "src/kernels/vector_args.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <math.h>

MAP_KERNEL(links_pack);
SUM_KERNEL(links_largest, 0, 1);

link_format link_format_with(vector_format f)
{
    assert(f != VECTOR_NATIVE);
    return f == VECTOR_INT30 ? LINK_FIXED32 : LINK_FIXED16;
}

/* Of the arithmetic that packs, and its numbers a site that the memory is counted in. */
static precision precision_of(link_format f)
{
    assert(f != LINK_NATIVE);
    return f == LINK_FIXED32 ? PRECISION_DOUBLE : PRECISION_SINGLE;
}

static int reals_of(link_format f)
{
    const int words = 4 * (f == LINK_FIXED32 ? FIXED32_WORDS : FIXED16_WORDS);
    return words * (int)sizeof(uint32_t) / (int)precision_bytes(precision_of(f));
}

packed_links *packed_links_create(lattice *l, place where, link_format f)
{
    packed_links *p = memory_alloc(sizeof *p, "packed links");
    p->f = field_create(l, where, precision_of(f), reals_of(f), "packed links");
    p->format = f;
    return p;
}

void packed_links_free(packed_links *p)
{
    if (p)
        field_free(&p->f);
    memory_free(p);
}

size_t packed_links_bytes(const int extents[4], link_format f)
{
    return field_bytes(extents, precision_of(f), reals_of(f));
}

gauge_view packed_links_view(const packed_links *p)
{
    return (gauge_view){ p->f.data };
}

void packed_links_update(packed_links *p, const gauge *u)
{
    const field *f = &u->links;
    const double one = p->format == LINK_FIXED32 ? FIXED32_ONE : FIXED16_ONE;
    double largest;
    assert(f->lattice == p->f.lattice && f->where == p->f.where);
    if (p->version == u->version)
        return;
    gauge_args links = { lattice_on(f->lattice, f->where), gauge_view_of(u) };
    run_sum_once(&links_largest, f->lattice, f->where, f->precision, &links, lattice_all(f->lattice), SUM_BOUND,
                 &largest);
    links_pack_args args = { packed_links_view(p), gauge_view_of(u), largest > 0 ? one / largest : 0,
                             f->precision != p->f.precision };
    run_map(&links_pack, p->f.where, p->f.precision, &args, lattice_all(f->lattice));
    p->unit = largest / one;
    p->version = u->version;
}
