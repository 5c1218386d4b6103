/* krylov_args.h - conjugate gradients for a batch of systems: the scalars, in the memory of the vectors.
 *
 * Every system (A + shift) x = b of a batch has its own vectors, shift, scalars and stopping point.  The systems
 * share the links, which one launch reads once for all.  One iteration computes, for all systems that are going:
 *     q = (A + shift) p;  <p, q> gives alpha
 *     r <- r - alpha q;  |r|^2 gives beta, the scalars of the other shifts, and whether this system continues
 *     new solutions and directions
 * No step waits for the host: each kernel reads the scalars that the previous kernel has left in the state
 * (krylov_steps.h).  The batch stops soon after one of its systems has stopped.  The bits of a system do not depend on
 * the other systems of its batch; therefore systems that are still going stop only after complete rings and step groups
 * (below). */
#ifndef KILN_KERNELS_KRYLOV_ARGS_H
#define KILN_KERNELS_KRYLOV_ARGS_H

#include "src/kernels/bicg_system.h"
#include "src/kernels/vector_args.h"

enum {
    BATCH_MAX = 16,                      /* systems of a batch */
    BATCH_MAX_RHS = 8,                   /* systems of one launch */
    KRYLOV_RING = 8,                     /* the ring: directions that are kept until they are added to x */
    KRYLOV_SUMS = 2,                     /* most sums of a system in one launch of conjugate gradients */
    BATCH_SUMS = 6                       /* most sums of a system in one launch of any solver */
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
    double tolerance;                    /* frozen when zeta |r| / |b| is at most this */
    double residual;                     /* zeta |r| / |b| at its last update */
    int frozen_at;                       /* iteration; -1: not frozen */
} krylov_shift;

typedef struct {
    /* the request */
    double shift;
    double bb, target;                   /* |b|^2; |r|^2 that the base must reach */
    double delta2;                       /* UPDATE when |r|^2 < delta2 top; 0: never */
    double rounding;                     /* error of stored vectors: UPDATE as in krylov_steps.h; 0: never */
    int patience;                        /* UPDATE after this number of iterations; 0: never */
    int most;                            /* SPENT after this number of iterations */
    int polak_ribiere;                   /* which beta */
    int alone;                           /* DONE when all other shifts are frozen, whatever |r| is */
    int in_ring;                         /* steps are recorded in the ring */
    int in_groups;                       /* steps are recorded in the step group */
    /* the present state */
    double rr, before;                   /* |r|^2 now, and before the latest step */
    double alpha, beta, former;          /* former: beta / alpha of the step before */
    double top;                          /* the largest |r|^2 since the latest update */
    double deviation;                    /* estimate of |r - true residual| since the latest update */
    double curvature_per_bound, norm_per_bound;      /* of the next sums (exact_sum.h) */
    int status, stepped;                 /* stepped: the latest iteration has made a step */
    int steps, since;                    /* all iterations; iterations since the latest update */
    int reached_at;                      /* the first iteration with |r|^2 <= target; -1: none yet */
    int pending;                         /* steps in the ring that are not yet added to x */
    double ring_alpha[KRYLOV_RING];      /* their alphas */
    int steps_in_group;                  /* steps of the current group */
    /* the other shifts */
    int shifts;
    krylov_shift other[SHIFTS_MAX];
    /* |r|^2 of each iteration, for studies: history_capacity numbers in the same memory as the state */
    double *history;
    int history_capacity;
} krylov_system;

/* Solutions and directions of many shifts are updated in groups of several steps.  The update is a linear
 * combination:
 *     x_k <- x_k + x_p p_k + sum_j x_r[j] r_j,   p_k <- p_p p_k + sum_j p_r[j] r_j,
 * with r_j the residuals of the base in these steps, which are kept.  x_k and p_k are read, written and rounded only
 * once in a step group. */
typedef struct { double x_p, p_p, x_r[KRYLOV_RING], p_r[KRYLOV_RING]; } krylov_step_group;

/* Where the blocks of a persistent kernel wait for each other; zero before each launch.  arrived: one count for each
 * block and wait; opened: the number of the latest wait that ended after the work of one block. */
enum { GATE_APART = 15 };                /* the two numbers lie in different lines of the cache */
typedef struct { unsigned long long arrived, apart[GATE_APART], opened, apart_too[GATE_APART]; } persistent_gate;

typedef struct {
    int going;                           /* whether the batch is going */
    int count, number[BATCH_MAX];        /* the systems of the batch */
    unsigned long long ticket;           /* counts launches and blocks of a sum (krylov_finish.h) */
    sum_cell cell[BATCH_MAX][BATCH_SUMS];
    krylov_system system[BATCH_MAX];
    bicg_system bicg[BATCH_MAX];         /* further scalars of the same systems, for BiCGstab */
    krylov_step_group step_group[BATCH_MAX][SHIFTS_MAX];   /* of the base (0) and the other shifts; not for the host */
    persistent_gate gate;                /* of a kernel that runs the loop of the batch (kernels/persistent_args.h) */
} krylov_state;

