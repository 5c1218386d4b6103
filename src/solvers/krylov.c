/* krylov.c - runs the iterations of a batch of systems, one Krylov space each. */
#include "src/solvers/krylov.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/kernels/krylov_steps.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/vec_mixed.h"
#include "src/solvers/krylov_host.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Iterations in one loop body; after it, the device tests whether the batch is still running.  With a ring or step
 * groups (krylov.h), the body has KRYLOV_RING iterations instead. */
enum { PASSES = 4 };

void krylov_add_shift(krylov_system *s, double shift, double tolerance)
{
    krylov_shift *o = &s->other[s->shifts++];
    double residual = square_root_of(s->rr / s->bb);
    *o = (krylov_shift){ .distance = shift - s->shift, .rho = 1, .zeta = 1, .tolerance = tolerance,
                         .residual = residual, .frozen_at = residual <= tolerance ? 0 : -1 };
}

/* Vectors of a batch, as arrays over its systems.  For each pass (an iteration of the loop body): the residual before
 * it (from), the residual after it (r), and its direction (p). */
typedef struct {
    vec *q[BATCH_MAX], *y[BATCH_MAX];
    vec *from[KRYLOV_RING][BATCH_MAX], *r[KRYLOV_RING][BATCH_MAX], *p[KRYLOV_RING + 1][BATCH_MAX];
    double unit[BATCH_MAX];
    vec *const *ring[BATCH_MAX];
} batch_vectors;

static batch_vectors by_kind(const krylov_vectors *v, int count)
{
    batch_vectors b = { 0 };
    for (int i = 0; i < count; i++) {
        b.q[i] = v[i].q;
        b.y[i] = v[i].y;
        b.unit[i] = v[i].unit;
        b.ring[i] = v[i].ring;
        for (int j = 0; j < KRYLOV_RING; j++) {
            b.from[j][i] = krylov_residual_of(&v[i], j + KRYLOV_RING - 1);
            b.r[j][i] = krylov_residual_of(&v[i], j);
        }
        for (int j = 0; j <= KRYLOV_RING; j++)
            b.p[j][i] = krylov_direction_of(&v[i], j);
    }
    return b;
}

static void add_reductions(krylov *k, krylov_sum sum, const krylov_pieces *all)
{
    for (int i = 0; i < all->count; i++)
        krylov_add_reduction(k, sum, &all->piece[i]);
}

/* Running systems: v[i] has the vectors of system number[i]; `kinds` has the same vectors as arrays over systems. */
typedef struct {
    const int *number;
    const krylov_vectors *v;
    int count;
    const batch_vectors *kinds;
} batch_run;

static void add_iteration(krylov *k, const linop *a, const batch_run *run, int pass)
{
    const krylov_vectors *v = run->v;
    const batch_vectors *b = run->kinds;
    const int *number = run->number, count = run->count;
    const bool ring = v[0].ring != NULL, groups = v[0].residuals != NULL, full = pass + 1 == KRYLOV_RING;
    const krylov_pieces all = krylov_cut(k, number, count, a->max_rhs, full || !(ring || groups));
    for (int i = 0; i < all.count; i++)
        a->add_batch(a, k->loop, &all.piece[i], &b->q[all.first[i]], &b->p[pass][all.first[i]]);
    add_reductions(k, KRYLOV_CURVATURE, &all);
    for (int i = 0; i < all.count; i++)
        vec_batch_residual_from(k->loop, &all.piece[i], &b->r[pass][all.first[i]], &b->from[pass][all.first[i]],
                                &b->q[all.first[i]]);
    add_reductions(k, KRYLOV_RESIDUAL, &all);
    for (int i = 0; ring && full && i < all.count; i++)
        vec_batch_gather(k->loop, &all.piece[i], &b->y[all.first[i]], &b->unit[all.first[i]],
                         &b->ring[all.first[i]]);
    for (int i = 0; groups && full && i < count; i++)
        vec_shifts_step_group(k->loop, k->there, krylov_shifts_of(number[i], &v[i]), v[i].residuals, false);
    for (int i = 0; (ring || groups) && i < all.count; i++)
        vec_batch_direction(k->loop, &all.piece[i], &b->p[pass + 1][all.first[i]], &b->r[pass][all.first[i]],
                            &b->p[pass][all.first[i]]);
    for (int i = 0; !ring && !groups && i < count; i++)
        vec_shifts_update(k->loop, k->there, krylov_shifts_of(number[i], &v[i]), v[i].r);
}

/* Bytes of the first part of krylov_state: all before `system`, and systems 0 .. upto - 1. */
static size_t bytes_up_to(int upto)
{
    return offsetof(krylov_state, system) + (size_t)upto * sizeof(krylov_system);
}

