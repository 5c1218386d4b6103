/* chain.c - the digest over the results of all trajectories. */
#include "src/ensemble/chain.h"

#include "src/base/checksum.h"

#include <math.h>

uint64_t chain_next(uint64_t before, const chain_link *link)
{
    const uint64_t words[] = { before, link->input_digest, link->seed, link->stream, (uint64_t)link->trajectory,
                               link->accepted, link->thermalization };
    double reals[] = { link->random, link->dh, link->plaquette.average, link->plaquette.spatial,
                       link->plaquette.temporal, link->rectangle, link->parallelogram, link->polyakov.re,
                       link->polyakov.im };
    /* As in the record, every number that is not finite becomes the same NaN. */
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if (!isfinite(reals[i]))
            reals[i] = NAN;
    return digest64(digest64(DIGEST64_START, words, sizeof words), reals, sizeof reals);
}
