/* random_fields.c - momenta, links and gauge rotations drawn from Philox (site/philox.h).
 *
 * The momentum of a link has the weight exp(-1/2 Tr P^+P): in a basis that is orthonormal under Re Tr A^+B, each of the
 * eight coefficients is normal with variance 1.  With the Gell-Mann directions,
 *     P00 = i (g3/sqrt2 + g8/sqrt6),  P11 = i (-g3/sqrt2 + g8/sqrt6),  P_ij = (g + i g')/sqrt2.
 * SU(3) matrices have the Haar measure: two rows of complex normal numbers are orthonormalized, and the third row
 * follows from them. */
#define ONE_LANE
#include "src/kernels/defect_box.h"
#include "src/site/gaussian.h"
#include "src/site/site.h"

#define SQRT_HALF 0.70710678118654752
#define SQRT_SIXTH 0.40824829046386302

/* Pairs of normal numbers for a momentum and for an SU(3) matrix, which begins at draw number first_draw. */
enum { MOMENTUM_PAIRS = 4, SU3_PAIRS = 6 };

SITE_MAP(gaussian_momentum, gaussian_momentum_args, a, x)
{
    uint64_t rank = site_global_rank(&a->l, x.at[0]);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        double g[2 * MOMENTUM_PAIRS];
        for (int pair = 0; pair < MOMENTUM_PAIRS; pair++)
            rng_gaussian_pair(a->key, rank, (uint32_t)(mu * MOMENTUM_PAIRS + pair), g + 2 * pair);
        double third = g[0] * SQRT_HALF, eighth = g[1] * SQRT_SIXTH;
        algebra p;
        p.c[0] = (real)(eighth + third);
        p.c[1] = (real)(eighth - third);
        for (int i = 2; i < ALGEBRA_REALS; i++)
            p.c[i] = (real)(g[i] * SQRT_HALF);
        store_algebra(&a->p, x, mu, p);
    }
}

SITE_FN su3 random_su3(rng_key key, uint64_t rank, int first_draw)
{
    su3 m = su3_zero();
    for (int pair = 0; pair < SU3_PAIRS; pair++) {
        double g[2];
        rng_gaussian_pair(key, rank, (uint32_t)(first_draw + pair), g);
        m.e[pair / 3][pair % 3].re = (real)g[0];
        m.e[pair / 3][pair % 3].im = (real)g[1];
    }
    return su3_from_two_rows(m);
}

SITE_MAP(random_links, random_links_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        store_link(&a->u, x, mu, random_su3(a->key, site_global_rank(&a->l, x.at[0]), mu * SU3_PAIRS));
}

SITE_MAP(random_defect, random_defect_args, a, x)
{
    if (is_in_defect(&a->g.l, &a->box, x.at[0]))
        store_link(&a->g.u, x, a->box.direction, random_su3(a->key, site_global_rank(&a->g.l, x.at[0]), 0));
}

SITE_MAP(random_matrix, random_matrix_args, a, x)
{
    store_matrix(&a->g, x, random_su3(a->key, site_global_rank(&a->l, x.at[0]), 0));
}
