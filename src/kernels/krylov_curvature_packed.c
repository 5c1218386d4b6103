/* krylov_curvature_packed.c - <p, (C^+C + shift) p> of the systems of a batch, in the formats of this precision. */
#define OVER_SLABS
#include "src/kernels/krylov_curvature.h"

#ifdef SINGLE
BATCH_CURVATURE(VECTOR_HALF, _half)
BATCH_CURVATURE(VECTOR_INT20, _int20)
#else
BATCH_CURVATURE(VECTOR_INT30, _int30)
#endif
