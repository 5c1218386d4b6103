/* wilson_hop.cu - the hop of Wilson quarks of src/kernels/wilson_hop.c on tiles, with the same bits. */
#include "gpu/wilson_tuned.h"

TUNED_WILSON_FORMATS(wilson_hop, WILSON_HOP)
