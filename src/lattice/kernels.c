/* kernels.c - the launch of kernels, and the value of exact sums. */
#include "src/lattice/kernels.h"

#include "gpu/device.h"
#include "src/base/memory.h"

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

/* Terms are cut below 2^-108 of the bound.  Where sum or largest term are above 2^-24 of it, that is below 2^-84 of
 * them a term, and below 2^-57 for the most terms there are (2^27). */
#define SUM_FINE 16777216.0                   /* 2^24 */

/* What terms may exceed a guess of their sum by; below the guess there is as much again before a sum is not fine. */
#define GUESS_MARGIN 4096.0                   /* 2^12 */

/* Cut units (bound 2^-108) and factors (2^36 / bound) of any power of two between these are finite and not rounded. */
enum { BOUND_EXPONENT_MIN = -900, BOUND_EXPONENT_MAX = 1023 };

double sum_bound_above(double largest)
{
    int exponent;
    if (!isfinite(largest))
        return SUM_BOUND;
    frexp(largest, &exponent);                               /* largest < 2^exponent */
    if (exponent < BOUND_EXPONENT_MIN)
        exponent = BOUND_EXPONENT_MIN;
    return ldexp(1, exponent < BOUND_EXPONENT_MAX ? exponent : BOUND_EXPONENT_MAX);
}

double sum_bound_guessed(double guess)
{
    return guess > 0 ? sum_bound_above(guess * GUESS_MARGIN) : SUM_BOUND;
}

bool sum_is_fine(double size, double bound)
{
    return fabs(size) >= bound / SUM_FINE;
}

sum_cell *sum_cells_create(place where, int count)
{
    size_t bytes = (size_t)count * sizeof(sum_cell);
    return where == PLACE_GPU ? device_alloc(bytes, "cells of sums") : memory_alloc(bytes, "cells of sums");
}

void sum_cells_free(sum_cell *cells, place where)
{
    if (where == PLACE_GPU)
        device_free(cells);
    else
        memory_free(cells);
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

/* The three words as one integer in units of bound 2^-108, rounded once. */
double sum_cell_value(const sum_cell *host, double bound)
{
    if (host->refused)
        return NAN;
    const int word_bits = 36;
    const long long mask = (1LL << word_bits) - 1;
    long long low = host->word[2], middle = host->word[1], high = host->word[0];
    middle += low >> word_bits;                              /* arithmetic shifts: the carries */
    low &= mask;
    high += middle >> word_bits;
    middle &= mask;
    double unit = bound / SUM_WORD / SUM_WORD / SUM_WORD;
    if (high > -(1LL << 54) && high < 1LL << 54) {
        const __int128 word = mask + (__int128)1;            /* negative numbers are multiplied, not shifted */
        return (double)((high * word + middle) * word + low) * unit;
    }
    return ((double)high * SUM_WORD + (double)middle) * SUM_WORD * unit;
}

double max_cell_value(const sum_cell *host)
{
    double value;
    memcpy(&value, &host->word[0], sizeof value);
    return host->refused ? NAN : value;
}
