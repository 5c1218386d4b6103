/* clover_exponential.c - exponentials of the blocks of a site. */
#include "src/kernels/clover_args.h"
#include "src/site/block_exponential.h"
#include "src/site/site.h"

SITE_MAP(clover_exponential, clover_exponential_args, a, x)
{
    KEEP_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        const clover_block e = clover_block_exponential((scalar)a->scale, load_clover_block(&a->in, x, chirality));
        store_clover_block(&a->out, x, chirality, clover_block_scale(spread((scalar)a->factor), e));
    }
}
