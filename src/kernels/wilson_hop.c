/* wilson_hop.c - the hop of Wilson quarks (wilson_args.h), in every format. */
#include "src/kernels/wilson_hops.h"

WILSON_KERNELS(wilson_hop, WILSON_HOP)
