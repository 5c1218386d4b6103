/* bicg_verbs_packed.c - the vector operations of BiCGstab(l) for a batch, in the formats of this precision. */
#define OVER_SLABS
#include "src/kernels/bicg_verbs.h"

#ifdef SINGLE
BICG_VERBS(VECTOR_HALF, _half)
BICG_VERBS(VECTOR_INT20, _int20)
#else
BICG_VERBS(VECTOR_INT30, _int30)
#endif
