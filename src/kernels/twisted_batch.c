/* twisted_batch.c - blocks with a twisted mass times the vectors of a batch, in native format. */
#include "src/kernels/krylov_site.h"
#include "src/kernels/clover_products.h"

CLOVER_BATCH(twisted_batch, VECTOR_NATIVE, true)
