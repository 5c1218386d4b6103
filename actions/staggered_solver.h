/* staggered_solver.h - the solves of a monomial of staggered quarks: all shifts at once, in double or mixed precision.
 *
 * The name of a kind is that of its precisions: double alone, or double for residuals and solutions, the precision of
 * the common Krylov space, and that in which single systems are refined (src/solvers/cg_mixed.h).  What a kind reaches
 * is the same: true residuals in double. */
#ifndef KILN_ACTIONS_STAGGERED_SOLVER_H
#define KILN_ACTIONS_STAGGERED_SOLVER_H

#include "src/operators/staggered.h"
#include "src/solvers/cg_mixed.h"

extern const char *const staggered_solver_names[];        /* "double", "double-single", ..., NULL */

typedef struct staggered_solver staggered_solver;

/* Memory for solves with the links `s`, for `shifts` systems; more are made when they are asked for. */
staggered_solver *staggered_solver_create(const staggered_links *s, const gauge *u, int kind, int shifts);
void staggered_solver_free(staggered_solver *w);
void staggered_solver_reserve(staggered_solver *w, int shifts);
size_t staggered_solver_bytes(const staggered_links_params *p, const int extents[4], int kind, int shifts);

/* Copies of the links in other precisions: to be made when the links have been updated. */
void staggered_solver_update(staggered_solver *w);

/* (K + shift_k) x_k = b on even sites for the links of a set, from zero.  `verify`: every true residual is computed,
 * and reached; else those that the solver has by the way decide.  `record` (of a mixed solver; may be NULL) is added
 * to. */
multishift_result staggered_solver_run(staggered_solver *w, int set, const shifted *system, int count, const vec *b,
                                       int max_iterations, bool verify, mixed_record *record);

/* Borrowed, until the next run: the solutions; as many vectors more, free to use; a vector on the odd sites. */
vec *const *staggered_solver_x(const staggered_solver *w);
vec *const *staggered_solver_room(const staggered_solver *w);
vec *staggered_solver_odd(const staggered_solver *w);
cg_space *staggered_solver_space(const staggered_solver *w);

#endif
