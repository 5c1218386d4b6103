/* stout_staples.h - the exponent of a level of stout smearing.
 *
 *     i Q_mu(x) = [Omega]_TA = -rho [U_mu(x) sum_nu W_nu]_TA,   W_nu: from x+mu around the plaquette in nu to x,
 * as Omega = C U^+ is the sum of the plaquettes from x, walked against the link. */
#ifndef KILN_KERNELS_STOUT_STAPLES_H
#define KILN_KERNELS_STOUT_STAPLES_H

#include "src/kernels/gauge_staples.h"
#include "src/kernels/stout_args.h"

SITE_FN corners stout_corners(const lattice_view *l, site x, site x_mu, int nu)
{
    corners s;
    s.x = x;
    s.mu = x_mu;
    s.nu = site_step(l, x, nu);
    s.both = site_step(l, x_mu, nu);
    return s;
}

SITE_FN algebra stout_exponent(const lattice_view *l, const gauge_view *u, scalar rho, int axes, site x, int mu)
{
    site x_mu = site_up(l, x, mu);
    su3 sum = su3_zero();
    KEEP_LOOP
    for (int step = 0; step < STEPS; step++) {
        int nu = staple_axis(mu, step);
        if (nu >= axes)
            continue;
        corners ahead = stout_corners(l, x, x_mu, nu), behind = stout_corners(l, x, x_mu, nu | BACKWARD);
        sum = su3_add(sum, plaquette_staple(u, &ahead, mu, nu));
        sum = su3_add(sum, plaquette_staple(u, &behind, mu, nu | BACKWARD));
    }
    algebra part = algebra_part(su3_mul(load_link(u, x, mu), sum));
    for (int i = 0; i < ALGEBRA_REALS; i++)
        part.c[i] = spread(-rho) * part.c[i];
    return part;
}

#endif
