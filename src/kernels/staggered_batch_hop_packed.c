/* staggered_batch_hop_packed.c - the staggered Dirac operator for 1, 2, 4, 8 vectors at once, in the formats of this
 * precision and with links in fixed point. */
#include "src/kernels/staggered_batch.h"

#define BATCH_HOPS(format, suffix)                                                                                     \
    BATCH_HOP(format, suffix, 1)                                                                                       \
    BATCH_HOP(format, suffix, 2)                                                                                       \
    BATCH_HOP(format, suffix, 4)                                                                                       \
    BATCH_HOP(format, suffix, 8)

#ifdef SINGLE
BATCH_HOPS(VECTOR_HALF, _half)
BATCH_HOPS(VECTOR_INT20, _int20)
#else
BATCH_HOPS(VECTOR_INT30, _int30)
#endif
