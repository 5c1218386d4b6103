/* field_strength.c - the clover leaf of one site: energy and topological charge of the field strength.
 *
 *     G_mu,nu(x) = [Q_mu,nu(x)]_TA,   Q: the sum of the four plaquettes of the plane that start at x and turn from mu
 *     to nu; the field strength is F = G / 4 (a^2 F: site units).
 *     s0 = sum over the 3 spatial planes of Tr G^+G,  s1 = over the 3 temporal ones
 *     s2 = Re Tr (G_01^+ G_23 - G_02^+ G_13 + G_03^+ G_12)
 */
#include "src/kernels/field_strength.h"
#include "src/site/site.h"

SITE_SUM(field_strength, 3, 0, gauge_args, g, x, s) { field_strength_of(g, x, s); }
