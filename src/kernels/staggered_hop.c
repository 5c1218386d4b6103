/* staggered_hop.c - the staggered Dirac operator, with links and vectors in native format. */
#define SITE_RESIDENT 8
#include "src/kernels/staggered_hops.h"

SITE_MAP(staggered_hop_sites, staggered_args, a, x)
{
    store_vector(&a->out, x, hop(VECTOR_NATIVE, LINK_NATIVE, a, 1, x));
}

SITE_SUM(staggered_normal, 2, 0, staggered_args, a, x, s)
{
    normal_as(VECTOR_NATIVE, LINK_NATIVE, a, 1, x, s);
}
