/* staggered_hop_9.c - the staggered Dirac operator in native format and the formats of this precision, with long links
 * in 9 numbers. */
#include "src/kernels/staggered_hops.h"

STAGGERED_HOPS(VECTOR_NATIVE, LINK_9, _9)
#ifdef SINGLE
STAGGERED_HOPS(VECTOR_HALF, LINK_FIXED16_9, _9_half)
STAGGERED_HOPS(VECTOR_INT20, LINK_FIXED16_9, _9_int20)
#else
STAGGERED_HOPS(VECTOR_INT30, LINK_FIXED32_9, _9_int30)
#endif
