/* krylov_steps.h - the scalars of conjugate gradients between the kernels of an iteration (krylov_finish.h calls
 * it).
 *
 * All numbers are in double, and the only operations are + - * / and square roots: CPU and GPU compute the same bits.
 * Functions of one system, or of one of its shifts, may run in parallel for different systems and shifts. */
#ifndef KILN_KERNELS_KRYLOV_STEPS_H
#define KILN_KERNELS_KRYLOV_STEPS_H

#include "src/kernels/krylov_args.h"

#define KRYLOV_FN TARGET_LARGE_FN

KRYLOV_FN bool is_finite(double x)
{
    return x - x == 0;
}

/* Returns the sum in a cell and clears the cell. */
KRYLOV_FN sum_cell pop_cell(sum_cell *cell)
{
    volatile sum_cell *shared = cell;                /* other threads have added to it */
    sum_cell mine;
    mine.word[0] = shared->word[0];
    mine.word[1] = shared->word[1];
    mine.word[2] = shared->word[2];
    mine.refused = shared->refused;
    shared->word[0] = shared->word[1] = shared->word[2] = shared->refused = 0;
    return mine;
}

/* The sum of terms below the bound SUM_WORD / per_bound; NaN if terms were refused. */
KRYLOV_FN double cell_value(sum_cell cell, double per_bound)
{
    return sum_cell_value(&cell, SUM_WORD / per_bound);
}

KRYLOV_FN void krylov_clear_step(krylov_system *s)
{
    s->stepped = 0;
}

/* After q = (A + shift) p, with curvature = <p, q>. */
KRYLOV_FN void krylov_set_curvature(krylov_system *s, double curvature)
{
    krylov_clear_step(s);
    if (s->status != SYSTEM_GOING)
        return;
    if (!(curvature > 0 && is_finite(curvature))) {
        s->alpha = 0;
        s->status = is_finite(curvature) ? SYSTEM_NEGATIVE : SYSTEM_NOT_FINITE;
        return;
    }
    s->alpha = s->rr / curvature;
    s->stepped = 1;
    s->norm_per_bound = SUM_WORD / sum_bound_guessed(s->rr);
}

/* Cell 0 is <p, q>. */
KRYLOV_FN void krylov_read_curvature(krylov_state *state, int number)
{
    krylov_system *s = &state->system[number];
    krylov_set_curvature(s, cell_value(pop_cell(&state->cell[number][0]), s->curvature_per_bound));
}

/* Takes |r|^2 after `steps` more iterations, which added vectors to r whose norms sum to `moved`.  Decides whether the
 * residual must be replaced.
 *
 * By H. A. van der Vorst and Q. Ye, SIAM J. Sci. Comput. 22 (2000) 835: each addition rounds its result and the product
 * with A, so r deviates from the true residual by at most the sum of rounding (|r| + |added vector|).  r must be
 * replaced before the deviation reaches |r|: when it exceeds the square root of `rounding` times |r|. */
KRYLOV_FN void krylov_progressed(krylov_system *s, double norm2, double moved, int steps)
{
    const double norm = square_root_of(norm2);
    s->rr = norm2;
    for (int i = 0; i < steps; i++, s->steps++)
        if (s->history && s->steps < s->history_capacity)
            s->history[s->steps] = norm2;
    s->since += steps;
    if (norm2 > s->top)
        s->top = norm2;
    s->deviation += s->rounding * (norm + moved);
    if (s->patience > 0 && s->since >= s->patience)
        s->status = SYSTEM_UPDATE;
    if (norm2 < s->delta2 * s->top)
        s->status = SYSTEM_UPDATE;
    if (s->rounding > 0 && s->deviation > square_root_of(s->rounding) * norm)
        s->status = SYSTEM_UPDATE;
}

/* After r <- r - alpha q, with norm2 = |r|^2 and change = Re r^+ (r - previous r).  The next calls are
 * krylov_shift_stepped for each of the other shifts, and krylov_set_scalars. */
KRYLOV_FN void krylov_set_residual(krylov_system *s, double norm2, double change)
{
    if (!s->stepped)
        return;
    if (!is_finite(norm2)) {
        s->status = SYSTEM_NOT_FINITE;
        s->stepped = 0;
        return;
    }
    s->before = s->rr;
    s->beta = (s->polak_ribiere && is_finite(change) && change >= 0 ? change : norm2) / s->before;
    if (s->in_ring) {
        if (s->pending == KRYLOV_RING)
            s->pending = 0;                       /* all are added to x */
        s->ring_alpha[s->pending++] = s->alpha;
    }
    if (s->in_groups) {
        if (s->steps_in_group == KRYLOV_RING)
            s->steps_in_group = 0;                     /* all vectors are updated */
        s->steps_in_group++;
    }
    krylov_progressed(s, norm2, square_root_of(s->before) + square_root_of(norm2), 1);
}

/* Cell 0 is |r|^2, cell 1 is Re r^+ (r - previous r). */
KRYLOV_FN void krylov_read_residual(krylov_state *state, int number)
{
    krylov_system *s = &state->system[number];
    sum_cell norm2 = pop_cell(&state->cell[number][0]), change = pop_cell(&state->cell[number][1]);
    krylov_set_residual(s, cell_value(norm2, s->norm_per_bound), cell_value(change, s->norm_per_bound));
}

/* Computes rho and zeta of this step.  Freezes a converged shift, unless the residual must be replaced first. */
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

/* After all shifts of a system: decides whether the system is done, and sets the scalars of the next iteration. */
KRYLOV_FN void krylov_set_scalars(krylov_system *s)
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

/* One step of the group: x_k <- x_k + alpha_k p_k, then p_k <- zeta_k r + beta_k p_k if the system is still going; for
 * the base (k = 0) and for the shifts that were not frozen before this step.  Called after krylov_set_scalars. */
KRYLOV_FN void krylov_add_to_group(const krylov_system *s, krylov_step_group *w, int k)
{
    const krylov_shift *o = k > 0 ? &s->other[k - 1] : 0;
    const double rho = o ? o->rho : 1;
    const int now = s->steps_in_group - 1;
    if (!s->stepped)
        return;
    if (now == 0) {
        w->x_p = 0;
        w->p_p = 1;
        for (int j = 0; j < KRYLOV_RING; j++)
            w->x_r[j] = w->p_r[j] = 0;
    }
    if (o && o->frozen_at >= 0 && o->frozen_at != s->steps)
        return;
    const double alpha = rho * s->alpha, beta = rho * rho * s->beta;
    w->x_p += alpha * w->p_p;
    for (int j = 0; j < now; j++)
        w->x_r[j] += alpha * w->p_r[j];
    if (s->status != SYSTEM_GOING)
        return;
    w->p_p *= beta;
    for (int j = 0; j < now; j++)
        w->p_r[j] *= beta;
    w->p_r[now] = o ? o->zeta : 1;
}

/* Whether shift k changes in the step group that ends now: it was not frozen when the step group began. */
KRYLOV_FN bool krylov_shift_moves(const krylov_system *s, int k)
{
    return k == 0 || s->other[k - 1].frozen_at < 0 || s->other[k - 1].frozen_at > s->steps - s->steps_in_group;
}

/* After the last system of the batch: decides whether the batch continues. */
KRYLOV_FN void krylov_iteration_ends(krylov_state *state, bool full)
{
    int all = 1, any = 0;
    for (int n = 0; n < state->count; n++) {
        const int going = state->system[state->number[n]].status == SYSTEM_GOING;
        all &= going;
        any |= going;
    }
    state->going = full ? all : any;
}

#endif
