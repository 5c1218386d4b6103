/* clover_inverse.c - inverses of the blocks of a site, and the logarithm of their determinant. */
#include "src/kernels/clover_args.h"
#include "src/kernels/clover_pivots.h"
#include "src/site/site.h"

SITE_SUM(clover_inverse, 1, 1, clover_inverse_args, a, x, s)
{
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        const clover_block b = load_clover_block(&a->in, x, chirality);
        const clover_block f = clover_block_factors(clover_block_plus(spread((scalar)a->diagonal), b));
        add_pivots(f, 1, s);
        store_clover_block(&a->out, x, chirality, clover_block_inverse(f));
    }
}
