/* place_memory.h - memory at the place where trajectories run: fields, tables, cells of sums, the state of solves.
 *
 * It is counted separately for CPU and GPU, by the same rule, so that an estimate of memory made on any machine can be
 * compared with the memory of a run. */
#ifndef KILN_LATTICE_PLACE_MEMORY_H
#define KILN_LATTICE_PLACE_MEMORY_H

#include "src/lattice/place.h"

/* Zeroed; never NULL: if memory runs out, the program ends with a message that names `what` and the bytes.  place_free
 * ignores NULL. */
void *place_alloc(place where, size_t bytes, const char *what);
void  place_free(place where, void *p);

/* Bytes of place_alloc that have not been freed: now, and the largest value so far. */
size_t place_bytes_now(place where);
size_t place_bytes_peak(place where);

#endif
