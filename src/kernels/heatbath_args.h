/* heatbath_args.h - arguments of the kernels of heat bath and overrelaxation. */
#ifndef KILN_KERNELS_HEATBATH_ARGS_H
#define KILN_KERNELS_HEATBATH_ARGS_H

#include "src/kernels/args.h"

/* The kernels update the links U_mu at sites[i], where i runs over the indices of a range.  Copies of the last site
 * extend the list to a multiple of LANES.  f.p and f.weight are not used. */
typedef struct {
    gauge_force_args f;
    const int *sites;
    int mu;
    int overrelax;                  /* 0: heat bath */
    rng_key key;                    /* of the heat bath */
    uint32_t sweep;                 /* number of the sweep under this key, below HEATBATH_SWEEPS */
} heatbath_args;

/* The number of a draw at a site (site/philox.h, 24 bits) is sweep HEATBATH_SITE_DRAWS + mu HEATBATH_LINK_DRAWS
 * + subgroup SU2_DRAWS + the number of the draw in su2_random.h. */
enum { HEATBATH_LINK_DRAWS = 256, HEATBATH_SITE_DRAWS = 4 * HEATBATH_LINK_DRAWS };
enum { HEATBATH_SWEEPS = (1 << 24) / HEATBATH_SITE_DRAWS };

#endif
