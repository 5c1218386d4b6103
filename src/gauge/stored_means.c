/* stored_means.c - the plaquettes that begin in a time slice need the links of that slice and of the next.
 *
 * Some slices and the one after them make a small lattice, a window, and all sites but those of the last are summed;
 * the sums of all windows are added in the same cells.  It has two slices, or more of small ones. */
#include "src/gauge/stored_means.h"

#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/kernels.h"

#include <assert.h>

SUM_KERNEL(plaquette, 2, 0);
SUM_KERNEL(link_quality, 1, 1);

/* Numbers on their way from the field to the window; sites of a window that has more than two slices. */
enum { ROWS_BYTES = 1 << 20, WINDOW_SITES = 1 << 12 };

typedef struct {
    const gauge *of;
    links_rounding *store;
    const void *layout;
    int slices;
    gauge *window;
    double *rows;
    int rows_at_once;
} slice_window;

/* An even number. */
static int window_slices(const int global[4])
{
    const int fit = WINDOW_SITES / (global[0] * global[1] * global[2]) / 2 * 2, most = global[3] + 2;
    return fit < 2 ? 2 : fit < most ? fit : most;
}

static lattice_shape window_shape(const lattice_shape *shape)
{
    const int *n = shape->global;
    return lattice_shape_single((const int[4]){ n[0], n[1], n[2], window_slices(n) });
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

static slice_window window_create(const gauge *u, links_rounding *store, const void *layout)
{
    const int *n = lattice_global(u->links.lattice);
    const lattice_shape shape = window_shape(lattice_shape_of(u->links.lattice));
    slice_window w = { .of = u, .store = store, .layout = layout, .slices = shape.global[3],
                       .rows_at_once = rows_that_fit(n) };
    w.window = gauge_create(lattice_create(&shape), PLACE_CPU, PRECISION_DOUBLE);
    w.rows = memory_alloc((size_t)w.rows_at_once * row_bytes(n), "links on their way to a file");
    return w;
}

static void window_free(slice_window *w)
{
    lattice *l = w->window->links.lattice;
    gauge_free(w->window);
    lattice_free(l);
    memory_free(w->rows);
}

static void copy_slice(slice_window *w, int to, const field *from, int number, bool round)
{
    const int *n = lattice_global(from->lattice), all = n[1] * n[2];
    for (int first = 0; first < all; first += w->rows_at_once) {
        const int count = all - first < w->rows_at_once ? all - first : w->rows_at_once;
        field_get_rows(w->rows, from, number, first, count);
        if (round)
            w->store(w->rows, (size_t)count * (size_t)n[0], w->layout);
        field_set_rows(&w->window->links, to, first, count, w->rows);
    }
}

/* Slices t .. t + count of the field as a file holds them; the window before ends with the first of them. */
static void move_window(slice_window *w, int t, int count)
{
    const field *u = &w->of->links, *own = &w->window->links;
    const int times = field_slice_count(u);
    copy_slice(w, 0, t > 0 ? own : u, t > 0 ? w->slices - 1 : 0, t == 0);
    for (int i = 1; i <= count; i++)
        copy_slice(w, i, u, (t + i) % times, true);
}

/* The sums of a kernel over the sites of the first slices are added to `sums`. */
static void add_window(const sum_array *sums, const sum_kernel *k, const slice_window *w, int count, double bound)
{
    lattice *l = w->window->links.lattice;
    gauge_args args = { lattice_on(l, PLACE_CPU), gauge_view_of(w->window) };
    const sum_launch sum = { .where = PLACE_CPU, .precision = PRECISION_DOUBLE, .args = &args,
                             .range = lattice_first_times(l, count) };
    run_sum_under(k, &sum, bound, sums->cells);
}

/* False where terms are beyond the bound. */
static bool measure_means(stored_means *m, slice_window *w, double bound)
{
    const field *u = &w->of->links;
    const int times = field_slice_count(u);
    const double volume = (double)lattice_volume(u->lattice);
    lattice *l = w->window->links.lattice;
    sum_array planes = sums_create(l, PLACE_CPU, plaquette.sums, plaquette.maxima);
    sum_array links = sums_create(l, PLACE_CPU, link_quality.sums, link_quality.maxima);
    sum_cell plane[2], trace;
    max_cell deviation;
    for (int t = 0, count; t < times; t += count) {
        count = times - t < w->slices - 1 ? times - t : w->slices - 1;
        move_window(w, t, count);
        add_window(&planes, &plaquette, w, count, bound);
        add_window(&links, &link_quality, w, count, bound);
    }
    sums_read((sum_cells){ plane, NULL }, &planes);
    sums_read((sum_cells){ &trace, &deviation }, &links);
    sums_free(&planes);
    sums_free(&links);
    const double sums[2] = { sum_cell_value(&plane[0], bound), sum_cell_value(&plane[1], bound) };
    m->plaquette = plaquette_means_of(sums, volume).average;
    m->link_trace = link_trace_of(sum_cell_value(&trace, bound), volume);
    return !plane[0].refused && !plane[1].refused && !trace.refused;
}

stored_means gauge_stored_means(const gauge *u, links_rounding *store, const void *layout)
{
    stored_means m;
    assert(u->links.precision == PRECISION_DOUBLE);
    slice_window w = window_create(u, store, layout);
    if (!measure_means(&m, &w, SUM_BOUND))
        measure_means(&m, &w, SUM_BOUND_LARGE);
    window_free(&w);
    return m;
}

size_t stored_means_bytes(const lattice_shape *shape)
{
    const lattice_shape window = window_shape(shape);
    return field_bytes(&window, PRECISION_DOUBLE, GAUGE_REALS) + lattice_table_bytes(&window)
           + (size_t)rows_that_fit(shape->global) * row_bytes(shape->global) + FIELD_STAGING_BYTES;
}
