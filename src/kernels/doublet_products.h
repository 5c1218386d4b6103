/* doublet_products.h - the diagonal part of a doublet times a spinor of two flavors, in a literal vector format. */
#ifndef KILN_KERNELS_DOUBLET_PRODUCTS_H
#define KILN_KERNELS_DOUBLET_PRODUCTS_H

#include "src/kernels/clover_products.h"
#include "src/kernels/doublet_args.h"

typedef struct { half_spinor flavor[DOUBLET_FLAVORS]; } half_doublet;

SITE_FN site site_of_flavor(const vector_view *v, int flavor, int spin, site x)
{
    return site_in_slab(v, SLAB_GROUP * flavor + spin, x);
}

/* a x + y */
SITE_FN half_spinor half_spinor_axpy(scalar a, half_spinor x, half_spinor y)
{
    UNROLL_LOOP
    for (int i = 0; i < 2; i++)
        y.s[i] = vector_axpy(a, x.s[i], y.s[i]);
    return y;
}

/* out <- by in + a y; `out` may be any of the others. */
SITE_FN void doublet_product_as(vector_format f, const doublet_factor *by, clover_vectors v, site x)
{
    KEEP_LOOP
    for (int c = 0; c < 2; c++) {
        const bool mixes = by->w[c][0] != 0 || by->w[c][1] != 0;
        half_doublet in;
        UNROLL_LOOP
        for (int flavor = 0; flavor < DOUBLET_FLAVORS; flavor++)
            UNROLL_LOOP
            for (int i = 0; i < 2; i++)
                in.flavor[flavor].s[i] = load_vector_as(f, v.in, site_of_flavor(v.in, flavor, 2 * c + i, x));
        UNROLL_LOOP
        for (int flavor = 0; flavor < DOUBLET_FLAVORS; flavor++) {
            half_spinor h = blocks_times(f, by->diagonal, &by->blocks, x, c, in.flavor[flavor]);
            if (mixes)
                h = half_spinor_axpy((scalar)by->w[c][flavor],
                                     blocks_times(f, by->other, &by->other_blocks, x, c, in.flavor[1 - flavor]),
                                     h);
            UNROLL_LOOP
            for (int i = 0; i < 2; i++) {
                const site here = site_of_flavor(v.in, flavor, 2 * c + i, x);
                if (v.a != 0)
                    h.s[i] = vector_axpy((scalar)v.a, load_vector_as(f, v.y, here), h.s[i]);
                store_vector_as(f, v.out, here, h.s[i]);
            }
        }
    }
}

#define DOUBLET_PRODUCT(name, format)                                                                                  \
    SITE_MAP(name, doublet_product_args, a, x)                                                                         \
    {                                                                                                                  \
        if (!batch_is_going(&a->b))                                                                                    \
            return;                                                                                                    \
        KEEP_LOOP                                                                                                      \
        for (int n = 0; n < batch_systems(&a->b); n++) {                                                               \
            const clover_vectors v = { &a->out[n], &a->in[n], &a->y[n], a->a };                                        \
            doublet_product_as(format, &a->by, v, x);                                                                  \
        }                                                                                                              \
    }

#endif
