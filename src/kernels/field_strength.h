/* field_strength.h - sums over the planes of the clover leaves of one site (field_strength.c). */
#ifndef KILN_KERNELS_FIELD_STRENGTH_H
#define KILN_KERNELS_FIELD_STRENGTH_H

#include "src/kernels/args.h"
#include "src/kernels/clover_leaves.h"

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

SITE_FN void field_strength_of(const gauge_args *g, site x, real *s)
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

#endif
