/* test_mixed_rule.c - the record of many solves: sums of all counts, the first failure and the latest method; and the
 * scale of a system, which does not depend on the number of ranks. */
#include "src/lattice/grid.h"
#include "src/solvers/mixed_rule.h"
#include "src/solvers/mixed_space.h"
#include "tests/facts.h"

#include <stddef.h>
#include <string.h>

#define COUNT(member) { #member, offsetof(mixed_record, member) }
static const struct { const char *name; size_t at; } counts[] = {
    COUNT(low_iterations), COUNT(high_iterations), COUNT(residuals), COUNT(updates), COUNT(reprojections),
    COUNT(cycles), COUNT(switches), COUNT(escalations), COUNT(fallbacks),
};
enum { COUNTS = sizeof counts / sizeof counts[0] };

static int *count_of(mixed_record *r, int k)
{
    return (int *)((char *)r + counts[k].at);
}

enum { RANKS = 4 };

/* scale[rank]: of a right-hand side with |b|^2 = 3 at each site of 8^4. */
static int scale_on_rank(void *of)
{
    static const int extents[4] = { 8, 8, 8, 8 }, grid[4] = { 1, 1, 2, 2 };
    double *scale = of;
    if (comm_size(comm_world()) > 1)
        grid_want(grid);
    const lattice_shape shape = grid_shape_here(extents, GRID_HOPS_LEAST);
    lattice *l = lattice_create(&shape);
    vec *b = vec_create(l, ON_EVEN, PLACE_CPU, PRECISION_DOUBLE);
    scale[comm_rank(comm_world())] = mixed_system_of(0, NULL, 0, b, 3.0 * 2048).scale;
    vec_free(b);
    lattice_free(l);
    return 0;
}

static void scales(void)
{
    double one = 0, of_ranks[RANKS] = { 0 };
    scale_on_rank(&one);
    comm_run_threads(RANKS, scale_on_rank, of_ranks);
    fact(one == 1, "|b|^2 = 3 at each site needs no scale");
    for (int r = 0; r < RANKS; r++)
        fact(of_ranks[r] == one, "on %d ranks the scale is the same: rank %d", RANKS, r);
}

int main(void)
{
    scales();
    mixed_record sum = { .last = BY_DEFECT_CORRECTION, .why = { FAILED_RESIDUAL }, .switched_at = { 7 } };
    mixed_record one = { .last = BY_RELIABLE_UPDATES, .why = { FAILED_NUMBERS, FAILED_CURVATURE },
                         .switched_at = { 8, 9 } };
    for (int k = 0; k < COUNTS; k++) {
        *count_of(&sum, k) = 1 << k;
        *count_of(&one, k) = 1000 * (k + 1);
    }
    mixed_record_add(&sum, &one);
    for (int k = 0; k < COUNTS; k++)
        fact(*count_of(&sum, k) == (1 << k) + 1000 * (k + 1), "%s of both solves are added", counts[k].name);
    fact(sum.last == BY_DEFECT_CORRECTION, "the later of both methods is kept");
    fact(sum.why[0] == FAILED_RESIDUAL && sum.switched_at[0] == 7, "the first failure of a method is kept");
    fact(sum.why[1] == FAILED_CURVATURE && sum.switched_at[1] == 9, "and one where there was none");
    one.last = BY_HIGH_PRECISION;
    mixed_record_add(&sum, &one);
    fact(sum.last == BY_HIGH_PRECISION, "a later method replaces it");
    return facts_end();
}
