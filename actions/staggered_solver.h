/* staggered_solver.h - the solves of a monomial of staggered quarks: all shifts at once, of the fields that share links
 * together, in double or mixed precision.
 *
 * The name of a kind is that of its precisions: double alone, or double for residuals and solutions, the precision of
 * the common Krylov spaces, and that in which single systems are refined (src/solvers/cg_mixed.h); where the numbers of
 * the latter do not do, that of the Krylov spaces takes over, and then double.  `adaptive` is double-int30-int20, with
 * Krylov spaces in int20 where all residuals are 1e-6 or more.  What a kind reaches is the same: true
 * residuals in double. */
#ifndef KILN_ACTIONS_STAGGERED_SOLVER_H
#define KILN_ACTIONS_STAGGERED_SOLVER_H

#include "src/operators/staggered.h"
#include "src/solvers/cg_mixed.h"

extern const char *const staggered_solver_names[];        /* "double", "double-single", ..., NULL */

typedef struct staggered_solver staggered_solver;

/* What it is made for; `fields` (at most BATCH_TOGETHER) with at most `shifts` systems each. */
typedef struct { int kind, fields, shifts; } staggered_solver_size;

/* Memory for solves with the links `s`; that for more shifts is made when they are asked for. */
staggered_solver *staggered_solver_create(const staggered_links *s, const gauge *u, staggered_solver_size size);
void staggered_solver_free(staggered_solver *w);
void staggered_solver_reserve(staggered_solver *w, int shifts);
size_t staggered_solver_bytes(const staggered_links_params *p, const int extents[4], staggered_solver_size size);

/* Copies of the links in other precisions: to be made when the links have been updated. */
void staggered_solver_update(staggered_solver *w);

/* One field's systems, and what came of them. */
typedef struct {
    const shifted *system;
    int count;
    const vec *b;
    multishift_result result;
    mixed_record record;                                  /* of a mixed solver */
} staggered_solve;

/* (K + shift_k) x_k = b on even sites for the links of a set, from zero; `fields` of them.  `verify`: every true
 * residual is computed, and reached; else those that the solver has by the way decide. */
void staggered_solver_run(staggered_solver *w, int set, staggered_solve *solve, int fields, int max_iterations,
                          bool verify);

/* Borrowed, until the next run, of the i-th field of a run: the solutions; as many vectors more, free to use.  A
 * vector on the odd sites. */
vec *const *staggered_solver_x(const staggered_solver *w, int i);
vec *const *staggered_solver_room(const staggered_solver *w, int i);
vec *staggered_solver_odd(const staggered_solver *w);
cg_space *staggered_solver_space(const staggered_solver *w);

#endif
