/* vec_batch.c - launches on the vectors of a batch. */
#include "src/halo/vec_batch.h"

#include <assert.h>
#include <string.h>

MAP_KERNEL_FORMATS(vector_batch_residual);
MAP_KERNEL_FORMATS(vector_batch_curvature);
MAP_KERNEL_FORMATS(vector_batch_direction);
MAP_KERNEL_FORMATS(vector_batch_gather);
MAP_KERNEL_FORMATS(vector_batch_shift);
MAP_KERNEL_FORMATS(vector_shifts_update);
MAP_KERNEL_FORMATS(vector_shifts_step_group);

static void views_of(vector_view *views, vec *const *v, int count, const vec *like)
{
    for (int n = 0; n < count; n++) {
        assert(vec_are_alike(v[n], like));
        views[n] = vec_view(v[n]);
    }
}

static void add_kernel(loop *l, const map_kernel *of_formats, const vec *v, const void *args, size_t size)
{
    loop_add(l, &of_formats[v->format], v->f.precision, args, size, vec_sites(v));
}

int vec_batch_logarithm(int count)
{
    int logarithm = 0;
    while (1 << logarithm < count)
        logarithm++;
    assert(1 << logarithm == count && count <= BATCH_MAX_RHS);
    return logarithm;
}

void vec_batch_residual(loop *l, const krylov_batch *b, vec *const *r, vec *const *q)
{
    vec_batch_residual_from(l, b, r, r, q);
}

void vec_batch_residual_from(loop *l, const krylov_batch *b, vec *const *r, vec *const *from, vec *const *q)
{
    batch_residual_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    views_of(args.r, r, b->count, r[0]);
    views_of(args.from, from, b->count, r[0]);
    views_of(args.q, q, b->count, r[0]);
    add_kernel(l, vector_batch_residual, r[0], &args, sizeof args);
}

void vec_batch_curvature(loop *l, const krylov_batch *b, vec *const *c, vec *const *p, vec *const *q)
{
    batch_curvature_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    views_of(args.c, c, b->count, p[0]);
    views_of(args.p, p, b->count, p[0]);
    views_of(args.q, q, b->count, p[0]);
    add_kernel(l, vector_batch_curvature, p[0], &args, sizeof args);
}

void vec_batch_direction(loop *l, const krylov_batch *b, vec *const *p, vec *const *r, vec *const *from)
{
    batch_direction_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    views_of(args.p, p, b->count, p[0]);
    views_of(args.r, r, b->count, p[0]);
    views_of(args.from, from, b->count, p[0]);
    add_kernel(l, vector_batch_direction, p[0], &args, sizeof args);
}

void vec_batch_shift(loop *l, const krylov_batch *b, vec *const *q, double factor, vec *const *p)
{
    batch_shift_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    args.factor = factor;
    views_of(args.q, q, b->count, q[0]);
    views_of(args.p, p, b->count, q[0]);
    add_kernel(l, vector_batch_shift, q[0], &args, sizeof args);
}

void vec_batch_gather(loop *l, const krylov_batch *b, vec *const *y, const double *unit, vec *const *const *ring)
{
    const vec *like = ring[0][0];
    batch_gather_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    args.y_is_other = y[0]->f.precision != like->f.precision;
    assert(y[0]->format == VECTOR_NATIVE && vec_on_same_sites(y[0], like));
    views_of(args.y, y, b->count, y[0]);
    for (int n = 0; n < b->count; n++) {
        args.unit[n] = unit[n];
        views_of(args.ring[n], ring[n], KRYLOV_RING, like);
    }
    add_kernel(l, vector_batch_gather, like, &args, sizeof args);
}

void vec_shifts_update(loop *l, krylov_state *state, shift_vectors v, const vec *r)
{
    shifts_update_args args;
    assert(v.count <= SHIFTS_MAX);
    memset(&args, 0, sizeof args);
    args.state = state;
    args.number = v.number;
    args.r = vec_view(r);
    views_of(args.x, v.x, v.count, r);
    views_of(args.p, v.p, v.count, r);
    add_kernel(l, vector_shifts_update, r, &args, sizeof args);
}

void vec_shifts_step_group(loop *l, krylov_state *state, shift_vectors v, vec *const *r, bool always)
{
    shifts_step_group_args args;
    assert(v.count <= SHIFTS_MAX);
    memset(&args, 0, sizeof args);
    args.state = state;
    args.number = v.number;
    args.always = always;
    views_of(args.r, r, KRYLOV_RING, r[0]);
    views_of(args.x, v.x, v.count, r[0]);
    views_of(args.p, v.p, v.count, r[0]);
    add_kernel(l, vector_shifts_step_group, r[0], &args, sizeof args);
}
