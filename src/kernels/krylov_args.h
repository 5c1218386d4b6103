/* krylov_args.h - conjugate gradients for a batch of systems: the numbers that live where the iteration runs.
 *
 * Every system (A + shift) x = b of a batch has its own vectors, shift, scalars and end; they share the links, which
 * are read once for all of one launch.  One iteration is, for all systems that are going,
 *     q = (A + shift) p;  <p, q>: alpha
 *     r <- r - alpha q;  |r|^2: beta, what the other shifts make of it, and whether this system goes on
 *     its solutions and directions
 * and nobody waits for a number: each kernel reads what the one before has left in the state (krylov_steps.h), at the
 * place where the vectors are.  The batch stops for the host soon after one of its systems has.  What a system goes
 * through does not depend on the others in its batch, to the last bit: so those that are going stop after whole rings
 * and windows (below) only. */
#ifndef KILN_KERNELS_KRYLOV_ARGS_H
#define KILN_KERNELS_KRYLOV_ARGS_H

#include "src/kernels/vector_args.h"

enum {
    BATCH_MAX = 16,                      /* systems of a batch */
    BATCH_MAX_RHS = 8,                  /* of one launch */
    KRYLOV_RING = 8,                     /* directions that are kept before the solution takes them */
    KRYLOV_SUMS = 2                      /* at most, for each system in one launch */
};

typedef enum {
    SYSTEM_GOING,
    SYSTEM_DONE,                         /* |r|^2 <= target, or `alone`: all but the base are frozen; or all of both */
    SYSTEM_UPDATE,                       /* the residual is to be replaced by the true one */
    SYSTEM_SPENT,                        /* no iterations left */
    SYSTEM_NEGATIVE,                     /* <p, A p> is not positive; no step was made */
    SYSTEM_NO_NUMBER                     /* <p, A p> or |r|^2 is not a number */
} system_status;

/* One of the other shifts of a system, which lives in its Krylov space (src/solvers/shifted_systems.h). */
typedef struct {
    double distance;                     /* from the shift of the base */
    double rho, zeta;
    double tolerance;                    /* frozen when zeta |r| / |b| is at most that */
    double residual;                     /* what it was when it was last updated */
    int frozen_at;                       /* iteration; -1: not frozen */
} krylov_shift;

typedef struct {
    /* what is asked */
    double shift;
    double bb, target;                   /* |b|^2; |r|^2 to reach, of the base */
    double delta2;                       /* UPDATE when |r|^2 < delta2 top; 0: never */
    int patience;                        /* UPDATE after so many iterations; 0: never */
    int most;                            /* SPENT after so many */
    int polak_ribiere;                   /* which beta */
    int alone;                           /* DONE when only the base is left, whatever its residual */
    int in_ring;                         /* steps are noted for the ring */
    int windowed;                        /* steps are noted for the window */
    /* where it is */
    double rr, before;                   /* |r|^2 now, and before the latest step */
    double alpha, beta, former;          /* former: beta / alpha of the step before */
    double top;                          /* the largest |r|^2 since the latest update */
    double curvature_per_bound, norm_per_bound;      /* of the sums to come (exact_sum.h) */
    int status, stepped;                 /* stepped: the latest iteration has made a step */
    int steps, since;                    /* iterations; since the latest update */
    int reached_at;                      /* the first iteration with |r|^2 <= target; -1: none yet */
    int pending;                         /* steps that x has not taken from the ring yet */
    double taken[KRYLOV_RING];           /* their alphas */
    int in_window;                       /* steps of the window at work */
    /* the other shifts */
    int shifts;
    krylov_shift other[SHIFTS_MAX];
    /* |r|^2 of each iteration, for whoever wants to see them: room for history_room, at the place of the state */
    double *history;
    int history_room;
} krylov_system;

/* Solutions and directions of many shifts move in windows of several steps.  What they become is known before they do:
 *     x_k <- x_k + x_p p_k + sum_j x_r[j] r_j,   p_k <- p_p p_k + sum_j p_r[j] r_j,
 * r_j the base's residuals of these steps, which are kept; so x_k and p_k are read, written and rounded once a window.
 */
typedef struct { double x_p, p_p, x_r[KRYLOV_RING], p_r[KRYLOV_RING]; } krylov_window;

typedef struct {
    int going;                           /* the batch is */
    int count, number[BATCH_MAX];        /* which they are */
    unsigned long long ticket;           /* of the launches of a sum (krylov_finish.h) */
    sum_cell cell[BATCH_MAX][KRYLOV_SUMS];
    krylov_system system[BATCH_MAX];
    krylov_window window[BATCH_MAX][SHIFTS_MAX];     /* of the base (0) and the other shifts; never read by the host */
} krylov_state;

/* The systems of one launch, by their numbers.  `last`: of the launches that a batch is cut into, the last one; `full`:
 * of the passes that are repeated, one after which the batch stops if any of its systems has stopped: else when all
 * have.  `sum_launches`: the launches that add to one sum, of which the one that ends last finishes its scalars; 0: a
 * launch of its own will. */
typedef struct {
    krylov_state *state;
    int count, last, full, sum_launches;
    int number[BATCH_MAX_RHS];
} krylov_batch;

/* The sums of an iteration; and what follows from each, in a launch of its own (krylov_finish.c). */
typedef enum { KRYLOV_CURVATURE, KRYLOV_RESIDUAL, KRYLOV_SUM_KINDS } krylov_sum;
typedef void krylov_finish_fn(const krylov_batch *b, void *stream);

/* vector_batch_curvature: <p, q>, q = (C^+C + shift) p, which becomes the system's alpha; of c = C p where it has no
 * shift */
typedef struct {
    krylov_batch b;
    vector_view c[BATCH_MAX_RHS], p[BATCH_MAX_RHS], q[BATCH_MAX_RHS];
} batch_curvature_args;

/* vector_batch_residual: r <- from - alpha q; |r|^2, Re r^+ (r - from); r may be where `from` is */
typedef struct {
    krylov_batch b;
    vector_view r[BATCH_MAX_RHS], from[BATCH_MAX_RHS], q[BATCH_MAX_RHS];
} batch_residual_args;

/* vector_batch_direction: p <- r + beta `from`, of the systems that are going; p may be where `from` is */
typedef struct {
    krylov_batch b;
    vector_view p[BATCH_MAX_RHS], r[BATCH_MAX_RHS], from[BATCH_MAX_RHS];
} batch_direction_args;

/* vector_batch_gather: y <- y + unit sum_j taken_j ring_j in double, when the ring is full; y is native, in the
 * precision of the kernel or in the other one */
typedef struct {
    krylov_batch b;
    bool y_is_other;
    double unit[BATCH_MAX_RHS];
    vector_view y[BATCH_MAX_RHS], ring[BATCH_MAX_RHS][KRYLOV_RING];
} batch_gather_args;

/* vector_shifts_update, of one system: x_k <- x_k + alpha_k p_k, then p_k <- zeta_k r + beta_k p_k if it is going, for
 * the base (k = 0) and the others that were not frozen before this iteration */
typedef struct { krylov_state *state; int number; vector_view r, x[SHIFTS_MAX], p[SHIFTS_MAX]; } shifts_update_args;

/* vector_shifts_window, of one system: the window above, of x of the base (k = 0; p_k is its direction at the beginning
 * of the window, and stays) and of x and p of the others.  When the window has just become full, or `always`. */
typedef struct {
    krylov_state *state;
    int number, always;
    vector_view r[KRYLOV_RING], x[SHIFTS_MAX], p[SHIFTS_MAX];
} shifts_window_args;

#endif
