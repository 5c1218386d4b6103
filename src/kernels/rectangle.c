/* rectangle.c - the twelve 2x1 rectangles that start at one site.
 *
 *     s0 = sum over mu != nu of Re Tr U_mu(x) U_mu(x+mu) U_nu(x+2mu) [U_nu(x) U_mu(x+nu) U_mu(x+mu+nu)]^+
 */
#include "src/kernels/args.h"
#include "src/site/site.h"

SITE_SUM(rectangle, 1, 0, gauge_args, a, x, s)
{
    s[0] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        site x_mu = site_up(&a->l, x, mu), x_2mu = site_up(&a->l, x_mu, mu);
        su3 two = su3_mul(load_link(&a->u, x, mu), load_link(&a->u, x_mu, mu));
        KEEP_LOOP
        for (int nu = 0; nu < 4; nu++) {
            if (nu == mu)
                continue;
            site x_nu = site_up(&a->l, x, nu), x_mu_nu = site_up(&a->l, x_mu, nu);
            su3 mu_first = su3_mul(two, load_link(&a->u, x_2mu, nu));
            su3 nu_first = su3_mul(load_link(&a->u, x, nu), load_link(&a->u, x_nu, mu));
            nu_first = su3_mul(nu_first, load_link(&a->u, x_mu_nu, mu));
            s[0] = s[0] + su3_re_trace_mul_dag(mu_first, nu_first);
        }
    }
}
