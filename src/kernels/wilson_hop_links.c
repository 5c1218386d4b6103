/* wilson_hop_links.c - the hop of Wilson quarks (wilson_args.h) with links in 8 and in all 18 numbers, of native
 * vectors: for studies of accuracy (bench/link_errors.h). */
#include "src/kernels/wilson_hops.h"

WILSON_KERNEL(wilson_hop_links8, VECTOR_NATIVE, LINK_8, WILSON_HOP)
WILSON_KERNEL(wilson_hop_links18, VECTOR_NATIVE, LINK_NATIVE, WILSON_HOP)
