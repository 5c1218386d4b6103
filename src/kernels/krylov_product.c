/* krylov_product.c - <p, q> of the systems of a batch, in native format. */
#include "src/kernels/krylov_product.h"

BATCH_PRODUCTS(VECTOR_NATIVE, )
