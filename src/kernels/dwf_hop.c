/* dwf_hop.c - the hop of domain-wall quarks, in native format. */
#define OVER_SLABS
#include "src/kernels/dwf_hops.h"

DWF_HOPS(VECTOR_NATIVE, )
