/* krylov_engine.h - the state of a batch of Krylov spaces (kernels/krylov_args.h), for the solvers that iterate them:
 * conjugate gradients (krylov.h) and BiCGstab(l) (bicg.h). */
#ifndef KILN_SOLVERS_KRYLOV_ENGINE_H
#define KILN_SOLVERS_KRYLOV_ENGINE_H

#include "src/halo/loop.h"
#include "src/kernels/krylov_args.h"

/* Which launches compute the scalars of an iteration from its sums: the summing kernels, or separate launches. */
typedef enum { FINISH_IN_KERNEL, FINISH_ALONE } krylov_finish;

typedef struct {
    place where;
    krylov_finish finish;
    const comm *ranks;                       /* borrowed */
    krylov_state *state;                     /* the host's copy */
    krylov_state *there;                     /* the copy at the place of the vectors; on the CPU the same pointer */
    double *history;
    int history_capacity;
    loop *loop;
} krylov;
/* For vectors on `l`.  If `l` has several ranks, separate launches (FINISH_ALONE) add the sums of the ranks. */
krylov *krylov_create(const lattice *l, place where, krylov_finish finish);
void krylov_free(krylov *k);
size_t krylov_bytes(void);                   /* size of its memory at the place of the vectors */

/* The loop of the iterations; borrowed, to set and read its loop_way. */
loop *krylov_loop(const krylov *k);

/* The host's copy of a system, which the caller may change between runs.  krylov_begin sets it up for a residual with
 * |r|^2 = rr and iterations until |r|^2 <= target, without other shifts, updates or a limit of steps.  The caller sets
 * the first direction (with a ring: ring[0]). */
krylov_system *krylov_system_of(krylov *k, int number);
krylov_system *krylov_begin(krylov *k, int number, double shift, double bb, double rr, double target);

/* The caller calls this after it has replaced the directions and the residual, now with |r|^2 = rr: the system then
 * continues. */
void krylov_replaced(krylov_system *s, double rr);

/* krylov_note_history: records |r|^2 of each step from now on, for at most `capacity` steps.  krylov_history: rr[] <-
 * the recorded values of steps from .. upto - 1. */
void krylov_note_history(krylov *k, int number, int capacity);
void krylov_history(krylov *k, int number, int from, int upto, double *rr);

/* ---- for solvers */

/* A batch, divided into pieces with one kernel launch each.  first[i]: index of the first system of piece i.
 * krylov_cut: the pieces of systems number[0 .. count-1], of at most max_rhs systems each; full: of krylov_batch. */
typedef struct { int count; krylov_batch piece[BATCH_MAX]; int first[BATCH_MAX]; } krylov_pieces;
krylov_pieces krylov_cut(krylov *k, const int *number, int count, int max_rhs, bool full);

/* Adds the launch that computes scalars from the sums of a piece, unless the summing kernels do so themselves. */
void krylov_add_reduction(krylov *k, krylov_sum sum, const krylov_batch *b);

/* Prepares the state of a batch for a run; sets state->going if all of its systems are going. */
void krylov_prepare(krylov *k, const int *number, int count);

#endif
