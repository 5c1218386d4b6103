/* connection.h - the transport of the ranks of a lattice, and its state.
 *
 * CPUs use the host transport.  For GPUs, Kiln tries one transport after another (transport.h), once for a lattice, and
 * logs the choice with the reason. */
#ifndef KILN_HALO_CONNECTION_H
#define KILN_HALO_CONNECTION_H

#include "src/halo/transport.h"

typedef struct { const transport *by; void *state; } connection;

/* The connection for fields at this place; borrowed.  The first call for GPUs creates theirs, which is freed with the
 * lattice: collective, and fatal if the transport that the user demands cannot work. */
const connection *connection_of(lattice *l, place where);

/* For launches that need no other rank. */
const connection *connection_of_host(void);

#endif
