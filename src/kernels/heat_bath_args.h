/* heat_bath_args.h - what the updates of links one by one are given. */
#ifndef KILN_KERNELS_HEAT_BATH_ARGS_H
#define KILN_KERNELS_HEAT_BATH_ARGS_H

#include "src/kernels/args.h"

/* Links U_mu at sites[0], sites[1], ...: a range counts these.  The list goes on with copies of its last site up to a
 * whole group of lanes.  f.p and f.weight are not used. */
typedef struct {
    gauge_force_args f;
    const int *sites;
    int mu;
    int overrelax;                  /* 0: heat bath */
    rng_key key;                    /* of the heat bath, */
    uint32_t sweep;                 /* and its number under this key, below HEAT_BATH_SWEEPS */
} heat_bath_args;

/* Draws of a site (site/philox.h, 24 bits) are counted: sweep, link, subgroup, draw of su2_random.h. */
enum { HEAT_BATH_LINK_DRAWS = 256, HEAT_BATH_SITE_DRAWS = 4 * HEAT_BATH_LINK_DRAWS };
enum { HEAT_BATH_SWEEPS = (1 << 24) / HEAT_BATH_SITE_DRAWS };

#endif
