/* staggered_persistent.cu - the loop of conjugate gradients as one kernel, for vectors in each format. */
#include "gpu/persistent_loop.h"

PERSISTENT_LOOP(VECTOR_NATIVE, LINK_NATIVE, )
#ifdef SINGLE
PERSISTENT_LOOP(VECTOR_HALF, LINK_FIXED16, _half)
PERSISTENT_LOOP(VECTOR_INT20, LINK_FIXED16, _int20)
#else
PERSISTENT_LOOP(VECTOR_INT30, LINK_FIXED32, _int30)
#endif
