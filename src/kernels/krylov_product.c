/* krylov_product.c - <p, q> of the systems of a batch, in native format. */
#include "src/kernels/krylov_product.h"

BATCH_PRODUCT(VECTOR_NATIVE, )
