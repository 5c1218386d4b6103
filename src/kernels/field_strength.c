/* field_strength.c - the clover leaf of one site: energy and topological charge of the field strength.
 *
 *     G_mu,nu(x) = [Q_mu,nu(x)]_TA,   Q: the sum of the four plaquettes of the plane that start at x and turn from mu
 *     to nu; the field strength is F = G / 4 (a^2 F: site units).
 *     s0 = sum over the 3 spatial planes of Tr G^+G,  s1 = over the 3 temporal ones
 *     s2 = Re Tr (G_01^+ G_23 - G_02^+ G_13 + G_03^+ G_12)
 */
#include "src/kernels/args.h"
#include "src/kernels/clover_leaves.h"
#include "src/site/site.h"

SITE_FN algebra clover(const gauge_args *g, site x, int mu, int nu)
{
    return algebra_part(clover_leaves(&g->l, &g->u, x, mu, nu));
}

/* Re Tr A^+B */
SITE_FN real product(algebra a, algebra b)
{
    real diagonal = mad(a.c[0], b.c[0], mad(a.c[1], b.c[1], (a.c[0] + a.c[1]) * (b.c[0] + b.c[1])));
    real off = spread(0);
    for (int i = 2; i < 8; i++)
        off = mad(a.c[i], b.c[i], off);
    return mad(spread(2), off, diagonal);
}

SITE_SUM(field_strength, 3, 0, gauge_args, g, x, s)
{
    s[0] = s[1] = s[2] = spread(0);
    KEEP_LOOP
    for (int nu = 1; nu < 4; nu++) {                     /* planes (0, nu) and (rho, sigma) */
        int rho = nu == 1 ? 2 : 1, sigma = nu == 3 ? 2 : 3;
        algebra with_x = clover(g, x, 0, nu), without_x = clover(g, x, rho, sigma);
        real charge = product(with_x, without_x), one = algebra_norm2(with_x), other = algebra_norm2(without_x);
        s[0] = s[0] + (nu == 3 ? other : one);
        s[1] = s[1] + (nu == 3 ? one : other);
        s[2] = nu == 2 ? s[2] - charge : s[2] + charge;
    }
}
