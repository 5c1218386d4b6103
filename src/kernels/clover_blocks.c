/* clover_blocks.c - c_sw times the clover term of a site, from the links.
 *
 * gamma_mu gamma_nu is i times a Pauli matrix in each chirality, up to a sign, so that
 *     A = sum_k pauli_k h_k,   h_k = -(i/2) H_k,
 *     H_x = -F_yz +- F_xt,   H_y = -F_xz -+ F_yt,   H_z = -F_xy +- F_zt   (upper sign: spins 0 and 1),
 * where F has the factor of its plane. */
#include "src/kernels/clover_args.h"
#include "src/kernels/clover_leaves.h"
#include "src/site/clover_block.h"
#include "src/site/site.h"

/* factor (-i) (by_space space + by_time time) as a hermitian matrix; space and time are 8 F. */
SITE_FN su3 hermitian_of(real factor, real by_space, su3 space, real by_time, su3 time)
{
    su3 h;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const real re = mad(by_time, time.e[i][j].re, by_space * space.e[i][j].re);
            const real im = mad(by_time, time.e[i][j].im, by_space * space.e[i][j].im);
            h.e[i][j].re = factor * im;
            h.e[i][j].im = -(factor * re);
        }
    return h;
}

/* Q - Q^+ */
SITE_PART su3 strength(const clover_blocks_args *a, site x, int mu, int nu)
{
    const su3 q = clover_leaves(&a->l, &a->u, x, mu, nu);
    return su3_axpy(-1, su3_dagger(q), q);
}

SITE_MAP(clover_blocks, clover_blocks_args, a, x)
{
    const real factor = spread((scalar)(-a->c_sw / 16));                 /* c_sw (-1 in H) (1/2 in h) (1/8 in F) */
    const real s = spread((scalar)a->planes.space);
    const su3 yz = strength(a, x, 1, 2), xt = strength(a, x, 0, 3), xz = strength(a, x, 0, 2),
              yt = strength(a, x, 1, 3), xy = strength(a, x, 0, 1), zt = strength(a, x, 2, 3);
    KEEP_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        const real t = spread((scalar)(chirality == 0 ? a->planes.time : -a->planes.time));
        const su3 h_x = hermitian_of(factor, s, yz, -t, xt), h_y = hermitian_of(factor, s, xz, t, yt),
                  h_z = hermitian_of(factor, s, xy, -t, zt);
        clover_block b;
        UNROLL_LOOP
        for (int i = 0; i < 3; i++) {
            b.d[i] = h_z.e[i][i].re;
            b.d[3 + i] = -h_z.e[i][i].re;
            UNROLL_LOOP
            for (int j = 0; j < 3; j++) {
                if (j < i) {
                    b.below[block_at(i, j)] = h_z.e[i][j];
                    b.below[block_at(3 + i, 3 + j)].re = -h_z.e[i][j].re;
                    b.below[block_at(3 + i, 3 + j)].im = -h_z.e[i][j].im;
                }
                b.below[block_at(3 + i, j)].re = h_x.e[i][j].re - h_y.e[i][j].im;     /* h_x + i h_y */
                b.below[block_at(3 + i, j)].im = h_x.e[i][j].im + h_y.e[i][j].re;
            }
        }
        store_clover_block(&a->out, x, chirality, b);
    }
}
