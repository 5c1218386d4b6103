/* staggered_hop_13.c - the staggered Dirac operator in native format and the formats of this precision, with long links
 * in 13 numbers. */
#include "src/kernels/staggered_hops.h"

STAGGERED_HOPS(VECTOR_NATIVE, LINK_13, _13)
#ifdef SINGLE
STAGGERED_HOPS(VECTOR_HALF, LINK_FIXED16_13, _13_half)
STAGGERED_HOPS(VECTOR_INT20, LINK_FIXED16_13, _13_int20)
#else
STAGGERED_HOPS(VECTOR_INT30, LINK_FIXED32_13, _13_int30)
#endif
