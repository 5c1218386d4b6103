/* twisted_product.c - blocks with a twisted mass times a spinor, in native format. */
#include "src/kernels/clover_products.h"

CLOVER_PRODUCT(twisted_product, VECTOR_NATIVE, true)
