/* stout_links.c - a level of stout smearing: U'_mu(x) = exp(i Q_mu(x)) U_mu(x). */
#include "src/kernels/stout_staples.h"
#include "src/site/site.h"

SITE_MAP(stout_links_sites, stout_links_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < a->axes; mu++) {
        su3 rotation = algebra_exp(1, stout_exponent(&a->l, &a->u, (scalar)a->rho, a->axes, a->open, x, mu));
        store_link(&a->out, x, mu, su3_mul(rotation, load_link(&a->u, x, mu)));
    }
    KEEP_LOOP
    for (int mu = a->axes; mu < 4; mu++)
        store_link(&a->out, x, mu, load_link(&a->u, x, mu));
}
