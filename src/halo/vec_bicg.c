/* vec_bicg.c - launches of BiCGstab(l) on the vectors of a batch. */
#include "src/halo/vec_bicg.h"

#include "src/kernels/bicg_short_args.h"

#include <assert.h>
#include <string.h>

MAP_KERNEL_FORMATS(vector_bicg_shadow);
MAP_KERNEL_FORMATS(vector_bicg_gram);
MAP_KERNEL_FORMATS(vector_bicg_directions);
MAP_KERNEL_FORMATS(vector_bicg_residuals);
MAP_KERNEL_FORMATS(vector_bicg_cycle);
MAP_KERNEL_SINGLE(vector_bicg_shadow_spinors_half);
MAP_KERNEL_SINGLE(vector_bicg_minimum_half);
MAP_KERNEL_SINGLE(vector_bicg_advance_half);

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

/* Spinors in half, for which one call of a kernel adds the products of a spinor. */
static bool has_spinors_in_half(const vec *v)
{
    return v->format == VECTOR_HALF && v->f.slabs % SLAB_GROUP == 0;
}

static void add_spinor_kernel(loop *l, const map_kernel *k, const vec *v, const void *args, size_t size)
{
    site_range first_slabs = vec_sites(v);
    first_slabs.parts /= SLAB_GROUP;
    first_slabs.slab_sites *= SLAB_GROUP;
    loop_add(l, k, v->f.precision, args, size, first_slabs);
}

void vec_bicg_shadow(loop *l, const krylov_batch *b, const bicg_batch *v, int j, bool power)
{
    const vec *like = v->shadow[0];
    bicg_shadow_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    args.b.part = 2 * j + power;
    views_of(args.shadow, v->shadow, b->count, like);
    views_of(args.v, power ? v->r[j + 1] : v->u[j + 1], b->count, like);
    if (has_spinors_in_half(like))
        add_spinor_kernel(l, &vector_bicg_shadow_spinors_half, like, &args, sizeof args);
    else
        add_kernel(l, vector_bicg_shadow, like, &args, sizeof args);
}

/* Row i has i + 1 products. */
static int launches_of_row(int i)
{
    return i / BICG_PRODUCTS + 1;
}

int vec_bicg_gram_launches(int order)
{
    int launches = 0;
    for (int i = 1; i <= order; i++)
        launches += launches_of_row(i);
    return launches;
}

krylov_batch vec_bicg_gram(loop *l, const krylov_batch *b, const bicg_batch *v, int n)
{
    const vec *like = v->shadow[0];
    bicg_gram_args args;
    int i = 1;
    for (; n >= launches_of_row(i); i++)
        n -= launches_of_row(i);
    const int first = n * BICG_PRODUCTS, left = i + 1 - first;
    memset(&args, 0, sizeof args);
    args.b = *b;
    args.b.part = i * BICG_POWERS + first;
    args.count = left < BICG_PRODUCTS ? left : BICG_PRODUCTS;
    views_of(args.left, v->r[i], b->count, like);
    for (int k = 0; k < BICG_PRODUCTS; k++)
        views_of(args.right[k], v->r[k < args.count ? first + k : i], b->count, like);
    add_kernel(l, vector_bicg_gram, like, &args, sizeof args);
    return args.b;
}

/* The arguments of a kernel that uses r_0 .. r_powers and u_0 .. u_powers. */
static bicg_step_args step_of(const krylov_batch *b, const bicg_batch *v, int step, int powers)
{
    const vec *like = v->shadow[0], *x = v->x[0];
    bicg_step_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    args.step = step;
    args.x_is_low = x->format != VECTOR_NATIVE || vec_are_alike(x, like);
    args.x_is_other = !args.x_is_low && x->f.precision != like->f.precision;
    assert(vec_on_same_sites(x, like) && (!args.x_is_low || vec_are_alike(x, like)));
    views_of(args.x, v->x, b->count, x);
    views_of(args.shadow, v->shadow, b->count, like);
    for (int k = 0; k <= powers; k++) {
        views_of(args.r[k], v->r[k], b->count, like);
        views_of(args.u[k], v->u[k], b->count, like);
    }
    for (int n = 0; n < b->count; n++)
        args.unit[n] = v->unit[n];
    return args;
}

void vec_bicg_directions(loop *l, const krylov_batch *b, const bicg_batch *v, int j, int order)
{
    const bicg_step_args args = step_of(b, v, j, j == 0 ? order : j);
    add_kernel(l, vector_bicg_directions, v->shadow[0], &args, sizeof args);
}

void vec_bicg_residuals(loop *l, const krylov_batch *b, const bicg_batch *v, int j, bool with_x)
{
    bicg_step_args args = step_of(b, v, j, j + 1);
    args.with_x = with_x;
    add_kernel(l, vector_bicg_residuals, v->shadow[0], &args, sizeof args);
}

void vec_bicg_cycle(loop *l, const krylov_batch *b, const bicg_batch *v, int order)
{
    const bicg_step_args args = step_of(b, v, order, order);
    add_kernel(l, vector_bicg_cycle, v->shadow[0], &args, sizeof args);
}

/* ---- short cycles */

bool vec_bicg_is_short(const vec *like, const vec *x, int order)
{
    return order == 1 && has_spinors_in_half(like) && x->format == VECTOR_NATIVE && x->f.precision == PRECISION_SINGLE;
}

void vec_bicg_minimum(loop *l, const krylov_batch *b, const bicg_batch *v)
{
    const vec *like = v->shadow[0];
    bicg_minimum_args args;
    memset(&args, 0, sizeof args);
    args.b = *b;
    views_of(args.shadow, v->shadow, b->count, like);
    for (int k = 0; k < 2; k++)
        views_of(args.r[k], v->r[k], b->count, like);
    add_spinor_kernel(l, &vector_bicg_minimum_half, like, &args, sizeof args);
}

void vec_bicg_advance(loop *l, const krylov_batch *b, const bicg_batch *v)
{
    const vec *like = v->shadow[0];
    const bicg_step_args args = step_of(b, v, 1, 1);
    assert(b->full);                       /* u_0 of a system that stops waits for the next run: so must the batch */
    loop_add(l, &vector_bicg_advance_half, like->f.precision, &args, sizeof args, vec_sites(like));
}
