/* staggered_hop_packed.c - the staggered Dirac operator, with vectors in the formats of this precision and links in
 * fixed point. */
#include "src/kernels/staggered_hops.h"

#ifdef SINGLE
STAGGERED_HOPS(VECTOR_HALF, LINK_FIXED16, _half)
STAGGERED_HOPS(VECTOR_INT20, LINK_FIXED16, _int20)
#else
STAGGERED_HOPS(VECTOR_INT30, LINK_FIXED32, _int30)
#endif
