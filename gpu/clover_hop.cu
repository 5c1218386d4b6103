/* clover_hop.cu - the hop with the product by a clover term of src/kernels/clover_inner.c and clover_outer.c on tiles,
 * with the same bits. */
#include "gpu/wilson_tuned.h"

TUNED_WILSON_FORMATS(clover_inner, CLOVER_INNER)
TUNED_WILSON_FORMATS(clover_outer, CLOVER_OUTER)
