/* open_heatbath.c - heat bath and overrelaxation (heatbath_links.c) with open boundaries in time.
 *
 * Inactive links are not in the list of sites. */
#include "src/kernels/heatbath_links.h"
#include "src/kernels/open_staples.h"
#include "src/site/site.h"

SITE_FN void update(const open_heatbath_args *a, loops upto, site number)
{
    site x = site_follow(a->h.sites, number);
    open_force_args staples;
    staples.f = a->h.f;
    staples.w = a->w;
    update_link(&a->h, x, open_staples(&staples, upto, x, a->h.mu));
}

SITE_MAP(open_heatbath_plaquette, open_heatbath_args, a, n)     { update(a, PLAQUETTES, n); }
SITE_MAP(open_heatbath_rectangle, open_heatbath_args, a, n)     { update(a, RECTANGLES, n); }
SITE_MAP(open_heatbath_parallelogram, open_heatbath_args, a, n) { update(a, PARALLELOGRAMS, n); }
