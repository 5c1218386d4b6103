/* connection.h - the transport that the ranks of a lattice use, and its state.
 *
 * Ranks on CPUs use the host transport.  For GPUs, Kiln tries one transport after another (transport.h), once for each
 * lattice, and logs the choice with the reason. */
#ifndef KILN_HALO_CONNECTION_H
#define KILN_HALO_CONNECTION_H

#include "src/halo/transport.h"

typedef struct { const transport *by; void *state; } connection;

/* The connection for fields at a place; borrowed.  The first call for PLACE_GPU creates the connection, which
 * lattice_free frees: this call is collective, and fatal if no transport works, or not the one that the user
 * demands. */
const connection *connection_of(lattice *l, place where);

/* The host transport without a state: for launches that need no other rank. */
const connection *connection_of_host(void);

#endif
