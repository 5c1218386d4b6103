/* mg_site.h - what the kernels of multigrid on slabs share. */
#ifndef KILN_KERNELS_MG_SITE_H
#define KILN_KERNELS_MG_SITE_H

#include "src/kernels/mg_args.h"
#include "src/kernels/neighbour_sum.h"

/* Without the slab in which it was. */
SITE_FN site in_first_slab(site x)
{
    x.before = 0;
    return x;
}

/* Whether a hop in a direction leads to another aggregate from one of these sites (aggregates.h). */
SITE_FN bool any_leaves(const int *leaves, site x, int direction)
{
    bool any = false;
    for (int lane = 0; lane < LANES; lane++)
        any |= leaves[x.at[lane]] >> direction & 1;
    return any;
}

#endif
