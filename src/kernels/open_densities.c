/* open_densities.c - field strength and plaquettes with open boundaries in time: sums, and numbers of each site.
 *
 *     open_field_strength    the sums of field_strength.c without the first and the last slice, whose leaves with t
 *                            would have inactive links
 *     open_densities         the numbers of open_args.h at each site, for sums over time slices */
#include "src/kernels/field_strength.h"
#include "src/kernels/loops_of_site.h"
#include "src/kernels/open_args.h"
#include "src/kernels/time_slices.h"
#include "src/site/site.h"

SITE_FN void field_strength_between_ends(const gauge_args *g, site x, real *s)
{
    const real inside = is_between_ends(&g->l, x);
    field_strength_of(g, x, s);
    for (int i = 0; i < 3; i++)
        s[i] = s[i] * inside;
}

SITE_SUM(open_field_strength, 3, 0, gauge_args, g, x, s) { field_strength_between_ends(g, x, s); }

SITE_MAP(open_densities, open_density_args, a, x)
{
    real s[3], active = spread(0), planes[2];
    place_of o = find(x, DENSITIES);
    for (int lane = 0; lane < LANES; lane++)
        set_lane(&active, lane, (scalar)open_weight(1, a->g.l.global[3], slice_of_site(&a->g.l, x.at[lane]), 0, 1));
    field_strength_between_ends(&a->g, x, s);
    plane_traces(&a->g, x, planes);
    store_real(a->densities, &o, DENSITY_ENERGY_SPACE, s[0]);
    store_real(a->densities, &o, DENSITY_ENERGY_TIME, s[1]);
    store_real(a->densities, &o, DENSITY_CHARGE, s[2]);
    store_real(a->densities, &o, DENSITY_PLANES_SPACE, planes[0]);
    store_real(a->densities, &o, DENSITY_PLANES_TIME, planes[1] * active);
}