/* The systems of one launch, a part of the batch. */
typedef struct {
    krylov_state *state;
    int count;                           /* systems of the launch; number[] has their numbers in the state */
    int last;                            /* whether this is the last launch for the batch */
    int full;                            /* 1: after this pass of the loop body the batch stops if any system has
                                          * stopped; 0: only if all have */
    int sum_launches;                    /* launches that add to one sum, of which the last to end computes the scalars;
                                          * 0: a separate launch computes them */
    int part;                            /* which of several sums of one kind in an iteration (bicg_args.h) */
    int unused;
    int number[BATCH_MAX_RHS];
} krylov_batch;

/* The kinds of sums of an iteration: KIND(name, number of sums of each system in a launch, function that computes the
 * scalars from them).  The number is at most BATCH_SUMS.  The functions are in krylov_finish.h and bicg_short_steps.h;
 * krylov_##function (krylov_kinds.c) is a separate launch of one, of type krylov_finish_fn. */
#define FOR_KRYLOV_SUMS(KIND)                                                                                          \
    KIND(KRYLOV_CURVATURE, 1, curvature_finish)                                                                        \
    KIND(KRYLOV_RESIDUAL, 2, residual_finish)                                                                          \
    KIND(BICG_SHADOW, 3, bicg_shadow_finish)                                                                           \
    KIND(BICG_GRAM, 2 * BICG_PRODUCTS, bicg_gram_finish)                                                               \
    KIND(BICG_CYCLE, 3, bicg_cycle_finish)                                                                             \
    KIND(BICG_MINIMUM, 6, bicg_minimum_finish)
#define KRYLOV_SUM_NAME(name, sums, finish) name,
typedef enum { FOR_KRYLOV_SUMS(KRYLOV_SUM_NAME) KRYLOV_SUM_KINDS } krylov_sum;
#undef KRYLOV_SUM_NAME
typedef void krylov_finish_fn(const krylov_batch *b, void *stream);

/* vector_batch_curvature: <p, q> with q = (C^+C + shift) p, from which the system's alpha follows; computed as |c|^2
 * with c = C p if the system has no shift */
typedef struct {
    krylov_batch b;
    vector_view c[BATCH_MAX_RHS], p[BATCH_MAX_RHS], q[BATCH_MAX_RHS];
} batch_curvature_args;

/* vector_batch_residual: r <- from - alpha q; |r|^2, Re r^+ (r - from); r and `from` may be the same */
typedef struct {
    krylov_batch b;
    vector_view r[BATCH_MAX_RHS], from[BATCH_MAX_RHS], q[BATCH_MAX_RHS];
} batch_residual_args;

/* vector_batch_direction: p <- r + beta `from`, for systems that are going; p and `from` may be the same */
typedef struct {
    krylov_batch b;
    vector_view p[BATCH_MAX_RHS], r[BATCH_MAX_RHS], from[BATCH_MAX_RHS];
} batch_direction_args;

/* vector_batch_shift: q <- factor q + shift p with the shift of the system, while the batch is going */
typedef struct {
    krylov_batch b;
    double factor;
    vector_view q[BATCH_MAX_RHS], p[BATCH_MAX_RHS];
} batch_shift_args;

/* vector_batch_gather: y <- y + unit sum_j alpha_j ring_j in double, when the ring is full; y is native, in the
 * precision of the kernel or in the other one */
typedef struct {
    krylov_batch b;
    bool y_is_other;
    double unit[BATCH_MAX_RHS];
    vector_view y[BATCH_MAX_RHS], ring[BATCH_MAX_RHS][KRYLOV_RING];
} batch_gather_args;

/* vector_shifts_update, for one system: x_k <- x_k + alpha_k p_k, then p_k <- zeta_k r + beta_k p_k if it is going, for
 * the base (k = 0) and for the shifts that were not frozen before this iteration */
typedef struct { krylov_state *state; int number; vector_view r, x[SHIFTS_MAX], p[SHIFTS_MAX]; } shifts_update_args;

/* vector_shifts_step_group, for one system: x of the base (k = 0; p_k is its direction when the step group begins, and
 * does not change), x and p of the others, as above.  Runs when the step group is complete, or if `always`. */
typedef struct {
    krylov_state *state;
    int number, always;
    vector_view r[KRYLOV_RING], x[SHIFTS_MAX], p[SHIFTS_MAX];
} shifts_step_group_args;

#endif
