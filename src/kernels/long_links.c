/* long_links.c - long links (products of three links), staggered phases, sums of links.
 *
 *     eta_t = 1,  eta_x = (-1)^t,  eta_y = (-1)^(t+x),  eta_z = (-1)^(t+x+y)
 * in global coordinates, and a factor for each crossing of the upper end in t. */
#include "src/kernels/link_multiple.h"
#include "src/kernels/staggered_args.h"
#include "src/site/site.h"

/* The phase of a link over a->hop sites. */
SITE_PART cplx phase_of(const phase_args *a, site x, int mu)
{
    cplx phase = cplx_zero();
    for (int lane = 0; lane < LANES; lane++) {
        int c[4], t, exponent = 0;
        site_global_coordinates(&a->l, x.at[lane], c);
        t = c[3];
        if (mu < 3)
            exponent = t + (mu > 0 ? c[0] : 0) + (mu > 1 ? c[1] : 0);
        scalar re = exponent % 2 ? (scalar)-1 : (scalar)1, im = 0;
        if (mu == 3)
            for (int end = a->l.global[3]; t + a->hop >= end; end += a->l.global[3]) {
                scalar old = re;
                re = old * (scalar)a->boundary[0] - im * (scalar)a->boundary[1];
                im = old * (scalar)a->boundary[1] + im * (scalar)a->boundary[0];
            }
        set_lane(&phase.re, lane, re);
        set_lane(&phase.im, lane, im);
    }
    return phase;
}

SITE_MAP(long_links, phase_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        site x_mu = site_up(&a->l, x, mu), x_2mu = site_up(&a->l, x_mu, mu);
        su3 two = su3_mul(load_link(&a->in, x, mu), load_link(&a->in, x_mu, mu));
        su3 three = su3_mul(two, load_link(&a->in, x_2mu, mu));
        store_link(&a->out, x, mu, su3_times_cplx(phase_of(a, x, mu), three));
    }
}

SITE_MAP(link_phases, phase_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        store_link(&a->out, x, mu, su3_times_cplx(phase_of(a, x, mu), load_link(&a->in, x, mu)));
}

SITE_MAP(gauge_sum, gauge_sum_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        store_link(&a->out, x, mu, su3_axpy((scalar)a->a, load_link(&a->w, x, mu), load_link(&a->in, x, mu)));
}
