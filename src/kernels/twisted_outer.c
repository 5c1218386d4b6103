/* twisted_outer.c - the hop, and a factor with a twisted mass times a spinor (wilson_args.h), in every format. */
#include "src/kernels/wilson_hops.h"

WILSON_KERNELS(twisted_outer, TWISTED_OUTER)
