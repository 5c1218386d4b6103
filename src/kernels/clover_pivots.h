/* clover_pivots.h - sums over the pivots of factors of blocks (site/clover_block.h). */
#ifndef KILN_KERNELS_CLOVER_PIVOTS_H
#define KILN_KERNELS_CLOVER_PIVOTS_H

#include "src/site/clover_block.h"
#include "src/site/gaussian.h"

/* Adds weight log |pivot| to s[0]; s[1] is the largest 1 / |pivot|, infinite where a block is singular. */
SITE_FN void add_pivots(clover_block factors, double weight, real *s)
{
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++)
        for (int lane = 0; lane < LANES; lane++) {
            const double pivot = fabs((double)lane_of(factors.d[i], lane));
            set_lane(&s[0], lane, (scalar)(lane_of(s[0], lane) + (pivot > 0 ? weight * series_log(pivot) : 0)));
            set_lane(&s[1], lane, (scalar)fmax(lane_of(s[1], lane), 1 / pivot));
        }
}

#endif
