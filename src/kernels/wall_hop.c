/* wall_hop.c - the hop of domain-wall quarks, in native format. */
#define OVER_SLABS
#include "src/kernels/wall_hops.h"

WALL_HOPS(VECTOR_NATIVE, )
