/* transport.h - the way in which ghosts and sums travel between the GPUs of ranks, as the user wants it. */
#ifndef KILN_HALO_TRANSPORT_H
#define KILN_HALO_TRANSPORT_H

#include "src/base/error.h"

/* The best that works (rank_ways.h); peer memory or an error; NCCL or an error; the host. */
typedef enum { TRANSPORT_BEST, TRANSPORT_PEER, TRANSPORT_NCCL, TRANSPORT_HOST } transport;
const char *transport_name(transport t);
extern const char *const transport_names[];         /* of those that can be asked for; NULL at the end */

/* "peer", "nccl" or "host" into a transport: an option's `read`. */
bool transport_read(const char *given, void *transport, failure *f);

/* What the environment variable KILN_TRANSPORT wants; TRANSPORT_BEST where it is not set. */
bool transport_from_environment(transport *t, failure *f);

/* The transport that an option gives to the calling thread; TRANSPORT_BEST, as at the start: none. */
void transport_want(transport t);
transport transport_wanted(void);

/* What holds for the calling thread: the option, else the environment.  Fatal where that is none. */
transport transport_here(void);

#endif
