/* krylov_verbs.c - what conjugate gradients of a batch do with their vectors, in native format. */
#define OVER_SLABS
#include "src/kernels/krylov_verbs.h"

BATCH_VERBS(VECTOR_NATIVE, )
