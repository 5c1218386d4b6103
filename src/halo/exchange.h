/* exchange.h - ghosts: copies of the sites of other ranks that kernels read.
 *
 * A host function calls field_exchange before it runs a kernel that reads neighbors.  A kernel that writes a field
 * does not change the ghosts of that field. */
#ifndef KILN_HALO_EXCHANGE_H
#define KILN_HALO_EXCHANGE_H

#include "src/lattice/field.h"

/* Fills the ghosts of a field up to a level, for the parities on which the field lives.  The field has memory for this
 * level.  Collective; does nothing on one rank. */
void field_exchange(const field *f, ghost_level level);

/* The same up to the level that hops of operators read (lattice_vector_ghosts). */
void field_exchange_hops(const field *f);

/* Bytes that field_exchange packs for a field with `reals` numbers per site and slab on `parities` parities
 * (1 or 2); 0 on one rank. */
size_t field_exchange_bytes(const lattice_shape *shape, precision p, int reals, int slabs, int parities,
                            ghost_level level);

#endif
