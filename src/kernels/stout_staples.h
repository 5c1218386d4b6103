/* stout_staples.h - the exponent of a level of stout smearing.
 *
 *     i Q_mu(x) = [Omega]_TA = -rho [U_mu(x) sum_nu W_nu]_TA,   W_nu: from x+mu around the plaquette in nu to x,
 * as Omega = C U^+ is the sum of the plaquettes from x, walked against the link.
 *
 * With open boundaries in t (open_args.h) plaquettes through inactive links have weight 0. */
#ifndef KILN_KERNELS_STOUT_STAPLES_H
#define KILN_KERNELS_STOUT_STAPLES_H

#include "src/kernels/stout_args.h"
#include "src/kernels/weighted_staples.h"

SITE_FN corners stout_corners(const lattice_view *l, site x, site x_mu, int nu)
{
    corners s;
    s.x = x;
    s.mu = x_mu;
    s.nu = site_step(l, x, nu);
    s.both = site_step(l, x_mu, nu);
    return s;
}

/* sum + W, or sum where W is not in the lattice; the plaquette of W has U_mu(x) and goes to the signed direction nu. */
SITE_FN su3 stout_add(const lattice_view *l, int open, site x, int mu, int nu, su3 w, su3 sum)
{
    if (!open || (mu != 3 && axis_of(nu) != 3))
        return su3_add(sum, w);
    const int below = mu != 3 && (nu & BACKWARD) ? 1 : 0;
    real active = spread(0);
    for (int lane = 0; lane < LANES; lane++)
        set_lane(&active, lane, (scalar)open_weight(1, l->global[3], slice_of_site(l, x.at[lane]), below, 1));
    return su3_weighted(active, w, sum);
}

SITE_FN algebra stout_exponent(const lattice_view *l, const gauge_view *u, scalar rho, int axes, int open, site x,
                               int mu)
{
    site x_mu = site_up(l, x, mu);
    su3 sum = su3_zero();
    KEEP_LOOP
    for (int step = 0; step < STEPS; step++) {
        int nu = staple_axis(mu, step);
        if (nu >= axes)
            continue;
        corners ahead = stout_corners(l, x, x_mu, nu), behind = stout_corners(l, x, x_mu, nu | BACKWARD);
        sum = stout_add(l, open, x, mu, nu, plaquette_staple(u, &ahead, mu, nu), sum);
        sum = stout_add(l, open, x, mu, nu | BACKWARD, plaquette_staple(u, &behind, mu, nu | BACKWARD), sum);
    }
    algebra part = algebra_part(su3_mul(load_link(u, x, mu), sum));
    for (int i = 0; i < ALGEBRA_REALS; i++)
        part.c[i] = spread(-rho) * part.c[i];
    return part;
}

#endif
