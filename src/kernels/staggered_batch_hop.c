/* staggered_batch_hop.c - the staggered Dirac operator for 1, 2, 4, 8 vectors at once, in native format. */
#include "src/kernels/staggered_batch.h"

BATCH_HOP(VECTOR_NATIVE, , 1)
BATCH_HOP(VECTOR_NATIVE, , 2)
BATCH_HOP(VECTOR_NATIVE, , 4)
BATCH_HOP(VECTOR_NATIVE, , 8)
