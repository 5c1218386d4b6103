/* staggered_batch.cu - the staggered operator of src/kernels/staggered_batch_hop*.c and staggered_batch_normal*.c on
 * tiles: the same operations in the same order for each site, so the bits are the same. */
#include "gpu/staggered_tuned.h"

TUNED_BATCH(VECTOR_NATIVE, LINK_NATIVE, )
#ifdef SINGLE
TUNED_BATCH(VECTOR_HALF, LINK_FIXED16, _half)
TUNED_BATCH(VECTOR_INT20, LINK_FIXED16, _int20)
#else
TUNED_BATCH(VECTOR_INT30, LINK_FIXED32, _int30)
#endif
