/* krylov_on_host.c - the engine of Krylov spaces, and its oracle beside it: a program that links this has both in place
 * of src/solvers/krylov.c. */
#define krylov_run krylov_run_batch
#define krylov_apply krylov_apply_batch
#include "src/solvers/krylov.c"
#undef krylov_run
#undef krylov_apply

#include "tests/solvers/krylov_on_host.h"

#include "tests/lattice/vec_steps.h"

void one_by_one_on_host(const linop *a, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    (void)a, (void)l, (void)b, (void)q, (void)p;
    fatal("an operator without batches in a loop");
}

/* The windows that the host has made, to where the vectors are. */
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

static void step_on_host(krylov *k, const linop *a, int number, const krylov_vectors *v)
{
    krylov_system *s = krylov_system_of(k, number);
    const int pass = (v->ring ? s->pending : s->in_window) % KRYLOV_RING;
    const complex_number one = { 1, 0 };
    vec *p = direction_of(v, pass), *r = residual_of(v, pass), *from = residual_of(v, pass + KRYLOV_RING - 1);
    krylov_curvature_is(s, a->apply_dot(a, v->q, s->shift, p, s->rr / s->alpha));
    if (!s->stepped)
        return;
    if (r != from)
        vec_copy(r, from);
    residual_sums sums = vec_residual_update(r, -s->alpha, v->q, s->rr);
    krylov_residual_is(s, sums.norm2, sums.change);
    for (int i = 0; i < s->shifts; i++)
        krylov_shift_stepped(s, i);
    krylov_decided(s);
    if (!s->stepped)
        return;
    for (int i = 0; s->windowed && i <= s->shifts; i++)
        krylov_window_stepped(s, &k->state->window[number][i], i);
    if (!v->ring && !v->residuals) {
        update_shifts(s, v);
        return;
    }
    if (v->ring && s->pending == KRYLOV_RING) {
        double c[KRYLOV_RING];
        for (int i = 0; i < KRYLOV_RING; i++)
            c[i] = s->taken[i] * v->unit;
        vec_gather(v->y, c, v->ring, KRYLOV_RING);
    }
    if (v->residuals && s->in_window == KRYLOV_RING) {
        send_state(k);
        move_window(k, number, v);
    }
    if (s->status == SYSTEM_GOING)
        vec_direction(direction_of(v, pass + 1), one, r, s->beta, p);
}

static void run_on_host(krylov *k, const linop *a, const int *number, const krylov_vectors *v, int count)
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

void krylov_run(krylov *k, const linop *a, const int *number, const krylov_vectors *v, int count)
{
    if (a->add_batch != one_by_one_on_host) {
        krylov_run_batch(k, a, number, v, count);
        return;
    }
    prepare_run(k, number, v, count);
    if (k->state->going)
        run_on_host(k, a, number, v, count);
}

void krylov_apply(krylov *k, const linop *a, vec *const *out, const double *shift, vec *const *in, int count)
{
    if (a->add_batch != one_by_one_on_host)
        krylov_apply_batch(k, a, out, shift, in, count);
    for (int i = 0; i < count && a->add_batch == one_by_one_on_host; i++)
        a->apply(a, out[i], shift[i], in[i]);
}
