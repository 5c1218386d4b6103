/* krylov_verbs_packed.c - the vector operations of conjugate gradients for a batch, in the formats of this
 * precision. */
#define OVER_SLABS
#include "src/kernels/krylov_verbs.h"

#ifdef SINGLE
BATCH_VERBS(VECTOR_HALF, _half)
BATCH_VERBS(VECTOR_INT20, _int20)
#else
BATCH_VERBS(VECTOR_INT30, _int30)
#endif
