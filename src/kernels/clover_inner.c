/* clover_inner.c - the hop, then the product by blocks of a clover term (wilson_args.h), in every format. */
#include "src/kernels/wilson_hops.h"

WILSON_KERNELS(clover_inner, CLOVER_INNER)
