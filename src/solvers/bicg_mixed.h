/* bicg_mixed.h - BiCGstab(l) with reliable updates for (A + shift) x = b, for any A: cycles in low precision (or in the
 * precision of the results), results as accurate as in high precision.
 *
 * It shares tasks, rules and records with conjugate gradients in mixed precision (cg_mixed.h); bicg_mixed.c has the
 * algorithm.  An iteration has two products with A, the cost of one product with A^+A.  A solve that did not converge
 * is a result: its record has the reason. */
#ifndef KILN_SOLVERS_BICG_MIXED_H
#define KILN_SOLVERS_BICG_MIXED_H

#include "src/solvers/bicg.h"
#include "src/solvers/cg_mixed.h"

/* The working vectors for `slots` systems at once, like `low`.  `high` is borrowed, and has at least `slots` slots. */
typedef struct {
    cg_space *high;                  /* borrowed; r: true residuals, more: the best solutions so far */
    int order, slots;
    krylov *engine;
    vec *shadow[BATCH_MAX_RHS], *r[BATCH_MAX_RHS][BICG_POWERS], *u[BATCH_MAX_RHS][BICG_POWERS];
    vec *terms[BATCH_MAX_RHS];       /* bicg_terms_create */
    vec *x[BATCH_MAX_RHS];           /* for rules without MIXED_HIGH_SOLUTION; created on first use */
} bicg_space;
bicg_space *bicg_space_create(cg_space *high, const vec *low, int order, int slots);
void bicg_space_free(bicg_space *w);
/* Number of vectors in format f whose memory holds all vectors of a slot. */
int bicg_space_vectors(int order, vector_format f);

/* For half: a native vector in single precision on the sites of `low`, which sums the terms of x between true residuals
 * and is then added to x.  For other formats NULL: x itself sums them.  To be freed by the caller. */
vec *bicg_terms_create(const vec *low);

/* An operator in low precision.  If this precision is not sufficient, `next` is used; NULL: the task fails. */
typedef struct bicg_low bicg_low;
struct bicg_low { const linop *op; bicg_space *space; const bicg_low *next; };

/* Solves many tasks, at most low->space->slots of them at once.  The bits of each solution are those of a separate
 * solve.  task.direction is not used; result.solve.restarts: shadow residuals after the first one. */
void bicg_solve_batch(const linop *high, const bicg_low *low, mixed_task *task, int tasks, const mixed_rule *rule);

#endif
