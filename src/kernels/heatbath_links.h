/* heatbath_links.h - a new link from its staples, one SU(2) subgroup after the other (heatbath_links.c). */
#ifndef KILN_KERNELS_HEATBATH_LINKS_H
#define KILN_KERNELS_HEATBATH_LINKS_H

#include "src/kernels/heatbath_args.h"
#include "src/site/load.h"
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

SITE_FN void update_link(const heatbath_args *a, site x, su3 staples)
{
    su3 link = load_link(&a->f.u, x, a->mu);
    su3 link_staples = su3_mul(link, staples);
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

#endif
