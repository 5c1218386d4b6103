/* exchange.c - an exchange by the transport of the lattice. */
#include "src/halo/exchange.h"

#include "src/halo/connection.h"

#include <assert.h>

void field_exchange(const field *f, ghost_level level)
{
    const ghost_boxes *ghosts = lattice_ghosts(f->lattice);
    if (ghosts->count == 0 || ghosts->box[0].level > level)
        return;
    assert(level <= f->ghosts);
    const connection *c = connection_of(f->lattice, f->where);
    c->by->exchange(c->state, f, level);
}

size_t field_exchange_bytes(const lattice_shape *shape, precision p, int reals, int slabs, int parities,
                            ghost_level level)
{
    return (size_t)(parities * slabs) * (size_t)ghost_sites(shape, level) * (size_t)reals * precision_bytes(p);
}

void field_exchange_hops(const field *f)
{
    field_exchange(f, lattice_vector_ghosts(lattice_shape_of(f->lattice)));
}
