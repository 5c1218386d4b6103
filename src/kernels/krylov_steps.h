/* krylov_steps.h - the scalars of conjugate gradients, between the kernels of an iteration: by whoever comes last.
 *
 * All in double; only + - * / and square roots: the same bits on CPU and GPU.  The functions for one system, or one of
 * its shifts, may run side by side for different ones. */
#ifndef KILN_KERNELS_KRYLOV_STEPS_H
#define KILN_KERNELS_KRYLOV_STEPS_H

#include "src/kernels/krylov_args.h"

#ifdef __CUDACC__
#define KRYLOV_FN static __device__ inline
#else
#define KRYLOV_FN static inline __attribute__((unused))
#endif

KRYLOV_FN double square_root_of(double x)
{
#ifdef __CUDACC__
    return __dsqrt_rn(x);
#else
    return __builtin_sqrt(x);
#endif
}

KRYLOV_FN bool is_finite(double x)
{
    return x - x == 0;
}

/* A sum of terms under 1 / per_bound; its cell is empty afterwards.  NaN where terms were refused. */
KRYLOV_FN double take_sum(sum_cell *cell, double per_bound)
{
    volatile sum_cell *shared = cell;                /* other threads have added to it */
    sum_cell mine;
    for (int i = 0; i < 3; i++) {
        mine.word[i] = shared->word[i];
        shared->word[i] = 0;
    }
    mine.refused = shared->refused;
    shared->refused = 0;
    return sum_cell_value(&mine, SUM_WORD / per_bound);
}

/* After q = (A + shift) p: <p, q>. */
KRYLOV_FN void krylov_curvature_is(krylov_system *s, double curvature)
{
    s->stepped = 0;
    s->alpha = 0;
    if (s->status != SYSTEM_GOING)
        return;
    if (!(curvature > 0 && is_finite(curvature))) {
        s->status = is_finite(curvature) ? SYSTEM_NEGATIVE : SYSTEM_NO_NUMBER;
        return;
    }
    s->alpha = s->rr / curvature;
    s->stepped = 1;
    s->norm_per_bound = SUM_WORD / sum_bound_guessed(s->rr);
}

/* Cell 0 is <p, q>. */
KRYLOV_FN void krylov_curvature_known(krylov_state *state, int number)
{
    krylov_system *s = &state->system[number];
    krylov_curvature_is(s, take_sum(&state->cell[number][0], s->curvature_per_bound));
}

/* After r <- r - alpha q: |r|^2 and Re r^+ (r - r before).  Then krylov_shift_stepped for each of the other shifts, and
 * krylov_decided. */
KRYLOV_FN void krylov_residual_is(krylov_system *s, double norm2, double change)
{
    if (!s->stepped)
        return;
    if (!is_finite(norm2)) {
        s->status = SYSTEM_NO_NUMBER;
        s->stepped = 0;
        return;
    }
    s->before = s->rr;
    s->rr = norm2;
    s->beta = (s->polak_ribiere && is_finite(change) && change >= 0 ? change : norm2) / s->before;
    if (s->history && s->steps < s->history_room)
        s->history[s->steps] = norm2;
    s->steps++;
    s->since++;
    if (s->in_ring) {
        if (s->pending == KRYLOV_RING)
            s->pending = 0;                       /* x has taken them all */
        s->taken[s->pending++] = s->alpha;
    }
    if (norm2 > s->top)
        s->top = norm2;
    if (s->patience > 0 && s->since >= s->patience)
        s->status = SYSTEM_UPDATE;
    if (norm2 < s->delta2 * s->top)
        s->status = SYSTEM_UPDATE;
}

/* Cells 0 and 1 are they. */
KRYLOV_FN void krylov_residual_known(krylov_state *state, int number)
{
    krylov_system *s = &state->system[number];
    double norm2 = take_sum(&state->cell[number][0], s->norm_per_bound);
    krylov_residual_is(s, norm2, take_sum(&state->cell[number][1], s->norm_per_bound));
}

/* rho and zeta of this step; frozen, unless the residual is to be replaced first. */
KRYLOV_FN void krylov_shift_stepped(krylov_system *s, int k)
{
    krylov_shift *o = &s->other[k];
    if (!s->stepped || o->frozen_at >= 0)
        return;
    o->rho = 1 / (1 + o->distance * s->alpha + s->alpha * s->former * (1 - o->rho));
    o->zeta *= o->rho;
    o->residual = o->zeta * square_root_of(s->rr / s->bb);
    if (s->status == SYSTEM_GOING && o->residual <= o->tolerance)
        o->frozen_at = s->steps;
}

/* What all its shifts together say; and of the next iteration. */
KRYLOV_FN void krylov_decided(krylov_system *s)
{
    int left = 0;
    if (!s->stepped)
        return;
    for (int k = 0; k < s->shifts; k++)
        left += s->other[k].frozen_at < 0;
    if (s->reached_at < 0 && s->rr <= s->target)
        s->reached_at = s->steps;
    if (left == 0 && (s->alone || s->rr <= s->target) && s->status != SYSTEM_UPDATE)
        s->status = SYSTEM_DONE;
    else if (s->status == SYSTEM_GOING && s->steps >= s->most)
        s->status = SYSTEM_SPENT;
    s->former = s->beta / s->alpha;
    s->curvature_per_bound = SUM_WORD / sum_bound_guessed(s->rr / s->alpha);
}

/* After the last system of the batch: it goes on if all of them do. */
KRYLOV_FN void krylov_iteration_ends(krylov_state *state)
{
    int going = 1;
    for (int n = 0; n < state->count; n++)
        going &= state->system[state->number[n]].status == SYSTEM_GOING;
    state->going = going;
}

#endif
