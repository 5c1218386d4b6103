/* twisted_inverse.c - inverses of the blocks of a site with a twisted mass, and the logarithm of their determinant. */
#include "src/kernels/clover_args.h"
#include "src/kernels/clover_pivots.h"
#include "src/site/block_exponential.h"
#include "src/site/site.h"

SITE_SUM(twisted_inverse, 1, 1, twisted_inverse_args, a, x, s)
{
    const scalar mu = (scalar)a->mu, mu2 = (scalar)a->sign * (mu * mu);
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        const clover_block t = clover_block_plus(spread((scalar)a->diagonal), load_clover_block(&a->in, x, chirality));
        const clover_block f = clover_block_factors(clover_block_mad(t, t, clover_block_number(mu2)));
        const clover_block inverse = clover_block_inverse(f);
        add_pivots(f, 0.5, s);
        store_clover_block(&a->real, x, chirality, clover_block_mad(t, inverse, clover_block_number(0)));
        store_clover_block(&a->twisted, x, chirality, clover_block_scale(spread(-mu), inverse));
    }
}
