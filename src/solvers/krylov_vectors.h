/* krylov_vectors.h - the vectors of a Krylov space of conjugate gradients (krylov.h). */
#ifndef KILN_SOLVERS_KRYLOV_VECTORS_H
#define KILN_SOLVERS_KRYLOV_VECTORS_H

#include "src/halo/vec_batch.h"
#include "src/solvers/krylov_engine.h"

/* The vectors of a system, all of the same format and sites, except y. */
typedef struct {
    vec *r, *q;                              /* the residual; scratch */
    vec *const *ring;                        /* KRYLOV_RING directions, or NULL */
    vec *y;                                  /* with a ring: the solution, in high precision */
    double unit;                             /* with a ring: factor of each step that is added to y */
    int count;                               /* without a ring: number of shifts, the base included */
    vec *const *x, *const *p;                /* solutions and directions of the shifts, in the order of the system */
    vec *const *residuals;                   /* with step groups: KRYLOV_RING residuals, the last one r; else NULL */
    vec *const *alternate;                   /* with step groups: two directions; else NULL */
} krylov_vectors;

/* The vector with the direction of a pass (an iteration of the loop body).  With step groups it is p[0] for the first
 * pass of a group, then alternate[1], alternate[0], alternate[1] and so on.  At the end of the group, the direction of
 * the next pass is written to p[0]. */
vec *krylov_direction_of(const krylov_vectors *v, int pass);

/* The vector with the residual after a pass. */
vec *krylov_residual_of(const krylov_vectors *v, int pass);

/* Solutions and directions of system `number`, for launches. */
shift_vectors krylov_shifts_of(int number, const krylov_vectors *v);

/* Updates solutions and directions by the steps of a step group, with the state at the place of the vectors. */
void krylov_apply_group(krylov *k, int number, const krylov_vectors *v);

#endif
