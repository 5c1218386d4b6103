/* clover_symmetric.c - the hop, then the product by blocks of a clover term, and what is added in the symmetric form of
 * Mhat (wilson_args.h), in every format. */
#include "src/kernels/wilson_hops.h"

WILSON_KERNELS(clover_symmetric, CLOVER_SYMMETRIC)
