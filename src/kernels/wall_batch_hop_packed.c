/* wall_batch_hop_packed.c - the hop of domain-wall quarks for the systems of a batch, in the formats of this
 * precision. */
#include "src/kernels/krylov_site.h"
#include "src/kernels/wall_hops.h"

#ifdef SINGLE
WALL_BATCH_HOPS(VECTOR_HALF, _half)
WALL_BATCH_HOPS(VECTOR_INT20, _int20)
#else
WALL_BATCH_HOPS(VECTOR_INT30, _int30)
#endif
