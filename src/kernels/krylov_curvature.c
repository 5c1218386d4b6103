/* krylov_curvature.c - <p, (C^+C + shift) p> of the systems of a batch, in native format. */
#define OVER_SLABS
#include "src/kernels/krylov_curvature.h"

BATCH_CURVATURE(VECTOR_NATIVE, )
