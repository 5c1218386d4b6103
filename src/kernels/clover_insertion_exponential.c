/* clover_insertion_exponential.c - insertions of pairs of spinors for the exponential of a clover term.
 *
 * With the hermitian M = sum_n a_n (x_n y_n^+ + y_n x_n^+) / 2 of a chirality,
 *     sum_n a_n Re y_n^+ dT x_n = Tr M L(scale B, dB) = Tr L(scale B, M) dB        (site/block_exponential.h). */
#include "src/kernels/clover_insertion.h"
#include "src/site/block_exponential.h"
#include "src/site/site.h"

/* m + a (x y^+ + y x^+) / 2 */
SITE_FN clover_block add_pair(real half_a, half_spinor x, half_spinor y, clover_block m)
{
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++) {
        const cplx xi = x.s[i / 3].c[i % 3], yi = y.s[i / 3].c[i % 3];
        m.d[i] = mad(half_a + half_a, mad(xi.re, yi.re, xi.im * yi.im), m.d[i]);
        UNROLL_LOOP
        for (int j = 0; j < i; j++) {
            const cplx xj = x.s[j / 3].c[j % 3], yj = y.s[j / 3].c[j % 3];
            cplx both;
            both.re = mad(xi.re, yj.re, mad(xi.im, yj.im, mad(yi.re, xj.re, yi.im * xj.im)));
            both.im = mad(xi.im, yj.re, mad(-xi.re, yj.im, mad(yi.im, xj.re, -(yi.re * xj.im))));
            m.below[block_at(i, j)].re = mad(half_a, both.re, m.below[block_at(i, j)].re);
            m.below[block_at(i, j)].im = mad(half_a, both.im, m.below[block_at(i, j)].im);
        }
    }
    return m;
}

SITE_PART clover_block inserted_block(const clover_insertion_exponential_args *a, site x, int chirality)
{
    clover_block m = clover_block_number(0);
    KEEP_LOOP
    for (int n = 0; n < a->pairs.count; n++)
        m = add_pair(spread((scalar)(a->pairs.a[n] / 2)), load_chirality(&a->pairs.x[n], x, chirality),
                     load_chirality(&a->pairs.y[n], x, chirality), m);
    return clover_block_exponential_derivative((scalar)a->scale, load_clover_block(&a->blocks, x, chirality), m);
}

SITE_MAP(clover_insertion_exponential, clover_insertion_exponential_args, a, x)
{
    add_block_insertions(&a->pairs.out, x, spread(1), inserted_block(a, x, 0), inserted_block(a, x, 1));
}
