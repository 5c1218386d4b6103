/* staggered_batch_normal.c - the second hop of the normal operator for 1, 2, 4, 8 systems at once, and their
 * curvatures, in native format. */
#include "src/kernels/staggered_batch.h"

FOR_1_2_4_8(BATCH_NORMAL, VECTOR_NATIVE, LINK_NATIVE, )
