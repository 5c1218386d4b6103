/* clover_product.c - the clover term times a spinor, in native format. */
#include "src/kernels/clover_products.h"

CLOVER_PRODUCT(clover_product, VECTOR_NATIVE, false)
