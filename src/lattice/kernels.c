/* kernels.c - the launch of kernels, and the value of exact sums. */
#include "src/lattice/kernels.h"

#include "gpu/device.h"
#include "src/lattice/place_memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void run_map_variant(const map_kernel *k, kernel_variant variant, place where, precision p, const void *args,
                     site_range range)
{
    bool tuned = where == PLACE_GPU && variant == VARIANT_BEST && k->tuned[p];
    site_map_fn *run = tuned ? k->tuned[p] : k->portable[where][p];
    require(run != NULL, "kernel %s is not in this program for %s", k->name, place_name(where));
    run(args, range, device_stream());
    if (where == PLACE_GPU)
        device_check_launch(k->name);
}

void run_map(const map_kernel *k, place where, precision p, const void *args, site_range range)
{
    run_map_variant(k, VARIANT_BEST, where, p, args, range);
}

static void run_sum_bounded(const sum_kernel *k, kernel_variant variant, place where, precision p, const void *args,
                            site_range range, sum_cell *cells, double bound)
{
    bool tuned = where == PLACE_GPU && variant == VARIANT_BEST && k->tuned[p];
    site_sum_fn *run = tuned ? k->tuned[p] : k->portable[where][p];
    require(run != NULL, "kernel %s is not in this program for %s", k->name, place_name(where));
    run(args, range, device_stream(), SUM_WORD / bound, cells);
    if (where == PLACE_GPU)
        device_check_launch(k->name);
}

void run_sum_into(const sum_kernel *k, kernel_variant variant, place where, precision p, const void *args,
                  site_range range, sum_cell *cells)
{
    run_sum_bounded(k, variant, where, p, args, range, cells, SUM_BOUND);
}

void run_sum_under(const sum_kernel *k, place where, precision p, const void *args, site_range range, double bound,
                   sum_cell *cells)
{
    run_sum_bounded(k, VARIANT_BEST, where, p, args, range, cells, bound);
}

bool run_sum_once(const sum_kernel *k, lattice *l, place where, precision p, const void *args, site_range range,
                  double bound, double *result)
{
    int count = k->sums + k->maxima;
    sum_cell host[SUM_SCRATCH], *cells = lattice_sum_scratch(l, where);
    bool refused = false;
    assert(count <= SUM_SCRATCH);
    sum_cells_zero(cells, where, count);
    run_sum_bounded(k, VARIANT_BEST, where, p, args, range, cells, bound);
    sum_cells_read(host, cells, where, count);
    for (int n = 0; n < count; n++)
        result[n] = n < k->sums ? sum_cell_value(&host[n], bound) : max_cell_value(&host[n]);
    for (int n = 0; n < k->sums; n++)
        refused |= host[n].refused != 0;
    return !refused;
}

void run_sum(const sum_kernel *k, lattice *l, place where, precision p, const void *args, site_range range,
             double *result)
{
    if (!run_sum_once(k, l, where, p, args, range, SUM_BOUND, result))
        run_sum_once(k, l, where, p, args, range, SUM_BOUND_LARGE, result);
}

#define SUM_FINE (SUM_GUESS_MARGIN * SUM_GUESS_MARGIN)

bool sum_is_fine(double size, double bound)
{
    return fabs(size) >= bound / SUM_FINE;
}

sum_cell *sum_cells_create(place where, int count)
{
    return place_alloc(where, (size_t)count * sizeof(sum_cell), "cells of sums");
}

void sum_cells_free(sum_cell *cells, place where)
{
    place_free(where, cells);
}

void sum_cells_zero(sum_cell *cells, place where, int count)
{
    size_t bytes = (size_t)count * sizeof *cells;
    if (where == PLACE_GPU)
        device_zero(cells, bytes);
    else
        memset(cells, 0, bytes);
}

void sum_cells_read(sum_cell *host, const sum_cell *cells, place where, int count)
{
    size_t bytes = (size_t)count * sizeof *cells;
    if (where == PLACE_GPU)
        device_copy_from(host, cells, bytes);
    else
        memcpy(host, cells, bytes);
}

double max_cell_value(const sum_cell *host)
{
    double value;
    memcpy(&value, &host->word[0], sizeof value);
    return host->refused ? NAN : value;
}
