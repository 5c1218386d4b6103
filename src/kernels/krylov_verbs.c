/* krylov_verbs.c - the vector operations of conjugate gradients for a batch, in native format. */
#define OVER_SLABS
#include "src/kernels/krylov_verbs.h"

BATCH_VERBS(VECTOR_NATIVE, )
