/* clover_batch.c - the clover term times the vectors of a batch, in native format. */
#include "src/kernels/krylov_site.h"
#include "src/kernels/clover_products.h"

CLOVER_BATCH(clover_batch, VECTOR_NATIVE, false)
