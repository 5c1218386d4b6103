/* twisted_product_packed.c - blocks with a twisted mass times a spinor, in the formats of this precision. */
#include "src/kernels/clover_products.h"

#ifdef SINGLE
CLOVER_PRODUCT(twisted_product_half, VECTOR_HALF, true)
CLOVER_PRODUCT(twisted_product_int20, VECTOR_INT20, true)
#else
CLOVER_PRODUCT(twisted_product_int30, VECTOR_INT30, true)
#endif
