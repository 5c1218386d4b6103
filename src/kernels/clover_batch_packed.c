/* clover_batch_packed.c - the clover term times the vectors of a batch, in the formats of this precision. */
#include "src/kernels/krylov_site.h"
#include "src/kernels/clover_products.h"

#ifdef SINGLE
CLOVER_BATCH(VECTOR_HALF, _half)
CLOVER_BATCH(VECTOR_INT20, _int20)
#else
CLOVER_BATCH(VECTOR_INT30, _int30)
#endif
