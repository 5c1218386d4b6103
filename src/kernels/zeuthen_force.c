/* zeuthen_force.c - the force of the Zeuthen flow from Z, the force of the tree-level Symanzik action:
 *
 *     P_mu <- P_mu + weight (1 + D_mu/12) Z_mu,
 *     D_mu Z_mu(x) = U_mu(x) Z_mu(x+mu) U_mu(x)^+ - 2 Z_mu(x) + U_mu(x-mu)^+ Z_mu(x-mu) U_mu(x-mu)
 *
 * A. Ramos and S. Sint, Eur. Phys. J. C 76 (2016) 15 (arXiv:1508.05552): flow observables have no errors of order a^2
 * from the integration of the flow equation. */
#include "src/kernels/zeuthen_args.h"
#include "src/site/site.h"

SITE_FN su3 force_at(const momentum_view *z, site x, int mu)
{
    return algebra_matrix(load_algebra(z, x, mu));
}

SITE_MAP(zeuthen_force, zeuthen_args, a, x)
{
    const scalar weight = (scalar)a->weight, share = (scalar)(a->weight / 12);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        site ahead = site_up(&a->l, x, mu), behind = site_down(&a->l, x, mu);
        su3 u = load_link(&a->u, x, mu), v = load_link(&a->u, behind, mu);
        su3 from_ahead = su3_mul_dag(su3_mul(u, force_at(&a->z, ahead, mu)), u);
        su3 from_behind = su3_mul(su3_dag_mul(v, force_at(&a->z, behind, mu)), v);
        algebra here = load_algebra(&a->z, x, mu), p = load_algebra(&a->p, x, mu);
        p = algebra_axpy(weight - 2 * share, here, p);
        p = algebra_axpy(share, algebra_part(su3_add(from_ahead, from_behind)), p);
        store_algebra(&a->p, x, mu, p);
    }
}
