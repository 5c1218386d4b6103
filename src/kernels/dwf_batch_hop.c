/* dwf_batch_hop.c - the hop of domain-wall quarks for the systems of a batch, in native format. */
#include "src/kernels/krylov_site.h"
#include "src/kernels/dwf_hops.h"

DWF_BATCH_HOPS(VECTOR_NATIVE, )
