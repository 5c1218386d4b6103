/* test_krylov_steps.c - what conjugate gradients of a batch decide from their sums, on numbers made by hand. */
#include "src/kernels/krylov_steps.h"
#include "tests/facts.h"
#include "tests/halo/batch_state.h"

#include <math.h>
#include <string.h>

static krylov_state state;

/* One system at |r|^2 = 1 that has just been given alpha, with room for 100 steps. */
static krylov_system *begin(void)
{
    batch_state_begin(&state, 1);
    krylov_system *s = &state.system[0];
    s->alpha = 0.5;
    s->most = 100;
    for (int k = 0; k < SHIFTS_MAX; k++)
        s->other[k] = (krylov_shift){ .rho = 1, .zeta = 1, .frozen_at = -1 };
    return s;
}

static void curvature(double value)
{
    sum_cell_add(&state.cell[0][0], value, state.system[0].curvature_per_bound);
    krylov_read_curvature(&state, 0);
}

/* A step to |r|^2, which is `change` in Polak and Ribiere's form. */
static int step_with(double norm2, double change)
{
    sum_cell_add(&state.cell[0][0], norm2, state.system[0].norm_per_bound);
    sum_cell_add(&state.cell[0][1], change, state.system[0].norm_per_bound);
    krylov_read_residual(&state, 0);
    for (int k = 0; k < state.system[0].shifts; k++)
        krylov_shift_stepped(&state.system[0], k);
    krylov_set_scalars(&state.system[0]);
    krylov_iteration_ends(&state, true);
    return state.system[0].status;
}

static int step(double norm2)
{
    return step_with(norm2, norm2);
}

static bool empty_cells(void)
{
    static const sum_cell none[KRYLOV_SUMS];
    return memcmp(state.cell[0], none, sizeof none) == 0;
}

static void curvatures(void)
{
    krylov_system *s = begin();
    s->rr = 3;
    s->stepped = 0;
    curvature(4);
    fact(s->alpha == 0.75 && s->stepped && s->status == SYSTEM_GOING && empty_cells(), "alpha is |r|^2 / <p, A p>");
    begin();
    curvature(-1);
    fact(s->status == SYSTEM_NEGATIVE && !s->stepped && s->alpha == 0, "no step where <p, A p> is negative");
    begin();
    curvature(0);
    fact(s->status == SYSTEM_NEGATIVE && !s->stepped, "or zero");
    begin();
    curvature(NAN);
    fact(s->status == SYSTEM_NOT_FINITE && !s->stepped && empty_cells(), "or not finite");
    begin();
    curvature(2 * SUM_BOUND);
    fact(s->status == SYSTEM_NOT_FINITE && !s->stepped, "or beyond all that was expected of it");
    begin();
    s->status = SYSTEM_UPDATE;
    curvature(1);
    fact(s->status == SYSTEM_UPDATE && !s->stepped && s->alpha == 0.5,
         "or where the system has stopped, whose alpha is kept");
}

static void norms(void)
{
    krylov_system *s = begin();
    s->rr = 2;
    fact(step(0.5) == SYSTEM_GOING && state.going && s->rr == 0.5 && s->before == 2 && s->beta == 0.25 &&
         s->former == 0.5 && s->steps == 1 && s->since == 1 && empty_cells(), "a step: beta is |r|^2 / |r before|^2");
    fact(s->curvature_per_bound == SUM_WORD / sum_bound_guessed(0.5 / 0.5), "what is expected of the next <p, A p>");
    begin();
    s->polak_ribiere = 1;
    step_with(0.5, 0.25);
    fact(s->beta == 0.25, "Polak and Ribiere's beta");
    begin();
    s->polak_ribiere = 1;
    step_with(0.5, -0.25);
    fact(s->beta == 0.5, "which is not taken where it is negative");
    begin();
    fact(step(NAN) == SYSTEM_NOT_FINITE && !s->stepped && s->rr == 1 && s->steps == 0 && !state.going,
         "a residual that is not finite is not taken for one");
    begin();
    s->stepped = 0;
    fact(step(0.5) == SYSTEM_GOING && s->rr == 1 && s->steps == 0 && empty_cells(), "no step, no residual");
    double seen[2] = { 0 };
    begin();
    s->history = seen;
    s->history_capacity = 2;
    step(0.5);
    step(0.25);
    step(0.125);
    fact(seen[0] == 0.5 && seen[1] == 0.25 && s->steps == 3, "residuals are noted as far as there is room");
}

static void ends(void)
{
    krylov_system *s = begin();
    s->target = 0.01;
    fact(step(0.011) == SYSTEM_GOING && step(0.01) == SYSTEM_DONE && !state.going, "done at the target");
    begin();
    s->shifts = 1;
    s->target = 0.01;
    step(0.011);
    step(0.01);
    step(0.001);
    fact(s->reached_at == 2 && s->status == SYSTEM_GOING, "a base that goes on for others knows when it was there");
    begin();
    s->most = 2;
    fact(step(0.5) == SYSTEM_GOING && step(0.4) == SYSTEM_SPENT && !state.going, "spent after so many steps");
    begin();
    s->most = 1;
    s->target = 0.5;
    fact(step(0.5) == SYSTEM_DONE, "done with the last of them");
    begin();
    s->delta2 = 0.01;
    fact(step(0.02) == SYSTEM_GOING && step(0.009) == SYSTEM_UPDATE && !state.going,
         "an update when the residual has fallen by delta");
    begin();
    s->delta2 = 0.01;
    fact(step(4) == SYSTEM_GOING && s->top == 4 && step(0.03) == SYSTEM_UPDATE, "below the largest one since the last");
    begin();
    s->patience = 3;
    fact(step(0.9) == SYSTEM_GOING && step(0.8) == SYSTEM_GOING && step(0.7) == SYSTEM_UPDATE,
         "an update after so many steps");
    begin();
    s->delta2 = 0.01;
    s->target = 0.001;
    s->most = 1;
    fact(step(0.0001) == SYSTEM_UPDATE, "the residual is replaced before it is believed");
    batch_state_begin(&state, 3);
    krylov_iteration_ends(&state, true);
    bool all = state.going;
    state.system[1].status = SYSTEM_UPDATE;
    krylov_iteration_ends(&state, true);
    fact(all && !state.going, "a batch goes on while all of its systems do");
    krylov_iteration_ends(&state, false);
    bool any = state.going;
    state.system[0].status = state.system[2].status = SYSTEM_DONE;
    krylov_iteration_ends(&state, false);
    fact(any && !state.going, "and within a ring while any of them does");
}

