/* staggered_batch_13.cu - the staggered operator on tiles with long links in 13 numbers, with the same bits as
 * src/kernels/staggered_batch_hop_13.c and staggered_batch_normal_13.c. */
#include "gpu/staggered_tuned.h"

TUNED_BATCH(VECTOR_NATIVE, LINK_13, _13)
#ifdef SINGLE
TUNED_BATCH(VECTOR_HALF, LINK_FIXED16_13, _13_half)
TUNED_BATCH(VECTOR_INT20, LINK_FIXED16_13, _13_int20)
#else
TUNED_BATCH(VECTOR_INT30, LINK_FIXED32_13, _13_int30)
#endif
