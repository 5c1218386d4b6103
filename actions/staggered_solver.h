/* staggered_solver.h - the solves of a monomial of staggered quarks: all shifts at once, of the fields that share links
 * together, in double or mixed precision.
 *
 * Each role has its kind of solver (solver_choice.h).  Where the precision of single systems does not suffice, that of
 * the common Krylov spaces takes over, and then double. */
#ifndef KILN_ACTIONS_STAGGERED_SOLVER_H
#define KILN_ACTIONS_STAGGERED_SOLVER_H

#include "actions/roles.h"
#include "actions/solver_choice.h"
#include "src/operators/staggered.h"
#include "src/solvers/cg_mixed.h"

typedef struct staggered_solver staggered_solver;

/* What it is made for: a kind for each role, none of them SOLVER_ADAPTIVE; `fields` (at most BATCH_TOGETHER) with at
 * most `shifts` systems each. */
typedef struct { solver_kind kind[ROLES]; int fields, shifts; } staggered_solver_size;

/* Memory for solves with the links `s`; that for more shifts is made when they are asked for. */
staggered_solver *staggered_solver_create(const staggered_links *s, const gauge *u, staggered_solver_size size);
void staggered_solver_free(staggered_solver *w);
void staggered_solver_reserve(staggered_solver *w, int shifts);
size_t staggered_solver_bytes(const staggered_links_params *p, const lattice_shape *shape, staggered_solver_size size);

/* One field's systems, and what came of them. */
typedef struct {
    const shifted *system;
    int count;
    const vec *b;
    multishift_result result;
    mixed_record record;                                  /* of a mixed solver */
} staggered_solve;

/* (K + shift_k) x_k = b on even sites for the links of a set, from zero; `fields` of them, with the kind of the role.
 * Every true residual is computed, and reached; but the residuals of forces in double are those of the iteration. */
void staggered_solver_run(staggered_solver *w, int set, int role, staggered_solve *solve, int fields,
                          int max_iterations);

/* Borrowed, until the next run, of the i-th field of a run: the solutions; as many vectors more, free to use.  A
 * vector on the odd sites. */
vec *const *staggered_solver_x(const staggered_solver *w, int i);
vec *const *staggered_solver_room(const staggered_solver *w, int i);
vec *staggered_solver_odd(const staggered_solver *w);
cg_space *staggered_solver_space(const staggered_solver *w);

#endif
