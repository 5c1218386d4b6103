/* staggered_batch_hop.c - the staggered Dirac operator for 1, 2, 4, 8 vectors at once, in native format. */
#include "src/kernels/staggered_batch.h"

FOR_1_2_4_8(BATCH_HOP, VECTOR_NATIVE, LINK_NATIVE, )
