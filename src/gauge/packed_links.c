/* packed_links.c - from a gauge field to links in a format. */
#include "src/gauge/packed_links.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/kernels/open_args.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <math.h>

MAP_KERNEL(links_pack);
MAP_KERNEL(open_links_pack);
MAP_KERNEL(links_unpack);
SUM_KERNEL(links_largest, 0, 1);
SUM_KERNEL(links_deviation, 0, 1);
MAP_KERNEL(links_deviations);

const char *const link_format_names[] = { "native", "fixed16", "fixed32", "fixed16_13", "fixed32_13", "fixed16_12",
                                          "fixed32_12", "fixed16_8", "fixed16_9", "fixed32_9", "12", "8", "13", "9",
                                          NULL };

typedef enum { ANY_MATRIX, MATRIX_U3, MATRIX_SU3 } matrices;
static matrices kept_by(link_format f)
{
    return f == LINK_12 || f == LINK_8 || f == LINK_FIXED16_12 || f == LINK_FIXED32_12 || f == LINK_FIXED16_8
         ? MATRIX_SU3
         : f == LINK_NATIVE || f == LINK_FIXED16 || f == LINK_FIXED32 ? ANY_MATRIX : MATRIX_U3;
}

double link_format_tolerance(precision p)
{
    return p == PRECISION_DOUBLE ? 1e-10 : 1e-5;
}

link_format link_format_with(vector_format f)
{
    assert(f != VECTOR_NATIVE);
    return f == VECTOR_INT30 ? LINK_FIXED32 : LINK_FIXED16;
}

bool link_format_is_fixed(link_format f)
{
    return LINK_WORDS(f) != 0;
}

static bool is_wide(link_format f)
{
    return f == LINK_FIXED32 || f == LINK_FIXED32_12 || f == LINK_FIXED32_13 || f == LINK_FIXED32_9;
}

/* The precision of arithmetic with a fixed-point format. */
static precision precision_of(link_format f)
{
    assert(link_format_is_fixed(f));
    return is_wide(f) ? PRECISION_DOUBLE : PRECISION_SINGLE;
}

/* Reals per site of the field that holds the links; for fixed point, of the size of precision_of. */
static int reals_of(link_format f)
{
    if (!link_format_is_fixed(f))
        return 4 * LINK_NUMBERS(f);
    return 4 * LINK_WORDS(f) * (int)sizeof(uint32_t) / (int)precision_bytes(precision_of(f));
}

packed_links *packed_links_create_precision(lattice *l, place where, link_format f, precision p)
{
    packed_links *links = memory_alloc(sizeof *links, "packed links");
    assert(!link_format_is_fixed(f) || p == precision_of(f));
    const field kind = { .lattice = l, .where = where, .precision = p, .reals = reals_of(f), .slabs = 1, .on = ON_ALL,
                         .ghosts = lattice_vector_ghosts(lattice_shape_of(l)),
                         .record_words = LINK_WORDS(f) };
    links->f = field_create_slabs(&kind, "packed links");
    links->format = f;
    return links;
}

packed_links *packed_links_create(lattice *l, place where, link_format f)
{
    return packed_links_create_precision(l, where, f, precision_of(f));
}

void packed_links_free(packed_links *p)
{
    if (p)
        field_free(&p->f);
    memory_free(p);
}

size_t packed_links_bytes_precision(const lattice_shape *shape, link_format f, precision p)
{
    return field_bytes_on(shape, ON_ALL, lattice_vector_ghosts(shape), p, reals_of(f));
}

gauge_view packed_links_view(const packed_links *p)
{
    return (gauge_view){ field_view_of(&p->f).data };
}

typedef struct { double deviation; int site[4], direction; } worst_link;

/* The first link with the largest deviation in the order [t][z][y][x][direction], or the first with NaN. */
static worst_link find_worst(const field *deviations)
{
    const int *n = lattice_global(deviations->lattice);
    const size_t links = field_slice_reals(deviations);
    double *slice = slice_alloc(links);
    worst_link worst = { .deviation = -1 };
    for (int t = 0; t < field_slice_count(deviations) && !isnan(worst.deviation); t++) {
        field_get_slice(slice, deviations, t);
        for (size_t i = 0; i < links && !isnan(worst.deviation); i++)
            if (!(slice[i] <= worst.deviation)) {
                const int site = (int)(i / 4), row = site / n[0];
                worst = (worst_link){ slice[i], { site % n[0], row % n[1], row / n[1], t }, (int)(i % 4) };
            }
    }
    memory_free(slice);
    return worst;
}

