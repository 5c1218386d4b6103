/* bicg_verbs.c - what BiCGstab(l) does with the vectors of a batch, in native format. */
#define OVER_SLABS
#include "src/kernels/bicg_verbs.h"

BICG_VERBS(VECTOR_NATIVE, )
