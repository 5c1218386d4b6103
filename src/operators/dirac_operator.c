/* dirac_operator.c - vectors for any Dirac operator. */
#include "src/operators/dirac_operator.h"

vec *dirac_vec_create(const dirac_operator *d, parity_set on, vec_storage in)
{
    return vec_create_stored(d->lattice, on, d->where, in, d->slabs);
}

size_t dirac_vec_bytes(const dirac_plan *plan, const lattice_shape *shape, vec_storage in)
{
    return (size_t)plan->slabs * vec_stored_bytes(shape, in, plan->kind->home);
}

vec_storage dirac_full_storage(const dirac_operator *d)
{
    return (vec_storage){ VECTOR_NATIVE, d->precision };
}
