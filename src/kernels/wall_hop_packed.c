/* wall_hop_packed.c - the hop of domain-wall quarks, in the formats of this precision. */
#define OVER_SLABS
#include "src/kernels/wall_hops.h"

#ifdef SINGLE
WALL_HOPS(VECTOR_HALF, _half)
WALL_HOPS(VECTOR_INT20, _int20)
#else
WALL_HOPS(VECTOR_INT30, _int30)
#endif
