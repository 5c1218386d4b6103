/* clover_leaves.h - the four plaquettes of a plane around a site, from which field strengths are made.
 *
 * Reads links up to the ghosts of GHOSTS_SIDES. */
#ifndef KILN_KERNELS_CLOVER_LEAVES_H
#define KILN_KERNELS_CLOVER_LEAVES_H

#include "src/kernels/gauge_staples.h"

/* The plaquette x -> x+a -> x+a+b -> x+b -> x, directions with a sign. */
SITE_PART su3 clover_leaf(const lattice_view *l, const gauge_view *u, site x, int a, int b)
{
    corners s;
    s.x = x;
    s.mu = site_step(l, x, a);
    s.nu = site_step(l, x, b);
    s.both = site_step(l, s.mu, b);
    return su3_mul(load_between(u, x, s.mu, a), plaquette_staple(u, &s, a, b));
}

/* Q_mu,nu(x): the sum of the four plaquettes of the plane that start at x and turn from mu to nu. */
SITE_PART su3 clover_leaves(const lattice_view *l, const gauge_view *u, site x, int mu, int nu)
{
    su3 sum = su3_zero();
    int a = mu, b = nu;
    KEEP_LOOP
    for (int n = 0; n < 4; n++) {
        sum = su3_add(sum, clover_leaf(l, u, x, a, b));
        int turned = opposite(a);
        a = b;
        b = turned;
    }
    return sum;
}

#endif
