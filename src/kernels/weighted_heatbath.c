/* weighted_heatbath.c - heat bath and overrelaxation (heatbath_links.c) with weights by direction and time slice.
 *
 * Inactive links of open boundaries are not in the list of sites. */
#include "src/kernels/heatbath_links.h"
#include "src/kernels/weighted_staples.h"
#include "src/site/site.h"

SITE_FN void update(const weighted_heatbath_args *a, loops upto, site number)
{
    site x = site_follow(a->h.sites, number);
    weighted_force_args staples;
    staples.f = a->h.f;
    staples.w = a->w;
    update_link(&a->h, x, weighted_staples(&staples, upto, x, a->h.mu));
}

SITE_MAP(weighted_heatbath_plaquette, weighted_heatbath_args, a, n)     { update(a, PLAQUETTES, n); }
SITE_MAP(weighted_heatbath_rectangle, weighted_heatbath_args, a, n)     { update(a, RECTANGLES, n); }
SITE_MAP(weighted_heatbath_parallelogram, weighted_heatbath_args, a, n) { update(a, PARALLELOGRAMS, n); }
