/* clover_inverse.c - inverses of the blocks of a site, and the logarithm of their determinant. */
#include "src/kernels/clover_args.h"
#include "src/site/clover_block.h"
#include "src/site/gaussian.h"
#include "src/site/site.h"

SITE_SUM(clover_inverse, 1, 1, clover_inverse_args, a, x, s)
{
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        clover_block b = load_clover_block(&a->in, x, chirality);
        UNROLL_LOOP
        for (int i = 0; i < BLOCK_ROWS; i++)
            b.d[i] = b.d[i] + spread((scalar)a->diagonal);
        b = clover_block_factors(b);
        UNROLL_LOOP
        for (int i = 0; i < BLOCK_ROWS; i++)
            for (int lane = 0; lane < LANES; lane++) {
                const double pivot = fabs((double)lane_of(b.d[i], lane));
                set_lane(&s[0], lane, (scalar)(lane_of(s[0], lane) + (pivot > 0 ? series_log(pivot) : 0)));
                set_lane(&s[1], lane, (scalar)fmax(lane_of(s[1], lane), 1 / pivot));
            }
        store_clover_block(&a->out, x, chirality, clover_block_inverse(b));
    }
}
