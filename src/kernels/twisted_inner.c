/* twisted_inner.c - the hop, then the product by a factor with a twisted mass (wilson_args.h), in every format. */
#include "src/kernels/wilson_hops.h"

WILSON_KERNELS(twisted_inner, TWISTED_INNER)
