/* symmetric_hop.cu - the hop with the product by a factor, and y, of src/kernels/clover_symmetric.c and
 * twisted_symmetric.c on tiles, with the same bits. */
#include "gpu/wilson_tuned.h"

TUNED_WILSON_FORMATS(clover_symmetric, CLOVER_SYMMETRIC)
TUNED_WILSON_FORMATS(twisted_symmetric, TWISTED_SYMMETRIC)
