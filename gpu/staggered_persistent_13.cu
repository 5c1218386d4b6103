/* staggered_persistent_13.cu - the loop of conjugate gradients as one kernel, with long links in 13 numbers. */
#include "gpu/persistent_loop.h"

PERSISTENT_LOOP(VECTOR_NATIVE, LINK_13, _13)
#ifdef SINGLE
PERSISTENT_LOOP(VECTOR_HALF, LINK_FIXED16_13, _13_half)
PERSISTENT_LOOP(VECTOR_INT20, LINK_FIXED16_13, _13_int20)
#else
PERSISTENT_LOOP(VECTOR_INT30, LINK_FIXED32_13, _13_int30)
#endif
