/* clover_product_packed.c - the clover term times a spinor, in the formats of this precision. */
#include "src/kernels/clover_products.h"

#ifdef SINGLE
CLOVER_PRODUCT(clover_product_half, VECTOR_HALF, false)
CLOVER_PRODUCT(clover_product_int20, VECTOR_INT20, false)
#else
CLOVER_PRODUCT(clover_product_int30, VECTOR_INT30, false)
#endif
