/* staggered_hop_packed.c - the staggered Dirac operator, with vectors in the formats of this precision and links in
 * fixed point. */
#include "src/kernels/staggered_hops.h"

#define HOPS(format, suffix)                                                                                           \
    SITE_MAP(staggered_hop_sites##suffix, packed_hop_args, a, x)                                                       \
    {                                                                                                                  \
        store_vector_as(format, &a->hop.out, x, hop(format, &a->hop, a->unit, x));                                     \
    }                                                                                                                  \
    SITE_SUM(staggered_normal##suffix, 2, 0, packed_hop_args, a, x, s) { normal_as(format, &a->hop, a->unit, x, s); }

#ifdef SINGLE
HOPS(VECTOR_HALF, _half)
HOPS(VECTOR_INT20, _int20)
#else
HOPS(VECTOR_INT30, _int30)
#endif
