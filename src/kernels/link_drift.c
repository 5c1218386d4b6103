/* link_drift.c - the links follow the momenta: U_mu(x) <- exp(dt P_mu(x)) U_mu(x). */
#include "src/kernels/args.h"
#include "src/site/site.h"

SITE_MAP(link_drift, link_drift_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 rotation = algebra_exp((scalar)a->dt, load_algebra(&a->p, x, mu));
        store_link(&a->u, x, mu, su3_mul(rotation, load_link(&a->u, x, mu)));
    }
}
