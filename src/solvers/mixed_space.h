/* mixed_space.h - what solvers in mixed precision share: vectors, true residuals, and the test whether updates help. */
#ifndef KILN_SOLVERS_MIXED_SPACE_H
#define KILN_SOLVERS_MIXED_SPACE_H

#include "src/lattice/vec_mixed.h"
#include "src/solvers/cg_space.h"
#include "src/solvers/mixed_rule.h"

/* Working vectors.  `high` is borrowed.  MIXED_VECTORS vectors like `low` are created for each of `slots` systems that
 * are solved at once; `high` must have at least as many slots. */
enum { MIXED_VECTORS = KRYLOV_RING + 3 };
typedef struct mixed_space mixed_space;
mixed_space *mixed_space_create(cg_space *high, const vec *low);                 /* one slot */
mixed_space *mixed_space_create_batch(cg_space *high, const vec *low, int slots);
void mixed_space_free(mixed_space *w);

struct mixed_space {
    cg_space *high;                  /* borrowed; r: true residuals, more: the best solutions so far */
    int slots;
    krylov *engine;
    vec *r[BATCH_MAX_RHS], *q[BATCH_MAX_RHS], *ring[BATCH_MAX_RHS][KRYLOV_RING];
    vec *residuals[BATCH_MAX_RHS][KRYLOV_RING], *turn[BATCH_MAX_RHS][2];   /* for step groups (krylov.h): the same
                                                                             * vectors, and turn[1] */
};

/* A system in a slot, and the residual of x.  In low precision, all vectors are multiplied by `scale`, a power of two
 * that makes b of order 1 at each site: the exponents of single precision do not suffice for every b. */
typedef struct {
    int slot;
    vec *x;
    double shift;
    const vec *b;
    double scale, bb, rr;            /* bb and rr: |b|^2 and |r|^2 in those units */
} mixed_system;

/* For b with |b|^2 = bb; rr is set for x = 0. */
mixed_system mixed_system_of(int slot, vec *x, double shift, const vec *b, double bb);

/* r <- b - (A + shift) x, in high precision and (rounded) in the slot of w, and sets rr.  For several systems at
 * once. */
void mixed_true_residuals(mixed_space *w, const linop *high, mixed_system *const *s, int count);
void mixed_true_residual(mixed_space *w, const linop *high, mixed_system *s);

/* Progress from one update of the residual to the next: |r|^2 at the start, and |r|^2 when |r| was last found to be at
 * most half of its value before. */
typedef struct { double start, halved; int increases, fruitless; } mixed_progress;
mixed_progress mixed_progress_from(double rr);

/* Takes note of an update with the true |r|^2 = rr; the failure that it shows, or NO_FAILURE. */
mixed_failure mixed_progress_seen(mixed_progress *p, const mixed_rule *rule, double rr);

/* p <- z r + beta p; p is borrowed. */
typedef struct { vec *p; double z, beta; } mixed_direction;

/* The directions after an update to r, |r|^2 = rr.  With MIXED_REPROJECTION each p is first made orthogonal to r. */
void mixed_directions(const mixed_direction *d, int count, const vec *r, double rr, const mixed_rule *rule,
                      mixed_record *record);

/* When a system with vectors like `low` is to stop for an update, by a method. */
void mixed_set_updates(krylov_system *state, const mixed_rule *rule, mixed_method method, const vec *low);

/* The failure that the status of a stopped system means. */
mixed_failure mixed_failure_of(int status);

#endif
