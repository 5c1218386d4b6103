/* clover_product_packed.c - the clover term times a spinor, in the formats of this precision. */
#include "src/kernels/clover_products.h"

#ifdef SINGLE
CLOVER_PRODUCT(VECTOR_HALF, _half)
CLOVER_PRODUCT(VECTOR_INT20, _int20)
#else
CLOVER_PRODUCT(VECTOR_INT30, _int30)
#endif
