/* clover_batch_packed.c - the clover term times the vectors of a batch, in the formats of this precision. */
#include "src/kernels/krylov_site.h"
#include "src/kernels/clover_products.h"

#ifdef SINGLE
CLOVER_BATCH(clover_batch_half, VECTOR_HALF, false)
CLOVER_BATCH(clover_batch_int20, VECTOR_INT20, false)
#else
CLOVER_BATCH(clover_batch_int30, VECTOR_INT30, false)
#endif
