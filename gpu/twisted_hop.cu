/* twisted_hop.cu - the hop with the product by a factor with a twisted mass of src/kernels/twisted_inner.c and
 * twisted_outer.c on tiles, with the same bits. */
#include "gpu/wilson_tuned.h"

TUNED_WILSON_FORMATS(twisted_inner, TWISTED_INNER)
TUNED_WILSON_FORMATS(twisted_outer, TWISTED_OUTER)
