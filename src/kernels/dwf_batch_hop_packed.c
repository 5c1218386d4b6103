/* dwf_batch_hop_packed.c - the hop of domain-wall quarks for the systems of a batch, in the formats of this
 * precision. */
#include "src/kernels/krylov_site.h"
#include "src/kernels/dwf_hops.h"

#ifdef SINGLE
DWF_BATCH_HOPS(VECTOR_HALF, _half)
DWF_BATCH_HOPS(VECTOR_INT20, _int20)
#else
DWF_BATCH_HOPS(VECTOR_INT30, _int30)
#endif
