/* solve_on_ranks.h - solves of a staggered operator that take long, on the ranks of a grid; their solutions as
 * digests. */
#ifndef KILN_TESTS_SOLVERS_SOLVE_ON_RANKS_H
#define KILN_TESTS_SOLVERS_SOLVE_ON_RANKS_H

#include "src/lattice/place.h"

#include <stdbool.h>
#include <stdint.h>

enum { SOLVE_RANKS_MOST = 4 };

typedef struct { uint64_t solutions; int64_t iterations; } solve_digest;

/* A number of solves, with at most a number of iterations each; `grid` NULL: alone.  of[rank]: the results.  by_nccl:
 * whether NCCL carried the ghosts; persistent: whether the latest solve was one persistent kernel (halo/loop.h). */
typedef struct {
    place where;
    const int *grid;
    int solves, iterations;
    solve_digest of[SOLVE_RANKS_MOST];
    bool by_nccl, persistent;
} solve_task;

/* The extents of the lattice: divided by two in z or t, a rank has an interior. */
extern const int solve_extents[4];

/* On the ranks of the grid, as threads; they share GPUs where there are fewer than ranks. */
void solve_on_ranks(solve_task *t);

/* On how many ranks the results are not those of one rank. */
int solve_differences(const solve_task *t, const solve_digest *single);

#endif
