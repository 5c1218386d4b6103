/* twisted_symmetric.c - the hop, then the product by a factor with a twisted mass, and what is added in the symmetric
 * form of Mhat (wilson_args.h), in every format. */
#include "src/kernels/wilson_hops.h"

WILSON_KERNELS(twisted_symmetric, TWISTED_SYMMETRIC)
