/* kernels.c - the launch of kernels, and the value of exact sums. */
#include "src/lattice/kernels.h"

#include "gpu/device.h"

#include <math.h>

void run_map_variant(const map_kernel *k, kernel_variant variant, place where, precision p, const void *args,
                     site_range range)
{
    bool tuned = where == PLACE_GPU && variant == VARIANT_BEST && k->tuned[p];
    site_map_fn *run = tuned ? k->tuned[p] : k->portable[where][p];
    require(run != NULL, "internal error: this program has no kernel %s for %s", k->name, place_name(where));
    run(args, range, device_stream());
    if (where == PLACE_GPU)
        device_check_launch(k->name);
}

void run_map(const map_kernel *k, place where, precision p, const void *args, site_range range)
{
    run_map_variant(k, VARIANT_BEST, where, p, args, range);
}

void run_sum_under(const sum_kernel *k, const sum_launch *a, double bound, sum_cells cells)
{
    bool tuned = a->where == PLACE_GPU && a->variant == VARIANT_BEST && k->tuned[a->precision];
    site_sum_fn *run = tuned ? k->tuned[a->precision] : k->portable[a->where][a->precision];
    require(run != NULL, "internal error: this program has no kernel %s for %s", k->name, place_name(a->where));
    run(a->args, a->range, device_stream(), SUM_WORD / bound, cells);
    if (a->where == PLACE_GPU)
        device_check_launch(k->name);
}

void run_sum_into(const sum_kernel *k, const sum_launch *a, sum_cells cells)
{
    run_sum_under(k, a, SUM_BOUND, cells);
}

bool run_sum_once(const sum_kernel *k, lattice *l, const sum_launch *a, double bound, double *result)
{
    const sum_array there = sums_scratch(l, a->where, k->sums, k->maxima);
    sum_cell sum[SUM_SCRATCH];
    max_cell largest[SUM_SCRATCH];
    bool refused = false;
    run_sum_under(k, a, bound, there.cells);
    sums_read((sum_cells){ sum, largest }, &there);
    for (int n = 0; n < k->sums; n++) {
        result[n] = sum_cell_value(&sum[n], bound);
        refused |= sum[n].refused != 0;
    }
    for (int n = 0; n < k->maxima; n++)
        result[k->sums + n] = max_cell_value(&largest[n]);
    return !refused;
}

void run_sum(const sum_kernel *k, lattice *l, const sum_launch *a, double *result)
{
    if (!run_sum_once(k, l, a, SUM_BOUND, result))
        run_sum_once(k, l, a, SUM_BOUND_LARGE, result);
}

#define SUM_FINE (SUM_GUESS_MARGIN * SUM_GUESS_MARGIN)

bool sum_is_fine(double size, double bound)
{
    return fabs(size) >= bound / SUM_FINE;
}
