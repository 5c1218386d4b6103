/* plan_ranks.c - compute the memory plan for one number of ranks after the other (grid_pretend). */
#include "src/tune/plan_ranks.h"

#include "src/hmc/hmc.h"
#include "src/lattice/grid.h"

#include <string.h>

/* Whether the numbers of sites of a rank are within the limits of one process. */
static bool is_within_limits(const run_params *p, const lattice_shape *shape)
{
    failure why;
    for (int m = 0; m < run_monomial_count(p); m++)
        if (!monomial_check(run_monomial_kind(p, m), run_monomial_params(p, m), shape, &why))
            return false;
    return true;
}

/* The device memory of a rank on a grid; 0: it is not possible. */
static size_t bytes_of_rank(const run_params *p, int ranks, const int grid[4])
{
    grid_request as_if = { .ranks = ranks, .groups = grid_groups_here() };
    memcpy(as_if.grid, grid, sizeof as_if.grid);
    const grid_request before = grid_pretend(as_if);
    const lattice_shape shape = run_shape(p);
    const bool possible = lattice_shape_is_possible(&shape, NULL) && is_within_limits(p, &shape);
    const size_t bytes = possible ? hmc_memory_needed(p, PLACE_GPU, true, false) : 0;
    grid_pretend(before);
    return bytes;
}

ranks_fit plan_ranks_find(const run_params *p, size_t available)
{
    failure why;
    for (int n = 1; n <= PLAN_RANKS_MAX; n++) {
        ranks_fit fit = { .ranks = n };
        if (!grid_choose(fit.grid, p->extents, n, run_hops(p), &why))
            continue;
        fit.bytes = bytes_of_rank(p, n, fit.grid);
        if (fit.bytes > 0 && fit.bytes <= available)
            return fit;
    }
    return (ranks_fit){ .ranks = 0 };
}
