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
#include "src/kernels/heatbath_links.h"
#include "src/site/site.h"

SITE_FN void update(const heatbath_args *a, loops upto, site number)
{
    site x = site_follow(a->sites, number);
    update_link(a, x, all_staples(&a->f, upto, x, a->mu));
}

SITE_MAP(heatbath_plaquette, heatbath_args, a, n)     { update(a, PLAQUETTES, n); }
SITE_MAP(heatbath_rectangle, heatbath_args, a, n)     { update(a, RECTANGLES, n); }
SITE_MAP(heatbath_parallelogram, heatbath_args, a, n) { update(a, PARALLELOGRAMS, n); }
