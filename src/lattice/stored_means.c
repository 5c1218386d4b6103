/* stored_means.c - the plaquettes that begin in a time slice need the links of that slice and of the next.
 *
 * Both make a small lattice of two time slices, whose sites at t = 0 are summed; the sums of all slices are added in
 * the same cells. */
#include "src/lattice/stored_means.h"

#include "src/base/memory.h"
#include "src/lattice/gauge_observables.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <string.h>

SUM_KERNEL(plaquette, 2, 0);
SUM_KERNEL(link_quality, 1, 1);

/* Numbers on their way from the field to the small lattice. */
enum { ROWS_BYTES = 1 << 20 };

typedef struct {
    const gauge *of;
    links_rounding *store;
    const void *layout;
    gauge *pair;                  /* time slices t and t + 1 */
    double *rows;
    int rows_at_once;
} slice_pair;

static lattice_shape pair_shape(const lattice_shape *shape)
{
    const int *n = shape->global;
    return lattice_shape_single((const int[4]){ n[0], n[1], n[2], 2 });
}

static size_t row_bytes(const int global[4])
{
    return (size_t)global[0] * GAUGE_REALS * sizeof(double);
}

static int rows_that_fit(const int global[4])
{
    const int fit = (int)(ROWS_BYTES / row_bytes(global)), all = global[1] * global[2];
    return fit < 1 ? 1 : fit < all ? fit : all;
}

static slice_pair pair_create(const gauge *u, links_rounding *store, const void *layout)
{
    const int *n = lattice_global(u->links.lattice);
    const lattice_shape shape = pair_shape(lattice_shape_of(u->links.lattice));
    slice_pair p = { .of = u, .store = store, .layout = layout, .rows_at_once = rows_that_fit(n) };
    p.pair = gauge_create(lattice_create(&shape), PLACE_CPU, PRECISION_DOUBLE);
    p.rows = memory_alloc((size_t)p.rows_at_once * row_bytes(n), "links on their way to a file");
    return p;
}

static void pair_free(slice_pair *p)
{
    lattice *l = p->pair->links.lattice;
    gauge_free(p->pair);
    lattice_free(l);
    memory_free(p->rows);
}

/* Time slice `number` of a field becomes slice `to` of the pair, as a file holds it. */
static void fill(slice_pair *p, int to, const field *from, int number, bool round)
{
    const int *n = lattice_global(from->lattice), all = n[1] * n[2];
    for (int first = 0; first < all; first += p->rows_at_once) {
        const int count = all - first < p->rows_at_once ? all - first : p->rows_at_once;
        field_get_rows(p->rows, from, number, first, count);
        if (round)
            p->store(p->rows, (size_t)count * (size_t)n[0], p->layout);
        field_set_rows(&p->pair->links, to, first, count, p->rows);
    }
}

/* The sums of a kernel over the sites of the first time slice are added to `cells`. */
static void add(sum_cell *cells, const sum_kernel *k, const slice_pair *p, double bound)
{
    lattice *l = p->pair->links.lattice;
    gauge_args args = { lattice_on(l, PLACE_CPU), gauge_view_of(p->pair) };
    run_sum_under(k, PLACE_CPU, PRECISION_DOUBLE, &args, lattice_first_time(l), bound, cells);
}

/* False where terms are beyond the bound. */
static bool measure(stored_means *m, slice_pair *p, double bound)
{
    const field *u = &p->of->links;
    const int times = field_slice_count(u);
    const double volume = (double)lattice_volume(u->lattice);
    sum_cell planes[2], links[2];
    memset(planes, 0, sizeof planes);
    memset(links, 0, sizeof links);
    fill(p, 0, u, 0, true);
    for (int t = 0; t < times; t++) {
        if (t > 0)
            fill(p, 0, &p->pair->links, 1, false);
        fill(p, 1, u, (t + 1) % times, true);
        add(planes, &plaquette, p, bound);
        add(links, &link_quality, p, bound);
    }
    const double sums[2] = { sum_cell_value(&planes[0], bound), sum_cell_value(&planes[1], bound) };
    m->plaquette = plaquette_means_of(sums, volume).average;
    m->link_trace = link_trace_of(sum_cell_value(&links[0], bound), volume);
    return !planes[0].refused && !planes[1].refused && !links[0].refused;
}

stored_means gauge_stored_means(const gauge *u, links_rounding *store, const void *layout)
{
    stored_means m;
    assert(u->links.precision == PRECISION_DOUBLE);
    slice_pair p = pair_create(u, store, layout);
    if (!measure(&m, &p, SUM_BOUND))
        measure(&m, &p, SUM_BOUND_LARGE);
    pair_free(&p);
    return m;
}

size_t stored_means_bytes(const lattice_shape *shape)
{
    const lattice_shape pair = pair_shape(shape);
    return field_bytes(&pair, PRECISION_DOUBLE, GAUGE_REALS) + lattice_table_bytes(&pair)
           + (size_t)rows_that_fit(shape->global) * row_bytes(shape->global) + FIELD_STAGING_BYTES;
}
