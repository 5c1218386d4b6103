/* staggered_batch_normal_packed.c - the second hop of the normal operator for 1, 2, 4, 8 systems at once, and their
 * curvatures, in the formats of this precision and with links in fixed point. */
#include "src/kernels/staggered_batch.h"

#define BATCH_NORMALS(format, suffix)                                                                                  \
    BATCH_NORMAL(format, suffix, 1)                                                                                    \
    BATCH_NORMAL(format, suffix, 2)                                                                                    \
    BATCH_NORMAL(format, suffix, 4)                                                                                    \
    BATCH_NORMAL(format, suffix, 8)

#ifdef SINGLE
BATCH_NORMALS(VECTOR_HALF, _half)
BATCH_NORMALS(VECTOR_INT20, _int20)
#else
BATCH_NORMALS(VECTOR_INT30, _int30)
#endif
