/* clover_products.h - blocks of the clover term times a spinor, in a literal vector format. */
#ifndef KILN_KERNELS_CLOVER_PRODUCTS_H
#define KILN_KERNELS_CLOVER_PRODUCTS_H

#include "src/kernels/clover_args.h"
#include "src/site/clover_block.h"
#include "src/site/site.h"
#include "src/site/storage.h"

/* out <- (diagonal + B) in + a y + b z; `out` may be each of these. */
SITE_FN void clover_product_as(vector_format f, const clover_view *blocks, double diagonal, const vector_view *out,
                            const vector_view *in, const vector_view *y, double a, const vector_view *z, double b,
                            site x)
{
    KEEP_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        half_spinor h;
        UNROLL_LOOP
        for (int i = 0; i < 2; i++)
            h.s[i] = load_vector_as(f, in, site_in_slab(in, 2 * chirality + i, x));
        h = clover_block_times(spread((scalar)diagonal), load_clover_block(blocks, x, chirality), h);
        UNROLL_LOOP
        for (int i = 0; i < 2; i++) {
            const site here = site_in_slab(in, 2 * chirality + i, x);
            if (a != 0)
                h.s[i] = vector_axpy((scalar)a, load_vector_as(f, y, here), h.s[i]);
            if (b != 0)
                h.s[i] = vector_axpy((scalar)b, load_vector_as(f, z, here), h.s[i]);
            store_vector_as(f, out, here, h.s[i]);
        }
    }
}

#define CLOVER_PRODUCT(format, suffix)                                                                                \
    SITE_MAP(clover_product##suffix, clover_product_args, a, x)                                                      \
    {                                                                                                                  \
        clover_product_as(format, &a->blocks, a->diagonal, &a->out, &a->in, &a->y, a->a, &a->z, a->shift, x);          \
    }

#define CLOVER_BATCH(format, suffix)                                                                                   \
    KRYLOV_MAP(clover_batch##suffix, clover_batch_args, a, x)                                                          \
    {                                                                                                                  \
        KEEP_LOOP                                                                                                      \
        for (int n = 0; n < a->b.count; n++)                                                                           \
            clover_product_as(format, &a->blocks, a->diagonal, &a->out[n], &a->in[n], &a->y[n], a->a, &a->z[n],        \
                              a->with_shift ? a->b.state->system[a->b.number[n]].shift : 0, x);                        \
    }

#endif
