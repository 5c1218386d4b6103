/* krylov_finish.h - computes the scalars of an iteration after a summing kernel: a function *_finish for each kind of
 * sum (FOR_KRYLOV_SUMS of krylov_args.h; bicg_short_steps.h has one more).
 *
 * If the cells are complete after the summing launches, the last block of these launches calls the function.  If the
 * cells must first be added over ranks, batch.sum_launches is 0, and a separate launch calls it (krylov_kinds.c). */
#ifndef KILN_KERNELS_KRYLOV_FINISH_H
#define KILN_KERNELS_KRYLOV_FINISH_H

#include "src/kernels/bicg_steps.h"

/* The ticket of a sum counts arrivals: the first block of each launch adds TICKET_LAUNCH - (blocks of the launch) + 1,
 * each other block adds 1.  All blocks have arrived when it is sum_launches TICKET_LAUNCH; it is then set to 0. */
#define TICKET_LAUNCH (1ull << 48)

KRYLOV_FN bool ticket_is_complete(unsigned long long ticket, const krylov_batch *b)
{
    return ticket == (unsigned long long)b->sum_launches * TICKET_LAUNCH;
}

/* Called by all `threads` threads of one block, each with its index `thread`.  `going`: whether the state was going
 * when the kernel began. */
KRYLOV_FN void curvature_finish(const krylov_batch *b, bool going, int thread, int threads)
{
    for (int n = thread; n < b->count; n += threads) {
        if (going)
            krylov_read_curvature(b->state, b->number[n]);
        else
            krylov_clear_step(&b->state->system[b->number[n]]);
    }
}

KRYLOV_FN void residual_finish(const krylov_batch *b, bool going, int thread, int threads)
{
    if (!going)
        return;
    for (int n = thread; n < b->count; n += threads)
        krylov_read_residual(b->state, b->number[n]);
    BLOCK_BARRIER();
    for (int i = thread; i < b->count * SHIFTS_MAX; i += threads)
        if (i % SHIFTS_MAX < b->state->system[b->number[i / SHIFTS_MAX]].shifts)
            krylov_shift_stepped(&b->state->system[b->number[i / SHIFTS_MAX]], i % SHIFTS_MAX);
    BLOCK_BARRIER();
    for (int n = thread; n < b->count; n += threads)
        krylov_set_scalars(&b->state->system[b->number[n]]);
    BLOCK_BARRIER();
    for (int i = thread; i < b->count * SHIFTS_MAX; i += threads) {
        const int number = b->number[i / SHIFTS_MAX], k = i % SHIFTS_MAX;
        const krylov_system *s = &b->state->system[number];
        if (s->in_groups && k <= s->shifts)
            krylov_add_to_group(s, &b->state->step_group[number][k], k);
    }
    if (thread == 0 && b->last)
        krylov_iteration_ends(b->state, b->full != 0);
}

/* The same for the sums of BiCGstab(l) (bicg_args.h). */
KRYLOV_FN void bicg_shadow_finish(const krylov_batch *b, bool going, int thread, int threads)
{
    for (int n = thread; going && n < b->count; n += threads)
        bicg_read_shadow(b->state, b->number[n], b->part);
}

KRYLOV_FN void bicg_gram_finish(const krylov_batch *b, bool going, int thread, int threads)
{
    for (int n = thread; going && n < b->count; n += threads)
        bicg_read_gram(b->state, b->number[n], b->part);
}

KRYLOV_FN void bicg_cycle_finish(const krylov_batch *b, bool going, int thread, int threads)
{
    if (!going)
        return;
    for (int n = thread; n < b->count; n += threads) {
        bicg_read_cycle(b->state, b->number[n]);
        krylov_set_scalars(&b->state->system[b->number[n]]);
    }
    BLOCK_BARRIER();
    if (thread == 0 && b->last)
        krylov_iteration_ends(b->state, b->full != 0);
}

#endif
