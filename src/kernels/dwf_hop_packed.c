/* dwf_hop_packed.c - the hop of domain-wall quarks, in the formats of this precision. */
#define OVER_SLABS
#include "src/kernels/dwf_hops.h"

#ifdef SINGLE
DWF_HOPS(VECTOR_HALF, _half)
DWF_HOPS(VECTOR_INT20, _int20)
#else
DWF_HOPS(VECTOR_INT30, _int30)
#endif
