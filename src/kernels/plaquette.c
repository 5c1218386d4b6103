/* plaquette.c - the plaquettes that start at one site.
 *
 *     Re Tr U_mu(x) U_nu(x+mu) [U_nu(x) U_mu(x+nu)]^+
 *     s0 = sum over the 3 spatial planes, s1 = over the 3 temporal ones
 */
#define SITE_RESIDENT (sizeof(scalar) == sizeof(float) ? 4 : 2)
#include "src/kernels/args.h"
#include "src/site/site.h"

SITE_SUM(plaquette, 2, 0, gauge_args, a, x, s)
{
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 3; mu++) {
        su3 first = load_link(&a->u, x, mu);
        site x_mu = site_up(&a->l, x, mu);
        KEEP_LOOP
        for (int nu = mu + 1; nu < 4; nu++) {
            su3 mu_first = su3_mul(first, load_link(&a->u, x_mu, nu));
            su3 nu_first = su3_mul(load_link(&a->u, x, nu), load_link(&a->u, site_up(&a->l, x, nu), mu));
            real trace = su3_re_trace_mul_dag(mu_first, nu_first);
            if (nu == 3)
                s[1] = s[1] + trace;
            else
                s[0] = s[0] + trace;
        }
    }
}
