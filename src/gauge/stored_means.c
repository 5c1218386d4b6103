/* stored_means.c - the plaquettes that begin in a time slice need the links of this slice and of the next.
 *
 * A few adjacent slices are copied to a small lattice, the buffer, and the kernels sum over all of them but the last.
 * The sums of all groups of slices are added in the same cells.  The buffer has two slices, or more if slices are
 * small. */
#include "src/gauge/stored_means.h"

#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/kernels.h"

#include <assert.h>

SUM_KERNEL(plaquette, 2, 0);
SUM_KERNEL(link_quality, 1, 1);

/* Bytes of the rows that are copied at once; largest number of sites of a buffer with more than two slices. */
enum { ROWS_BYTES = 1 << 20, BUFFER_SITES = 1 << 12 };

typedef struct {
    const gauge *of;
    links_rounding *store;
    const void *layout;
    int slices;
    gauge *buffer;
    double *rows;
    int rows_at_once;
} slice_buffer;

/* The extent of the buffer in t, which must be even. */
static int buffer_slices(const int global[4])
{
    const int fit = BUFFER_SITES / (global[0] * global[1] * global[2]) / 2 * 2, most = global[3] + 2;
    return fit < 2 ? 2 : fit < most ? fit : most;
}

static lattice_shape buffer_shape(const lattice_shape *shape)
{
    const int *n = shape->global;
    return lattice_shape_single((const int[4]){ n[0], n[1], n[2], buffer_slices(n) });
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

static slice_buffer buffer_create(const gauge *u, links_rounding *store, const void *layout)
{
    const int *n = lattice_global(u->links.lattice);
    const lattice_shape shape = buffer_shape(lattice_shape_of(u->links.lattice));
    slice_buffer w = { .of = u, .store = store, .layout = layout, .slices = shape.global[3],
                       .rows_at_once = rows_that_fit(n) };
    w.buffer = gauge_create(lattice_create(&shape), PLACE_CPU, PRECISION_DOUBLE);
    w.rows = memory_alloc((size_t)w.rows_at_once * row_bytes(n), "links on their way to a file");
    return w;
}

static void buffer_free(slice_buffer *w)
{
    lattice *l = w->buffer->links.lattice;
    gauge_free(w->buffer);
    lattice_free(l);
    memory_free(w->rows);
}

static void copy_slice(slice_buffer *w, int to, const field *from, int number, bool round)
{
    const int *n = lattice_global(from->lattice), all = n[1] * n[2];
    for (int first = 0; first < all; first += w->rows_at_once) {
        const int count = all - first < w->rows_at_once ? all - first : w->rows_at_once;
        field_get_rows(w->rows, from, number, first, count);
        if (round)
            w->store(w->rows, (size_t)count * (size_t)n[0], w->layout);
        field_set_rows(&w->buffer->links, to, first, count, w->rows);
    }
}

/* buffer <- slices t to t + count of the field, as the file stores them.  For t > 0 slice t is the last slice of the
 * previous buffer. */
static void move_buffer(slice_buffer *w, int t, int count)
{
    const field *u = &w->of->links, *own = &w->buffer->links;
    const int times = field_slice_count(u);
    copy_slice(w, 0, t > 0 ? own : u, t > 0 ? w->slices - 1 : 0, t == 0);
    for (int i = 1; i <= count; i++)
        copy_slice(w, i, u, (t + i) % times, true);
}

/* Adds the sums of a kernel over the first `count` slices of the buffer to `sums`. */
static void add_buffer(const sum_array *sums, const sum_kernel *k, const slice_buffer *w, int count, double bound)
{
    lattice *l = w->buffer->links.lattice;
    gauge_args args = { lattice_on(l, PLACE_CPU), gauge_view_of(w->buffer) };
    const sum_launch sum = { .where = PLACE_CPU, .precision = PRECISION_DOUBLE, .args = &args,
                             .range = lattice_first_times(l, count) };
    run_sum_under(k, &sum, bound, sums->cells);
}

/* False if terms are beyond the bound. */
static bool measure_means(stored_means *m, slice_buffer *w, double bound)
{
    const field *u = &w->of->links;
    const int times = field_slice_count(u);
    const double volume = (double)lattice_volume(u->lattice);
    lattice *l = w->buffer->links.lattice;
    sum_array planes = sums_create(l, PLACE_CPU, plaquette.sums, plaquette.maxima);
    sum_array links = sums_create(l, PLACE_CPU, link_quality.sums, link_quality.maxima);
    sum_cell plane[2], trace;
    max_cell deviation;
    for (int t = 0, count; t < times; t += count) {
        count = times - t < w->slices - 1 ? times - t : w->slices - 1;
        move_buffer(w, t, count);
        add_buffer(&planes, &plaquette, w, count, bound);
        add_buffer(&links, &link_quality, w, count, bound);
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
    slice_buffer w = buffer_create(u, store, layout);
    if (!measure_means(&m, &w, SUM_BOUND))
        measure_means(&m, &w, SUM_BOUND_LARGE);
    buffer_free(&w);
    return m;
}

size_t stored_means_bytes(const lattice_shape *shape)
{
    const lattice_shape buffer = buffer_shape(shape);
    return field_bytes(&buffer, PRECISION_DOUBLE, GAUGE_REALS) + lattice_table_bytes(&buffer)
           + (size_t)rows_that_fit(shape->global) * row_bytes(shape->global) + FIELD_STAGING_BYTES;
}
