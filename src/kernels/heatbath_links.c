/* heatbath_links.c - heat bath and overrelaxation of links, one SU(2) subgroup after the other.
 *
 *     weight of U_mu(x):   exp(Re Tr [U A]),   A = sum of the staples as in kernels/gauge_force.c
 *     U <- a U,  a in SU(2):   Re Tr [a U A] = k Re Tr (a V) + const,  k V the quaternion of U A in that subgroup
 *
 *     heat bath         a V = b drawn with exp(2 k b0): N. Cabibbo, E. Marinari, Phys. Lett. B 119 (1982) 387
 *     overrelaxation    a V = V^+, which does not change the action: M. Creutz, Phys. Rev. D 36 (1987) 515;
 *                       F. R. Brown, T. J. Woch, Phys. Rev. Lett. 58 (1987) 2394
 *
 * A of a link must not contain other links of the same launch (gauge/link_colors.h). */
#include "src/kernels/gauge_staples.h"
#include "src/kernels/heatbath_args.h"
#include "src/site/site.h"
#include "src/site/su2.h"
#include "src/site/su2_random.h"

/* b of the heat bath for each lane; V itself if no draw was accepted, so that a = 1. */
SITE_FN su2 draw(const heatbath_args *a, site x, int subgroup, real k, su2 v)
{
    uint32_t first = a->sweep * HEATBATH_SITE_DRAWS + (uint32_t)(a->mu * HEATBATH_LINK_DRAWS + subgroup * SU2_DRAWS);
    for (int lane = 0; lane < LANES; lane++) {
        double b[4];
        if (su2_random(b, 2 * (double)lane_of(k, lane), a->key, site_global_rank(&a->f.l, x.at[lane]), first))
            for (int i = 0; i < 4; i++)
                set_lane(&v.c[i], lane, (scalar)b[i]);
    }
    return v;
}

SITE_FN su3 all_staples(const gauge_force_args *f, loops upto, site x, int mu)
{
    site x_mu = site_up(&f->l, x, mu);
    su3 staples = su3_zero();
    KEEP_LOOP
    for (int step = 0; step < STEPS; step++) {
        int nu = staple_axis(mu, step);
        staples = add_staples(f, upto, x, x_mu, mu, nu, staples);
        staples = add_staples(f, upto, x, x_mu, mu, nu | BACKWARD, staples);
    }
    return staples;
}

SITE_FN void update(const heatbath_args *a, loops upto, site number)
{
    site x = site_follow(a->sites, number);
    su3 link = load_link(&a->f.u, x, a->mu);
    su3 link_staples = su3_mul(link, all_staples(&a->f, upto, x, a->mu));
    KEEP_LOOP
    for (int subgroup = 0; subgroup < SU2_SUBGROUPS; subgroup++) {
        int i = su2_row(subgroup), j = su2_next_row(subgroup);
        su2 v = su2_part(link_staples, i, j), b;
        real k = su2_norm(v);
        v = su2_direction(v, k);
        if (a->overrelax) {
            b.c[0] = v.c[0];
            for (int n = 1; n < 4; n++)
                b.c[n] = -v.c[n];
        } else
            b = draw(a, x, subgroup, k, v);
        su2 step = su2_mul_dag(b, v);
        link = su2_times(step, link, i, j);
        link_staples = su2_times(step, link_staples, i, j);
    }
    store_link(&a->f.u, x, a->mu, link);
}

SITE_MAP(heatbath_plaquette, heatbath_args, a, n)     { update(a, PLAQUETTES, n); }
SITE_MAP(heatbath_rectangle, heatbath_args, a, n)     { update(a, RECTANGLES, n); }
SITE_MAP(heatbath_parallelogram, heatbath_args, a, n) { update(a, PARALLELOGRAMS, n); }
