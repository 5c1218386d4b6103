/* loops_of_site.h - Re Tr of loops that start at one site: plaquettes, rectangles, and parallelograms (bent six-link
 * loops). */
#ifndef KILN_KERNELS_LOOPS_OF_SITE_H
#define KILN_KERNELS_LOOPS_OF_SITE_H

#include "src/kernels/args.h"
#include "src/site/load.h"

/* Re Tr of the plaquettes that start at x: s0 = the sum over the 3 spatial planes, s1 = over the 3 temporal ones */
SITE_FN void plane_traces(const gauge_args *a, site x, real *s)
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

/* Re Tr U_mu(x) U_mu(x+mu) U_nu(x+2mu) [U_nu(x) U_mu(x+nu) U_mu(x+mu+nu)]^+; two = U_mu(x) U_mu(x+mu) */
SITE_FN real rectangle_trace(const gauge_args *a, site x, int mu, int nu, su3 two)
{
    site x_mu = site_up(&a->l, x, mu), x_2mu = site_up(&a->l, x_mu, mu);
    site x_nu = site_up(&a->l, x, nu), x_mu_nu = site_up(&a->l, x_mu, nu);
    su3 mu_first = su3_mul(two, load_link(&a->u, x_2mu, nu));
    su3 nu_first = su3_mul(load_link(&a->u, x, nu), load_link(&a->u, x_nu, mu));
    nu_first = su3_mul(nu_first, load_link(&a->u, x_mu_nu, mu));
    return su3_re_trace_mul_dag(mu_first, nu_first);
}

/* U_mu(x) U_mu(x+mu) */
SITE_FN su3 two_links(const gauge_args *a, site x, int mu)
{
    return su3_mul(load_link(&a->u, x, mu), load_link(&a->u, site_up(&a->l, x, mu), mu));
}

/* Re Tr of the loop (mu, nu, rho, -mu, -nu, -rho), mu < nu < rho the directions except `left_out`; bit 0 of `signs`: nu
 * goes backward, bit 1: rho. */
SITE_FN real parallelogram_trace(const gauge_args *a, site x, int left_out, int signs)
{
    int mu = left_out == 0, nu = left_out <= 1 ? 2 : 1, rho = left_out == 3 ? 2 : 3;
    int step[6] = { mu, signs & 1 ? opposite(nu) : nu, signs & 2 ? opposite(rho) : rho, 0, 0, 0 };
    for (int i = 0; i < 3; i++)
        step[i + 3] = opposite(step[i]);
    su3 path = load_link(&a->u, x, mu);
    site y = site_up(&a->l, x, mu);
    KEEP_LOOP
    for (int i = 1; i < 5; i++) {
        path = su3_mul(path, load_hop(&a->l, &a->u, y, step[i]));
        y = site_step(&a->l, y, step[i]);
    }
    return su3_re_trace_mul(path, load_hop(&a->l, &a->u, y, step[5]));
}

#endif
