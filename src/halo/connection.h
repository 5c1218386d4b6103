/* connection.h - the transport of the ranks of a lattice, and its state.
 *
 * Between CPUs it is the host.  Between GPUs it is chosen by trying one transport after another (transport.h), once for
 * a lattice.  The log says which one, and why. */
#ifndef KILN_HALO_CONNECTION_H
#define KILN_HALO_CONNECTION_H

#include "src/halo/transport.h"

typedef struct { const transport *by; void *state; } connection;

/* For fields at this place; borrowed.  That of GPUs is made at the first call and freed with the lattice: collective,
 * and fatal if the user demands a transport that cannot work. */
const connection *connection_of(lattice *l, place where);

/* For what needs no other rank. */
const connection *connection_of_host(void);

#endif
