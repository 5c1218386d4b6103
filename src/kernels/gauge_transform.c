/* gauge_transform.c - a gauge transformation: U_mu(x) <- g(x) U_mu(x) g(x+mu)^+,  P_mu(x) <- g(x) P_mu(x) g(x)^+. */
#include "src/kernels/args.h"
#include "src/site/site.h"

SITE_MAP(gauge_transform, gauge_transform_args, a, x)
{
    su3 here = load_matrix(&a->g, x);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 there = su3_dagger(load_matrix(&a->g, site_up(&a->l, x, mu)));
        store_link(&a->u, x, mu, su3_mul(su3_mul(here, load_link(&a->u, x, mu)), there));
    }
}

SITE_MAP(momentum_transform, momentum_transform_args, a, x)
{
    su3 here = load_matrix(&a->g, x);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 p = algebra_matrix(load_algebra(&a->p, x, mu));
        store_algebra(&a->p, x, mu, algebra_part(su3_mul(su3_mul(here, p), su3_dagger(here))));
    }
}