/* Fails with the worst link.  Slow, on the host: after this a run ends or chooses another format. */
static bool refuse_links(link_format f, const gauge *u, double tolerance, failure *why)
{
    lattice *l = u->links.lattice;
    const bool special = kept_by(f) == MATRIX_SU3;
    field each = field_create(l, u->links.where, u->links.precision, 4, "deviations of links");
    links_deviation_args args = { gauge_view_of(u), field_view_of(&each).data, special };
    run_map(&links_deviations, u->links.where, u->links.precision, &args, lattice_all(l));
    const worst_link worst = find_worst(&each);
    const int *at = worst.site;
    field_free(&each);
    return fail(why, "links cannot be stored in format %s, which is for %s matrices only: the link at site "
                     "(%d %d %d %d) in direction %c deviates by %.3g, more than %.0e (fat links are sums and no such "
                     "matrices; an ensemble from a file with 32 bits needs start.reunitarize: true)",
                link_format_names[f], special ? "SU(3)" : "U(3)", at[0], at[1], at[2], at[3],
                "xyzt"[worst.direction], worst.deviation, tolerance);
}

static bool holds(link_format f, const gauge *u, double tolerance, failure *why)
{
    const field *links = &u->links;
    double deviation;
    if (kept_by(f) == ANY_MATRIX)
        return true;
    links_deviation_args args = { gauge_view_of(u), NULL, kept_by(f) == MATRIX_SU3 };
    const sum_launch sum = { .where = links->where, .precision = links->precision, .args = &args,
                             .range = lattice_all(links->lattice) };
    run_sum_once(&links_deviation, links->lattice, &sum, SUM_BOUND, &deviation);
    return deviation <= tolerance || (why && refuse_links(f, u, tolerance, why));
}

/* The tolerance of the lower of two precisions. */
static double tolerance_of(precision a, precision b)
{
    return fmax(link_format_tolerance(a), link_format_tolerance(b));
}

/* The stored number that stands for the largest number of the field (largest_of).  Formats with 8 or 9 numbers store
 * points on spheres, and unpacking them gives links in units of 1. */
static double one_of(link_format f)
{
    if (f == LINK_FIXED16_8 || f == LINK_FIXED16_9 || f == LINK_FIXED32_9)
        return 1;
    return is_wide(f) ? FIXED32_ONE : link_format_is_fixed(f) ? FIXED16_ONE : 1;
}

static double largest_of(link_format f, const gauge *u)
{
    const field *links = &u->links;
    double largest = 1;
    if (link_format_is_fixed(f) && kept_by(f) == ANY_MATRIX) {
        gauge_args args = { lattice_on(links->lattice, links->where), gauge_view_of(u) };
        const sum_launch sum = { .where = links->where, .precision = links->precision, .args = &args,
                                 .range = lattice_all(links->lattice) };
        run_sum_once(&links_largest, links->lattice, &sum, SUM_BOUND, &largest);
    }
    return largest;
}

bool packed_links_set(packed_links *p, const gauge *u, failure *why)
{
    const field *f = &u->links;
    assert(f->lattice == p->f.lattice && f->where == p->f.where);
    if (p->version == u->version)
        return true;
    p->version = 0;
    if (!holds(p->format, u, tolerance_of(f->precision, p->f.precision), why))
        return false;
    double largest = largest_of(p->format, u), one = one_of(p->format);
    links_pack_args args = { packed_links_view(p), gauge_view_of(u), p->format, largest > 0 ? one / largest : 0,
                             f->precision != p->f.precision };
    const open_pack_args open = { args, lattice_on(f->lattice, f->where) };
    if (lattice_is_open(f->lattice))
        run_map(&open_links_pack, p->f.where, p->f.precision, &open, lattice_all(f->lattice));
    else
        run_map(&links_pack, p->f.where, p->f.precision, &args, lattice_all(f->lattice));
    field_exchange_hops(&p->f);
    p->unit = largest / one;
    p->version = u->version;
    return true;
}

void packed_links_update(packed_links *p, const gauge *u)
{
    assert(kept_by(p->format) == ANY_MATRIX);
    packed_links_set(p, u, NULL);
}

void packed_links_unpack(gauge *u, const packed_links *p)
{
    lattice *l = p->f.lattice;
    assert(u->links.lattice == l && u->links.where == p->f.where);
    links_pack_args args = { gauge_view_of(u), packed_links_view(p), p->format, p->unit,
                             u->links.precision != p->f.precision };
    run_map(&links_unpack, p->f.where, p->f.precision, &args, lattice_all(l));
    u->version = lattice_new_version(l);
}
