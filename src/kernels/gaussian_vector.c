/* gaussian_vector.c - complex normal components of weight exp(-|eta|^2): real and imaginary parts of variance 1/2.
 *
 * Random numbers depend on the global site, so a vector on one parity has the same numbers as a vector on all sites. */
#define ONE_LANE
#include "src/kernels/vector_args.h"
#include "src/site/gaussian.h"
#include "src/site/site.h"

#define SQRT_HALF 0.70710678118654752

SITE_MAP(gaussian_vector, gaussian_vector_args, a, x)
{
    uint64_t rank = site_global_rank(&a->l, x.at[0]);
    color_vector v;
    for (int i = 0; i < VECTOR_DRAWS; i++) {
        double g[2];
        rng_gaussian_pair(a->key, rank, a->first_draw + (uint32_t)i, g);
        v.c[i].re = (real)(g[0] * SQRT_HALF);
        v.c[i].im = (real)(g[1] * SQRT_HALF);
    }
    store_vector(&a->v, x, v);
}
