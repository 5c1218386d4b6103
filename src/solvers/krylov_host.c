/* krylov_host.c - iterations of Krylov spaces with their scalars on the host. */
#include "src/solvers/krylov_host.h"

#include "gpu/device.h"
#include "src/kernels/krylov_steps.h"
#include "src/lattice/vec_mixed.h"
#include "src/lattice/vec_steps.h"

/* Copies the state from the host to the place of the vectors. */
static void send_state(krylov *k)
{
    if (k->where == PLACE_GPU)
        device_copy_to(k->there, k->state, sizeof *k->state);
}

static void update_shifts(const krylov_system *s, const krylov_vectors *v)
{
    const bool going = s->status == SYSTEM_GOING;
    double alpha[SHIFTS_MAX], beta[SHIFTS_MAX], zeta[SHIFTS_MAX];
    vec *x[SHIFTS_MAX], *directions[SHIFTS_MAX];
    int count = 0;
    for (int i = 0; i < v->count; i++) {
        const krylov_shift *o = i > 0 ? &s->other[i - 1] : NULL;
        double rho = o ? o->rho : 1;
        if (o && o->frozen_at >= 0 && o->frozen_at != s->steps)
            continue;
        x[count] = v->x[i];
        directions[count] = v->p[i];
        alpha[count] = rho * s->alpha;
        beta[count] = going ? rho * rho * s->beta : 1;
        zeta[count++] = !going ? 0 : o ? o->zeta : 1;
    }
    const vec_shift_step step = { .x = x, .p = directions, .a = alpha, .b = beta, .z = zeta, .count = count };
    vec_multishift_update(&step, v->r);
}

/* After a step: updates solutions (with a ring or step groups only when they are full), and the next direction. */
static void update_vectors(krylov *k, int number, const krylov_vectors *v, int pass)
{
    const complex_number one = { 1, 0 };
    krylov_system *s = krylov_system_of(k, number);
    if (!v->ring && !v->residuals) {
        update_shifts(s, v);
        return;
    }
    if (v->ring && s->pending == KRYLOV_RING) {
        double c[KRYLOV_RING];
        for (int i = 0; i < KRYLOV_RING; i++)
            c[i] = s->ring_alpha[i] * v->unit;
        vec_gather(v->y, c, v->ring, KRYLOV_RING);
    }
    if (v->residuals && s->steps_in_group == KRYLOV_RING) {
        send_state(k);
        krylov_apply_group(k, number, v);
    }
    if (s->status == SYSTEM_GOING)
        vec_direction(krylov_direction_of(v, pass + 1), one, krylov_residual_of(v, pass), s->beta,
                      krylov_direction_of(v, pass));
}

static void step_on_host(krylov *k, const linop *a, int number, const krylov_vectors *v)
{
    krylov_system *s = krylov_system_of(k, number);
    const int pass = (v->ring ? s->pending : s->steps_in_group) % KRYLOV_RING;
    vec *r = krylov_residual_of(v, pass), *from = krylov_residual_of(v, pass + KRYLOV_RING - 1);
    krylov_set_curvature(s, a->apply_dot(a, v->q, s->shift, krylov_direction_of(v, pass), s->rr / s->alpha));
    if (!s->stepped)
        return;
    if (r != from)
        vec_copy(r, from);
    const residual_sums sums = vec_residual_update(r, -s->alpha, v->q, s->rr);
    krylov_set_residual(s, sums.norm2, sums.change);
    for (int i = 0; i < s->shifts; i++)
        krylov_shift_stepped(s, i);
    krylov_set_scalars(s);
    if (!s->stepped)
        return;
    for (int i = 0; s->in_groups && i <= s->shifts; i++)
        krylov_add_to_group(s, &k->state->step_group[number][i], i);
    update_vectors(k, number, v, pass);
}

void krylov_run_on_host(krylov *k, const linop *a, const int *number, const krylov_vectors *v, int count)
{
    const bool whole = v[0].ring || v[0].residuals;
    for (int pass = 0; k->state->going; pass++) {
        for (int i = 0; i < count; i++) {
            krylov_system_of(k, number[i])->stepped = 0;
            if (krylov_system_of(k, number[i])->status == SYSTEM_GOING)
                step_on_host(k, a, number[i], &v[i]);
        }
        krylov_iteration_ends(k->state, !whole || (pass + 1) % KRYLOV_RING == 0);
    }
    send_state(k);
}
