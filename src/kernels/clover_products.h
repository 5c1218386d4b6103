/* clover_products.h - blocks of the clover term times a spinor, in a literal vector format, with the blocks that go
 * with it (block_times_as of site/block_storage.h). */
#ifndef KILN_KERNELS_CLOVER_PRODUCTS_H
#define KILN_KERNELS_CLOVER_PRODUCTS_H

#include "src/kernels/clover_args.h"
#include "src/site/block_storage.h"
#include "src/site/site.h"

/* (a + B) h; B is 0 if its data is NULL. */
SITE_FN half_spinor blocks_times(vector_format f, double a, const clover_view *blocks, site x, int chirality,
                                 half_spinor h)
{
    const real number = spread((scalar)a);
    if (blocks->data)
        return block_times_as(f, number, blocks, x, chirality, h);
    UNROLL_LOOP
    for (int i = 0; i < 2; i++)
        UNROLL_LOOP
        for (int k = 0; k < 3; k++) {
            h.s[i].c[k].re = number * h.s[i].c[k].re;
            h.s[i].c[k].im = number * h.s[i].c[k].im;
        }
    return h;
}

/* gamma5 is 1 on spins 0 and 1, -1 on the others. */
SITE_FN half_spinor twisted_times(vector_format f, const clover_factor *by, site x, int chirality, half_spinor h)
{
    const real sign = spread((scalar)(chirality == 0 ? by->sign : -by->sign));
    half_spinor out = blocks_times(f, by->diagonal, &by->blocks, x, chirality, h);
    h = blocks_times(f, by->twist, &by->twisted, x, chirality, h);
    UNROLL_LOOP
    for (int i = 0; i < 2; i++)
        UNROLL_LOOP
        for (int k = 0; k < 3; k++) {
            out.s[i].c[k].re = mad(-sign, h.s[i].c[k].im, out.s[i].c[k].re);
            out.s[i].c[k].im = mad(sign, h.s[i].c[k].re, out.s[i].c[k].im);
        }
    return out;
}

/* by h; twisted: a literal */
SITE_FN half_spinor factor_times(vector_format f, bool twisted, const clover_factor *by, site x, int chirality,
                                 half_spinor h)
{
    return twisted ? twisted_times(f, by, x, chirality, h)
                   : block_times_as(f, spread((scalar)by->diagonal), &by->blocks, x, chirality, h);
}

/* out <- by in + a y; `out` may be any of the others. */
typedef struct { const vector_view *out, *in, *y; double a; } clover_vectors;

/* twisted: a literal */
SITE_FN void clover_product_as(vector_format f, bool twisted, const clover_factor *by, clover_vectors v, site x)
{
    KEEP_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        half_spinor h;
        UNROLL_LOOP
        for (int i = 0; i < 2; i++)
            h.s[i] = load_vector_as(f, v.in, site_in_slab(v.in, 2 * chirality + i, x));
        h = factor_times(f, twisted, by, x, chirality, h);
        UNROLL_LOOP
        for (int i = 0; i < 2; i++) {
            const site here = site_in_slab(v.in, 2 * chirality + i, x);
            if (v.a != 0)
                h.s[i] = vector_axpy((scalar)v.a, load_vector_as(f, v.y, here), h.s[i]);
            store_vector_as(f, v.out, here, h.s[i]);
        }
    }
}

/* A launch for the systems of a batch, while it is going; without a state, for one system, number 0. */
SITE_FN bool batch_is_going(const krylov_batch *b)
{
    return !b->state || b->state->going != 0;
}

SITE_FN int batch_systems(const krylov_batch *b)
{
    return b->state ? b->count : 1;
}

#define CLOVER_PRODUCT(name, format, twisted)                                                                          \
    SITE_MAP(name, clover_product_args, a, x)                                                                          \
    {                                                                                                                  \
        if (!batch_is_going(&a->b))                                                                                    \
            return;                                                                                                    \
        KEEP_LOOP                                                                                                      \
        for (int n = 0; n < batch_systems(&a->b); n++) {                                                               \
            const clover_vectors v = { &a->out[n], &a->in[n], &a->y[n], a->a };                                        \
            clover_product_as(format, twisted, &a->by, v, x);                                                          \
        }                                                                                                              \
    }

#endif
