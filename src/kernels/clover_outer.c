/* clover_outer.c - the hop, and blocks of a clover term times a spinor (wilson_args.h), in every format. */
#include "src/kernels/wilson_hops.h"

WILSON_KERNELS(clover_outer, CLOVER_OUTER)