/* Steps of a step group, and what the coefficients make of numbers in place of vectors. */
static void step_groups(void)
{
    krylov_system *s = begin();
    krylov_step_group w[2];
    double x[2] = { 0, 0 }, p[2] = { 3, 3 }, want_x[2] = { 0, 0 }, want_p[2] = { 3, 3 }, r[KRYLOV_RING];
    s->in_groups = 1;
    s->shifts = 1;
    s->other[0] = (krylov_shift){ .distance = 2, .rho = 1, .zeta = 1, .frozen_at = -1 };
    for (int j = 0; j < 2 * KRYLOV_RING + 3; j++) {
        s->alpha = 0.25 + 0.01 * j;
        step(pow(0.9, j));
        for (int k = 0; k < 2; k++) {
            double rho = k ? s->other[0].rho : 1, zeta = k ? s->other[0].zeta : 1;
            want_x[k] += rho * s->alpha * want_p[k];
            r[s->steps_in_group - 1] = sin(j);
            want_p[k] = zeta * sin(j) + rho * rho * s->beta * want_p[k];
            krylov_add_to_group(s, &w[k], k);
            if (s->steps_in_group < KRYLOV_RING && j < 2 * KRYLOV_RING + 2)
                continue;
            x[k] += w[k].x_p * p[k];
            p[k] *= w[k].p_p;
            for (int i = 0; i < s->steps_in_group; i++) {
                x[k] += w[k].x_r[i] * r[i];
                p[k] += w[k].p_r[i] * r[i];
            }
        }
    }
    for (int k = 0; k < 2; k++)
        fact(fabs(x[k] / want_x[k] - 1) < 1e-13 && fabs(p[k] / want_p[k] - 1) < 1e-13,
             "two step groups and three steps move shift %d as %d steps one by one", k, 2 * KRYLOV_RING + 3);
    s->other[0].frozen_at = s->steps - 1;
    fact(krylov_shift_moves(s, 1), "a shift that was frozen within a step group moves at its end");
    s->other[0].frozen_at = s->steps - s->steps_in_group;
    fact(!krylov_shift_moves(s, 1) && krylov_shift_moves(s, 0), "one that was frozen before does not");
}

static void rings(void)
{
    krylov_system *s = begin();
    bool counted = true;
    s->in_ring = 1;
    for (int j = 0; j < KRYLOV_RING; j++) {
        s->alpha = 1 + j;
        step(0.9);
        counted &= s->pending == j + 1 && s->ring_alpha[j] == 1 + j;
    }
    fact(counted, "the steps of a ring, until it is full");
    s->alpha = 0.25;
    step(0.9);
    fact(s->pending == 1 && s->ring_alpha[0] == 0.25, "then it begins anew");
}

static void shifts(void)
{
    krylov_system *s = begin();
    s->shifts = 2;
    s->target = 0.1;
    s->bb = 4;
    for (int k = 0; k < 2; k++) {
        s->other[k].distance = 1 + k;
        s->other[k].tolerance = 0.1 - 0.08 * k;
    }
    s->alpha = 0.5;
    fact(step(0.25) == SYSTEM_GOING && s->other[0].rho == 1 / 1.5 && s->other[1].rho == 0.5 &&
         s->other[1].zeta == 0.5, "the first step of other shifts: 1 / (1 + d alpha)");
    fact(s->other[0].frozen_at == -1 && s->other[1].frozen_at == -1, "that are not frozen above their tolerance");
    double zeta = s->other[0].zeta, former = s->former, rho = s->other[0].rho;
    rho = 1 / (1 + 0.5 + 0.5 * former * (1 - rho));
    fact(step(0.04) == SYSTEM_GOING && s->other[0].rho == rho && s->other[0].zeta == zeta * rho, "and the second");
    fact(s->other[0].frozen_at == 2 && s->other[1].frozen_at == -1,
         "frozen when zeta |r| / |b| is at most the tolerance; the base is not done while one is left");
    zeta = s->other[0].zeta;
    s->delta2 = 0.5;
    fact(step(0.0001) == SYSTEM_UPDATE && s->other[1].frozen_at == -1 && s->other[0].zeta == zeta,
         "none is frozen on a residual that is to be replaced; frozen ones stay");
    s->status = SYSTEM_GOING;
    s->delta2 = 0;
    fact(step(0.0001) == SYSTEM_DONE && s->other[1].frozen_at == 4, "done when all are");
    begin();
    s->shifts = 1;
    s->alone = 1;
    s->other[0].tolerance = 1;
    fact(step(0.5) == SYSTEM_DONE, "done with the others where the base is to go on alone, whatever its residual");
}

int main(void)
{
    curvatures();
    norms();
    ends();
    rings();
    shifts();
    step_groups();
    return facts_end();
}
