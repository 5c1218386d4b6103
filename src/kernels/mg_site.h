/* mg_site.h - common functions of the multigrid kernels on slabs. */
#ifndef KILN_KERNELS_MG_SITE_H
#define KILN_KERNELS_MG_SITE_H

#include "src/kernels/mg_args.h"
#include "src/kernels/neighbour_sum.h"

/* The same site in the first slab. */
SITE_FN site in_first_slab(site x)
{
    x.before = 0;
    return x;
}

/* Whether a hop in a direction from one of these sites leads to another aggregate (aggregates.h). */
SITE_FN bool any_leaves(const int *leaves, site x, int direction)
{
    bool any = false;
    for (int lane = 0; lane < LANES; lane++)
        any |= leaves[x.at[lane]] >> direction & 1;
    return any;
}

#endif
