/* krylov_product_packed.c - <p, q> of the systems of a batch, in the formats of this precision. */
#include "src/kernels/krylov_product.h"

#ifdef SINGLE
BATCH_PRODUCT(VECTOR_HALF, _half)
BATCH_PRODUCT(VECTOR_INT20, _int20)
#else
BATCH_PRODUCT(VECTOR_INT30, _int30)
#endif
