/* staggered_batch_9.cu - the staggered operator on tiles with long links in 9 numbers, with the same bits as
 * src/kernels/staggered_batch_hop_9.c and staggered_batch_normal_9.c. */
#include "gpu/staggered_tuned.h"

TUNED_BATCH(VECTOR_NATIVE, LINK_9, _9)
#ifdef SINGLE
TUNED_BATCH(VECTOR_HALF, LINK_FIXED16_9, _9_half)
TUNED_BATCH(VECTOR_INT20, LINK_FIXED16_9, _9_int20)
#else
TUNED_BATCH(VECTOR_INT30, LINK_FIXED32_9, _9_int30)
#endif
