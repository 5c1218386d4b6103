/* staggered_batch_normal_packed.c - the second hop of the normal operator for 1, 2, 4, 8 systems at once, and their
 * curvatures, in the formats of this precision and with links in fixed point. */
#include "src/kernels/staggered_batch.h"

#ifdef SINGLE
FOR_1_2_4_8(BATCH_NORMAL, VECTOR_HALF, LINK_FIXED16, _half)
FOR_1_2_4_8(BATCH_NORMAL, VECTOR_INT20, LINK_FIXED16, _int20)
#else
FOR_1_2_4_8(BATCH_NORMAL, VECTOR_INT30, LINK_FIXED32, _int30)
#endif
