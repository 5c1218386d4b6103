/* bicg.c - runs the cycles of BiCGstab(l) for a batch of systems. */
#include "src/solvers/bicg.h"

#include "gpu/device.h"
#include "src/kernels/bicg_steps.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Least number of iterations in a loop body; after it, the device tests whether the batch is still running. */
enum { PASSES = 4 };

/* former = 0 makes beta = former (s, r_0) zero in the first cycle. */
void bicg_begin(krylov *k, int number, int order)
{
    krylov_system *s = krylov_system_of(k, number);
    bicg_system *b = &k->state->bicg[number];
    assert(order > 0 && order <= BICG_ORDER_MAX);
    memset(b, 0, sizeof *b);
    b->order = order;
    b->shadow2 = s->rr;
    b->rho = complex_of(s->rr, 0);
    bicg_expect_cycle(s, b);
}

bool bicg_replaced(krylov *k, int number, double rr, complex_number rho)
{
    krylov_system *s = krylov_system_of(k, number);
    bicg_system *b = &k->state->bicg[number];
    krylov_replaced(s, rr);
    b->rho = complex_of(rho.re, rho.im);
    b->beta = complex_times(b->former, b->rho);
    bicg_expect_cycle(s, b);
    return bicg_may_divide(s, b, b->rho, rr) && complex_is_finite(b->beta);
}

/* Vectors of a batch, as arrays over its systems. */
typedef struct {
    vec *x[BATCH_MAX], *shadow[BATCH_MAX], *r[BICG_POWERS][BATCH_MAX], *u[BICG_POWERS][BATCH_MAX];
    double unit[BATCH_MAX];
} batch_vectors;

static batch_vectors by_kind(const bicg_vectors *v, int count)
{
    batch_vectors b = { 0 };
    for (int i = 0; i < count; i++) {
        b.x[i] = v[i].x;
        b.unit[i] = v[i].unit;
        b.shadow[i] = v[i].shadow;
        for (int j = 0; j < BICG_POWERS; j++) {
            b.r[j][i] = v[i].r[j];
            b.u[j][i] = v[i].u[j];
        }
    }
    return b;
}

/* A running batch and its pieces; powers[i]: the vectors of piece i. */
typedef struct {
    krylov *k;
    const linop *a;
    int order;
    krylov_pieces pieces;
    batch_vectors vectors;
    vec *const *r[BATCH_MAX][BICG_POWERS], *const *u[BATCH_MAX][BICG_POWERS];
    bicg_batch piece[BATCH_MAX];
} batch_run;

static void cut_vectors(batch_run *run)
{
    for (int i = 0; i < run->pieces.count; i++) {
        const int first = run->pieces.first[i];
        for (int j = 0; j < BICG_POWERS; j++) {
            run->r[i][j] = &run->vectors.r[j][first];
            run->u[i][j] = &run->vectors.u[j][first];
        }
        run->piece[i] = (bicg_batch){ .x = &run->vectors.x[first], .unit = &run->vectors.unit[first],
                                      .shadow = &run->vectors.shadow[first], .r = run->r[i], .u = run->u[i] };
    }
}

/* (s, v), for v = u_(j+1), or r_(j+1) if `power` */
static void add_shadow(batch_run *run, int j, bool power)
{
    for (int i = 0; i < run->pieces.count; i++) {
        krylov_batch b = run->pieces.piece[i];
        vec_bicg_shadow(run->k->loop, &b, &run->piece[i], j, power);
        b.part = 2 * j + power;
        krylov_add_reduction(run->k, BICG_SHADOW, &b);
    }
}

/* u_(j+1) <- A u_j, or r_(j+1) <- A r_j if `power` */
static void add_operator(batch_run *run, int j, bool power)
{
    for (int i = 0; i < run->pieces.count; i++) {
        vec *const *const *v = power ? run->r[i] : run->u[i];
        run->a->add_batch(run->a, run->k->loop, &run->pieces.piece[i], v[j + 1], v[j]);
    }
}

static void add_directions(batch_run *run, int j)
{
    for (int i = 0; i < run->pieces.count; i++)
        vec_bicg_directions(run->k->loop, &run->pieces.piece[i], &run->piece[i], j, run->order);
}

/* A cycle for l = 1 and half, whose u_0 is known: the products, (3), and then (4) with the u_0 of the next cycle in one
 * pass (bicg.h). */
static void add_short_cycle(batch_run *run)
{
    const krylov_pieces *all = &run->pieces;
    loop *l = run->k->loop;
    add_operator(run, 0, false);
    add_shadow(run, 0, false);
    for (int i = 0; i < all->count; i++)
        vec_bicg_residuals(l, &all->piece[i], &run->piece[i], 0, false);
    add_operator(run, 0, true);
    for (int i = 0; i < all->count; i++) {
        vec_bicg_minimum(l, &all->piece[i], &run->piece[i]);
        krylov_add_reduction(run->k, BICG_MINIMUM, &all->piece[i]);
    }
    for (int i = 0; i < all->count; i++)
        vec_bicg_advance(l, &all->piece[i], &run->piece[i]);
}

static void add_cycle(batch_run *run)
{
    const krylov_pieces *all = &run->pieces;
    loop *l = run->k->loop;
    for (int j = 0; j < run->order; j++) {
        add_directions(run, j);
        add_operator(run, j, false);
        add_shadow(run, j, false);
        for (int i = 0; i < all->count; i++)
            vec_bicg_residuals(l, &all->piece[i], &run->piece[i], j, j + 1 < run->order);
        add_operator(run, j, true);
        if (j + 1 < run->order)
            add_shadow(run, j, true);
    }
    for (int i = 0; i < all->count; i++)
        for (int n = 0; n < vec_bicg_gram_launches(run->order); n++) {
            const krylov_batch b = vec_bicg_gram(l, &all->piece[i], &run->piece[i], n);
            krylov_add_reduction(run->k, BICG_GRAM, &b);
        }
    for (int i = 0; i < all->count; i++) {
        vec_bicg_cycle(l, &all->piece[i], &run->piece[i], run->order);
        krylov_add_reduction(run->k, BICG_CYCLE, &all->piece[i]);
    }
}

/* Bytes of the first part of krylov_state, which the host reads and changes. */
static size_t bytes_to_copy(void)
{
    return offsetof(krylov_state, step_group);
}

void bicg_run(krylov *k, const linop *a, int order, const int *number, const bicg_vectors *v, int count)
{
    assert(a->add_batch);
    krylov_prepare(k, number, count);
    if (!k->state->going)
        return;
    batch_run run = { .k = k, .a = a, .order = order, .pieces = krylov_cut(k, number, count, a->max_rhs, true),
                      .vectors = by_kind(v, count) };
    cut_vectors(&run);
    if (k->where == PLACE_GPU)
        device_copy_to(k->there, k->state, bytes_to_copy());
    const bool is_short = vec_bicg_is_short(v[0].shadow, v[0].x, order);
    if (is_short) {                                          /* the first directions; later ones end a cycle */
        loop_clear(k->loop);
        add_directions(&run, 0);
        loop_run_once(k->loop);
    }
    loop_clear(k->loop);
    for (int pass = 0; pass < PASSES; pass += order)
        (is_short ? add_short_cycle : add_cycle)(&run);
    loop_run(k->loop, &k->there->going);
    if (k->where == PLACE_GPU)
        device_copy_from(k->state, k->there, bytes_to_copy());
}
