/* momentum_norms.c - sums and norms of momenta. */
#include "src/kernels/args.h"
#include "src/site/site.h"

/* Y <- Y + a X */
SITE_MAP(momentum_axpy_sites, momentum_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        store_algebra(&a->y, x, mu,
                      algebra_axpy((scalar)a->a, load_algebra(&a->x, x, mu), load_algebra(&a->y, x, mu)));
}

/* Y <- a X + b Y */
SITE_MAP(momentum_mix_sites, momentum_mix_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        store_algebra(&a->y, x, mu,
                      algebra_axpy((scalar)a->a, load_algebra(&a->x, x, mu),
                                   algebra_scale((scalar)a->b, load_algebra(&a->y, x, mu))));
}

/* s0 = sum_mu Tr P^+P, s1 = the largest Tr P^+P of the four */
SITE_SUM(momentum_norms, 1, 1, momentum_args, a, x, s)
{
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        real norm2 = algebra_norm2(load_algebra(&a->y, x, mu));
        s[0] = s[0] + norm2;
        s[1] = larger_or_nan(norm2, s[1]);
    }
}
