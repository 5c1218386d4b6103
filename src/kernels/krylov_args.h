/* krylov_args.h - conjugate gradients for a batch of systems: the scalars, in the memory of the vectors.
 *
 * Every system (A + shift) x = b of a batch has its own vectors, shift, scalars and stopping point.  The systems
 * share the links, which one launch reads once for all.  One iteration computes, for all systems that are going:
 *     q = (A + shift) p;  <p, q> gives alpha
 *     r <- r - alpha q;  |r|^2 gives beta, the scalars of the other shifts, and whether this system continues
 *     new solutions and directions
 * No step waits for the host: each kernel reads the scalars that the kernel before has left in the state
 * (krylov_steps.h).  The batch stops soon after one of its systems has stopped.  The bits of a system do not depend
 * on the other systems of its batch; therefore systems that are still going stop only after whole rings and windows
 * (below). */
#ifndef KILN_KERNELS_KRYLOV_ARGS_H
#define KILN_KERNELS_KRYLOV_ARGS_H

#include "src/kernels/bicg_system.h"
#include "src/kernels/vector_args.h"

enum {
    BATCH_MAX = 16,                      /* systems of a batch */
    BATCH_MAX_RHS = 8,                  /* systems of one launch */
    KRYLOV_RING = 8,                     /* directions that are kept until they are added to the solution */
    KRYLOV_SUMS = 2,                     /* at most, for each system in one launch of conjugate gradients */
    BATCH_SUMS = 6                       /* at most, in one launch of any solver */
};

typedef enum {
    SYSTEM_GOING,
    SYSTEM_DONE,                         /* other shifts are frozen, and |r|^2 <= target or `alone` */
    SYSTEM_UPDATE,                       /* the true residual must replace r */
    SYSTEM_SPENT,                        /* no iterations left */
    SYSTEM_NEGATIVE,                     /* <p, A p> is not positive; no step was made */
    SYSTEM_NOT_FINITE,                   /* <p, A p> or |r|^2 is not finite */
    SYSTEM_BROKEN                        /* BiCGstab: a number to divide by is zero within rounding */
} system_status;

/* One of the other shifts of a system, in the same Krylov space (src/solvers/shifted_systems.h). */
typedef struct {
    double distance;                     /* from the shift of the base */
    double rho, zeta;
    double tolerance;                    /* frozen when zeta |r| / |b| is at most that */
    double residual;                     /* zeta |r| / |b| at its last update */
    int frozen_at;                       /* iteration; -1: not frozen */
} krylov_shift;

typedef struct {
    /* the request */
    double shift;
    double bb, target;                   /* |b|^2; |r|^2 to reach, of the base */
    double delta2;                       /* UPDATE when |r|^2 < delta2 top; 0: never */
    double rounding;                     /* of stored vectors: UPDATE by the estimate (krylov_steps.h); 0: without */
    int patience;                        /* UPDATE after this number of iterations; 0: never */
    int most;                            /* SPENT after this number of iterations */
    int polak_ribiere;                   /* which beta */
    int alone;                           /* DONE when only the base is left, for any residual */
    int in_ring;                         /* steps are noted for the ring */
    int windowed;                        /* steps are noted for the window */
    /* the present state */
    double rr, before;                   /* |r|^2 now, and before the latest step */
    double alpha, beta, former;          /* former: beta / alpha of the step before */
    double top;                          /* the largest |r|^2 since the latest update */
    double deviation;                    /* estimate of |r - true residual| since then */
    double curvature_per_bound, norm_per_bound;      /* of the next sums (exact_sum.h) */
    int status, stepped;                 /* stepped: the latest iteration has made a step */
    int steps, since;                    /* iterations; since the latest update */
    int reached_at;                      /* the first iteration with |r|^2 <= target; -1: none yet */
    int pending;                         /* steps in the ring that are not yet added to x */
    double taken[KRYLOV_RING];           /* their alphas */
    int in_window;                       /* steps of the current window */
    /* the other shifts */
    int shifts;
    krylov_shift other[SHIFTS_MAX];
    /* |r|^2 of each iteration, for studies: history_room numbers at the place of the state */
    double *history;
    int history_room;
} krylov_system;

/* Solutions and directions of many shifts are updated in windows of several steps.  The update is a linear
 * combination:
 *     x_k <- x_k + x_p p_k + sum_j x_r[j] r_j,   p_k <- p_p p_k + sum_j p_r[j] r_j,
 * with r_j the residuals of the base in these steps, which are kept.  x_k and p_k are read, written and rounded only
 * once in a window.
 * */
typedef struct { double x_p, p_p, x_r[KRYLOV_RING], p_r[KRYLOV_RING]; } krylov_window;

/* Where the blocks of a persistent kernel wait for each other; zero before each launch.  arrived: blocks, once for each
 * wait; opened: the number of the latest wait in which one block had something to do before the others went on. */
enum { GATE_APART = 15 };                /* the two numbers lie in different lines of the cache */
typedef struct { unsigned long long arrived, apart[GATE_APART], opened, apart_too[GATE_APART]; } persistent_gate;

typedef struct {
    int going;                           /* whether the batch is going */
    int count, number[BATCH_MAX];        /* the systems of the batch */
    unsigned long long ticket;           /* of the launches of a sum (krylov_finish.h) */
    sum_cell cell[BATCH_MAX][BATCH_SUMS];
    krylov_system system[BATCH_MAX];
    bicg_system bicg[BATCH_MAX];         /* more of the same systems, for BiCGstab */
    krylov_window window[BATCH_MAX][SHIFTS_MAX];     /* of the base (0) and the other shifts; never read by the host */
    persistent_gate gate;                /* of a kernel that runs the loop of the batch (kernels/persistent_args.h) */
} krylov_state;

/* The systems of one launch, by their numbers.  `last`: this is the last of the launches of a batch.  `full`: after
 * this pass of the loop body, the batch stops if any of its systems has stopped; after others, only if all have.
 * `sum_launches`: number of launches that add to one sum; the one that ends last computes the scalars; 0: a separate
 * launch computes them.  `part`: which of several equal sums of an iteration (bicg_args.h). */
typedef struct {
    krylov_state *state;
    int count, last, full, sum_launches, part, unused;
    int number[BATCH_MAX_RHS];
} krylov_batch;

/* The sums of an iteration; and what follows from each, in a launch of its own (krylov_finish.c). */
typedef enum { KRYLOV_CURVATURE, KRYLOV_RESIDUAL, BICG_SHADOW, BICG_GRAM, BICG_CYCLE, KRYLOV_SUM_KINDS } krylov_sum;
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

/* vector_batch_shift: q <- factor q + shift p, shift that of the system, while the batch is going */
typedef struct {
    krylov_batch b;
    double factor;
    vector_view q[BATCH_MAX_RHS], p[BATCH_MAX_RHS];
} batch_shift_args;

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
