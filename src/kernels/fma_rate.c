/* fma_rate.c - only fused multiply-adds: measures the peak rate of the arithmetic units.
 *
 * A site has eight chains, in which each operation waits for the one before: enough chains to fill the pipelines. */
#include "src/kernels/args.h"
#include "src/site/site.h"

SITE_MAP(fma_rate, fma_rate_args, a, x)
{
    real chain[FMA_CHAINS], factor = spread((scalar)a->factor), sum = spread(0);
    for (int i = 0; i < FMA_CHAINS; i++)
        chain[i] = spread((scalar)i);
    KEEP_LOOP
    for (int round = 0; round < a->rounds; round++)
        for (int link = 0; link < FMA_LINKS; link++)
            for (int i = 0; i < FMA_CHAINS; i++)
                chain[i] = mad(chain[i], factor, factor);
    for (int i = 0; i < FMA_CHAINS; i++)
        sum = sum + chain[i];
    place_of o = find(x, 1);
    store_real(a->out, &o, 0, sum);
}
