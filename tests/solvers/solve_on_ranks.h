/* solve_on_ranks.h - solves that take long, on the ranks of a grid; their solutions as digests. */
#ifndef KILN_TESTS_SOLVERS_SOLVE_ON_RANKS_H
#define KILN_TESTS_SOLVERS_SOLVE_ON_RANKS_H

#include "src/solvers/solver_choice.h"
#include "tests/solvers/square_system.h"

#include <stdbool.h>
#include <stdint.h>

enum { SOLVE_RANKS_MOST = 4 };

typedef struct { uint64_t solutions; int64_t iterations; } solve_digest;

typedef struct solve_task solve_task;

/* A row: a Dirac operator, and how to solve.  systems: at once; order: of BiCGstab, 0: conjugate gradients. */
typedef struct {
    const char *name;
    solve_digest (*solve)(solve_task *t);
    int hops;                        /* that kernels reach (grid.h) */
    square_kind kind;                /* the rest: of a solve with a square system */
    solver_precision precision;
    int systems, order;
    double closer;
} solve_row;

enum { SOLVE_STAGGERED, SOLVE_ROWS = 12 };       /* the first one, whose loop may be a persistent kernel */
extern const solve_row solve_rows[SOLVE_ROWS];

/* A number of solves, with at most a number of iterations each; `grid` NULL: alone.  of[rank]: the results.  by_nccl:
 * whether NCCL carried the ghosts; persistent: whether the latest solve was one persistent kernel (halo/loop.h);
 * beside: the number of hops that made their exchange in their own launch (halo/peers.h). */
struct solve_task {
    const solve_row *row;
    place where;
    const int *grid, *extents;
    int solves, iterations;
    solve_digest of[SOLVE_RANKS_MOST];
    bool by_nccl, persistent;
    int64_t beside;
};

/* Extents of a lattice: divided by two in z or t, a rank has an interior. */
extern const int solve_extents[4];

/* On the ranks of the grid, as threads; they share GPUs where there are fewer than ranks. */
void solve_on_ranks(solve_task *t);

/* On how many ranks the results are not those of one rank. */
int solve_differences(const solve_task *t, const solve_digest *single);

#endif
