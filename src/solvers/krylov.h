/* krylov.h - Krylov spaces of a batch of systems at work: conjugate gradients in lockstep, without the host.
 *
 * The scalars are in a state (kernels/krylov_args.h) where the vectors are; the host has a copy of it, which it reads
 * and changes between runs.  A run goes on until a system of the batch wants the host: it is done, or its residual is
 * to be replaced, or no step can be made; and, with rings or windows, until those of the others are full. */
#ifndef KILN_SOLVERS_KRYLOV_H
#define KILN_SOLVERS_KRYLOV_H

#include "src/lattice/vec_batch.h"
#include "src/operators/linop.h"

/* Who makes an iteration's scalars of its sums: the kernels that have summed, or launches of their own. */
typedef enum { FINISH_IN_KERNEL, FINISH_ALONE } krylov_finish;

typedef struct krylov krylov;
krylov *krylov_create(place where, krylov_finish finish);
void krylov_free(krylov *k);
size_t krylov_bytes(void);                   /* that it takes where the vectors are */

/* The vectors of a system, all alike, but y. */
typedef struct {
    vec *r, *q;                              /* the residual; scratch */
    vec *const *ring;                        /* KRYLOV_RING directions, or NULL */
    vec *y;                                  /* with a ring: the solution, in high precision ... */
    double unit;                             /* ... which gets so much of each step */
    int count;                               /* without a ring: the base and the other shifts, ... */
    vec *const *x, *const *p;                /* ... their solutions and directions, in the order of the system */
    vec *const *residuals, *const *turn;     /* to move them in windows: KRYLOV_RING residuals, the last one r, and */
} krylov_vectors;                            /* two directions; else NULL */

/* The host's copy of a system, to be changed between runs.  krylov_begin sets it up for a residual with |r|^2 = rr, to
 * be iterated until |r|^2 <= target: no other shifts, no updates, no limit of steps.  Its direction (with a ring, in
 * place 0) is the caller's. */
krylov_system *krylov_system_of(krylov *k, int number);
krylov_system *krylov_begin(krylov *k, int number, double shift, double bb, double rr, double target);

/* Another shift; it is frozen if |r| / |b| is small enough already. */
void krylov_add_shift(krylov_system *s, double shift, double tolerance);

/* After the residual has been replaced by one with |r|^2 = rr, and the directions with it: the system goes on. */
void krylov_replaced(krylov_system *s, double rr);

/* From here on |r|^2 of each step is noted, for at most `room` steps; and what was noted of steps from .. upto - 1. */
void krylov_note_history(krylov *k, int number, int room);
void krylov_history(krylov *k, int number, int from, int upto, double *rr);

/* Iterates systems number[0 .. count-1]; v[i] are the vectors of system number[i].  At least one of them is no longer
 * going afterwards. */
void krylov_run(krylov *k, const linop *a, const int *number, const krylov_vectors *v, int count);

/* out_i <- (A + shift_i) in_i, links read once for many; the systems are overwritten. */
void krylov_apply(krylov *k, const linop *a, vec *const *out, const double *shift, vec *const *in, int count);

/* With a ring, after a run, of a system that has stopped: y has all steps.  Returns the place of the direction of the
 * latest step. */
int krylov_settle(krylov *k, int number, const krylov_vectors *v);

/* With windows, the same: solutions and directions have all steps; the residual does not. */
void krylov_settle_windows(krylov *k, int number, const krylov_vectors *v);

#endif
