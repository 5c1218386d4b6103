/* heatbath_args.h - arguments of the kernels of heat bath and overrelaxation. */
#ifndef KILN_KERNELS_HEATBATH_ARGS_H
#define KILN_KERNELS_HEATBATH_ARGS_H

#include "src/kernels/args.h"

/* Links U_mu at sites[0], sites[1], ...: a range has indices of this list.  Copies of the last site extend the list to
 * whole groups of lanes.  f.p and f.weight are not used. */
typedef struct {
    gauge_force_args f;
    const int *sites;
    int mu;
    int overrelax;                  /* 0: heat bath */
    rng_key key;                    /* of the heat bath */
    uint32_t sweep;                 /* number of the sweep under this key, below HEATBATH_SWEEPS */
} heatbath_args;

/* The number of a draw at a site (site/philox.h, 24 bits) counts sweep, link, subgroup, draw of su2_random.h. */
enum { HEATBATH_LINK_DRAWS = 256, HEATBATH_SITE_DRAWS = 4 * HEATBATH_LINK_DRAWS };
enum { HEATBATH_SWEEPS = (1 << 24) / HEATBATH_SITE_DRAWS };

#endif
