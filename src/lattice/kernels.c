/* kernels.c - the launch of kernels, and the value of exact sums. */
#include "src/lattice/kernels.h"

#include "gpu/device.h"

#include <math.h>

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
                            site_range range, sum_cells cells, double bound)
{
    bool tuned = where == PLACE_GPU && variant == VARIANT_BEST && k->tuned[p];
    site_sum_fn *run = tuned ? k->tuned[p] : k->portable[where][p];
    require(run != NULL, "kernel %s is not in this program for %s", k->name, place_name(where));
    run(args, range, device_stream(), SUM_WORD / bound, cells);
    if (where == PLACE_GPU)
        device_check_launch(k->name);
}

void run_sum_into(const sum_kernel *k, kernel_variant variant, place where, precision p, const void *args,
                  site_range range, sum_cells cells)
{
    run_sum_bounded(k, variant, where, p, args, range, cells, SUM_BOUND);
}

void run_sum_under(const sum_kernel *k, place where, precision p, const void *args, site_range range, double bound,
                   sum_cells cells)
{
    run_sum_bounded(k, VARIANT_BEST, where, p, args, range, cells, bound);
}

bool run_sum_once(const sum_kernel *k, lattice *l, place where, precision p, const void *args, site_range range,
                  double bound, double *result)
{
    const sum_array there = sums_scratch(l, where, k->sums, k->maxima);
    sum_cell sum[SUM_SCRATCH];
    max_cell largest[SUM_SCRATCH];
    bool refused = false;
    run_sum_bounded(k, VARIANT_BEST, where, p, args, range, there.cells, bound);
    sums_read((sum_cells){ sum, largest }, &there);
    for (int n = 0; n < k->sums; n++) {
        result[n] = sum_cell_value(&sum[n], bound);
        refused |= sum[n].refused != 0;
    }
    for (int n = 0; n < k->maxima; n++)
        result[k->sums + n] = max_cell_value(&largest[n]);
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
