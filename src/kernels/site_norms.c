/* site_norms.c - the largest |x|^2 of a site, summed over all slabs of a vector: the square of the uniform norm. */
#include "src/kernels/vector_args.h"
#include "src/site/site.h"

SITE_SUM(site_norms, 0, 1, site_norms_args, a, x, s)
{
    real sum = spread(0);
    KEEP_LOOP
    for (int slab = 0; slab < a->slabs; slab++)
        sum = sum + vector_norm2(load_vector(&a->x, site_in_slab(&a->x, slab, x)));
    s[0] = sum;
}