static void run_there(krylov *k, const linop *a, const int *number, const krylov_vectors *v, int count)
{
    const batch_vectors kinds = by_kind(v, count);
    const batch_run run = { .number = number, .v = v, .count = count, .kinds = &kinds };
    int upto = 0, passes = v[0].ring || v[0].residuals ? KRYLOV_RING : PASSES;
    for (int i = 0; i < count; i++)
        upto = number[i] >= upto ? number[i] + 1 : upto;
    loop_clear(k->loop);
    for (int i = 0; i < passes; i++)
        add_iteration(k, a, &run, i);
    if (k->where == PLACE_GPU)
        device_copy_to(k->there, k->state, bytes_up_to(upto));
    loop_run(k->loop, &k->there->going);
    if (k->where == PLACE_GPU)
        device_copy_from(k->state, k->there, bytes_up_to(upto));
}

void krylov_apply(krylov *k, const linop *a, vec *const *out, const double *shift, vec *const *in, int count)
{
    int number[BATCH_MAX];
    if (count == 1 || !a->add_batch) {
        for (int i = 0; i < count; i++)
            a->apply(a, out[i], shift[i], in[i]);
        return;
    }
    for (int i = 0; i < count; i++) {
        number[i] = i;
        krylov_begin(k, i, shift[i], 1, 1, 0);       /* the inner products of this system are not used */
    }
    k->state->going = 1;
    if (k->where == PLACE_GPU)
        device_copy_to(k->there, k->state, bytes_up_to(count));
    const krylov_pieces all = krylov_cut(k, number, count, a->max_rhs, true);
    loop_clear(k->loop);
    for (int i = 0; i < all.count; i++)
        a->add_batch(a, k->loop, &all.piece[i], out + all.first[i], in + all.first[i]);
    loop_run_once(k->loop);
}

static void prepare_run(krylov *k, const int *number, const krylov_vectors *v, int count)
{
    for (int i = 0; i < count; i++) {
        krylov_system *s = &k->state->system[number[i]];
        s->in_ring = v[i].ring != NULL;
        s->in_groups = v[i].residuals != NULL;
        assert(s->pending % KRYLOV_RING == 0 && s->steps_in_group % KRYLOV_RING == 0);
        assert(!v[i].residuals || v[i].r == v[i].residuals[KRYLOV_RING - 1]);
    }
    krylov_prepare(k, number, count);
}

/* The exact sum <p, A p> needs a bound of its terms.  The bound comes from a guess (krylov_replaced,
 * krylov_set_scalars); before the first step the guess assumes A near 1.  With a large shift or mass, terms can exceed
 * the bound, and are then refused.  In this case no step was made, and the iteration is repeated with a bound that is
 * larger by BOUND_GROWTH, which costs no accuracy (SUM_GUESS_MARGIN).  No operator exceeds CURVATURE_MOST |p|^2: if
 * terms are refused there, or if the sum is NaN, the solve has failed. */
#define BOUND_GROWTH 0x1p24
#define CURVATURE_MOST 0x1p100

static bool widen_bound(krylov_system *s)
{
    if (s->status != SYSTEM_NOT_FINITE || s->stepped || s->alpha != 0 || s->pending > 0 || s->steps_in_group > 0)
        return false;
    if (!(SUM_WORD / s->curvature_per_bound < CURVATURE_MOST * s->rr))
        return false;
    s->curvature_per_bound /= BOUND_GROWTH;
    s->status = SYSTEM_GOING;
    return true;
}

void krylov_run(krylov *k, const linop *a, const int *number, const krylov_vectors *v, int count)
{
    bool again = true;
    while (again) {
        again = false;
        prepare_run(k, number, v, count);
        if (!k->state->going)
            return;
        if (!a->add_batch) {
            krylov_run_on_host(k, a, number, v, count);
            return;
        }
        run_there(k, a, number, v, count);
        for (int i = 0; i < count; i++)
            again |= widen_bound(&k->state->system[number[i]]);
    }
}

int krylov_settle(krylov *k, int number, const krylov_vectors *v)
{
    krylov_system *s = krylov_system_of(k, number);
    int pending = s->pending, latest = pending > 0 ? pending - 1 : 0;
    double c[KRYLOV_RING];
    for (int i = 0; i < pending; i++)
        c[i] = s->ring_alpha[i] * v->unit;
    if (pending < KRYLOV_RING)                               /* else the loop body has added them to y */
        vec_gather(v->y, c, v->ring, pending);
    s->pending = 0;
    return latest;
}

void krylov_finish_groups(krylov *k, int number, const krylov_vectors *v)
{
    krylov_system *s = krylov_system_of(k, number);
    const int steps = s->steps_in_group, last = steps > 0 ? steps - 1 : 0;
    if (steps > 0 && steps < KRYLOV_RING)                    /* else the loop body has applied the group */
        krylov_apply_group(k, number, v);
    if (krylov_direction_of(v, last) != v->p[0])
        vec_copy(v->p[0], krylov_direction_of(v, last));
    s->steps_in_group = 0;
}
