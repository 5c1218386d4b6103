/* bicg_verbs.c - the vector operations of BiCGstab(l) for a batch, in native format. */
#define OVER_SLABS
#include "src/kernels/bicg_verbs.h"

BICG_VERBS(VECTOR_NATIVE, )
