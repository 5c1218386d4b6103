/* twisted_batch_packed.c - blocks with a twisted mass times the vectors of a batch, in the formats of this
 * precision. */
#include "src/kernels/krylov_site.h"
#include "src/kernels/clover_products.h"

#ifdef SINGLE
CLOVER_BATCH(twisted_batch_half, VECTOR_HALF, true)
CLOVER_BATCH(twisted_batch_int20, VECTOR_INT20, true)
#else
CLOVER_BATCH(twisted_batch_int30, VECTOR_INT30, true)
#endif
