/* staggered_batch_hop_13.c - the staggered Dirac operator for 1, 2, 4, 8 vectors at once, in native format and the
 * formats of this precision, with long links in 13 numbers. */
#include "src/kernels/staggered_batch.h"

FOR_1_2_4_8(BATCH_HOP, VECTOR_NATIVE, LINK_13, _13)
#ifdef SINGLE
FOR_1_2_4_8(BATCH_HOP, VECTOR_HALF, LINK_FIXED16_13, _13_half)
FOR_1_2_4_8(BATCH_HOP, VECTOR_INT20, LINK_FIXED16_13, _13_int20)
#else
FOR_1_2_4_8(BATCH_HOP, VECTOR_INT30, LINK_FIXED32_13, _13_int30)
#endif
