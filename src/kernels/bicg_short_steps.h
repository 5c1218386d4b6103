/* bicg_short_steps.h - the scalars of a short cycle of BiCGstab (bicg_short_args.h). */
#ifndef KILN_KERNELS_BICG_SHORT_STEPS_H
#define KILN_KERNELS_BICG_SHORT_STEPS_H

#include "src/kernels/bicg_short_args.h"
#include "src/kernels/krylov_finish.h"

/* |r_0 - g r_1|^2 is computed as a difference, which rounding may make too small or negative.  It is set to at least
 * this part of |r_0|^2, which is below the rounding of half. */
#define BICG_LEAST_LEFT 0x1p-32

/* (r_1, r_0), (s, r_1); |r_1|^2, |r_0|^2 */
typedef struct { krylov_complex across, shadow; double power2, norm2; } bicg_minimum_sums;

KRYLOV_FN bicg_minimum_sums bicg_pop_minimum(krylov_state *state, int number)
{
    enum { CELLS = 6 };
    const double per_bound = state->system[number].norm_per_bound, weight = state->bicg[number].weight;
    sum_cell cell[CELLS];
    bicg_minimum_sums of;
    for (int i = 0; i < CELLS; i++)
        cell[i] = pop_cell(&state->cell[number][i]);
    of.across = complex_of(cell_value(cell[0], per_bound), cell_value(cell[1], per_bound));
    of.power2 = cell_value(cell[2], per_bound);
    of.norm2 = cell_value(cell[3], per_bound);
    of.shadow = complex_of(cell_value(cell[4], per_bound) / weight, cell_value(cell[5], per_bound) / weight);
    return of;
}

/* Computes g, |r_0|^2, rho and beta at the end of a cycle, and decides whether another cycle follows. */
KRYLOV_FN void bicg_set_minimum(krylov_system *s, bicg_system *b, bicg_minimum_sums of)
{
    if (s->status == SYSTEM_GOING
        && !(complex_is_finite(of.across) && complex_is_finite(of.shadow) && is_finite(of.power2 + of.norm2)))
        s->status = SYSTEM_NOT_FINITE;
    else if (s->status == SYSTEM_GOING && !(of.power2 > 0))
        s->status = SYSTEM_BROKEN;
    if (s->status != SYSTEM_GOING) {
        krylov_clear_step(s);                                /* no vector of this cycle is added to x */
        return;
    }
    const krylov_complex g = complex_of(of.across.re / of.power2, of.across.im / of.power2);
    const double left2 = of.norm2 - complex_norm2(of.across) / of.power2, least = BICG_LEAST_LEFT * of.norm2;
    b->g[0] = g;
    bicg_set_cycle(s, b, complex_times(complex_of(-g.re, -g.im), of.shadow), left2 > least ? left2 : least);
}

/* Called by all `threads` threads of one block, as the functions of krylov_finish.h. */
KRYLOV_FN void bicg_minimum_finish(const krylov_batch *b, bool going, int thread, int threads)
{
    for (int n = thread; n < b->count; n += threads) {
        krylov_system *s = &b->state->system[b->number[n]];
        if (going) {
            bicg_set_minimum(s, &b->state->bicg[b->number[n]], bicg_pop_minimum(b->state, b->number[n]));
            krylov_set_scalars(s);
        } else
            krylov_clear_step(s);
    }
    BLOCK_BARRIER();
    if (going && thread == 0 && b->last)
        krylov_iteration_ends(b->state, b->full != 0);
}

#endif
