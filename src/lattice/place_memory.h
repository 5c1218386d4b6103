/* place_memory.h - memory at the place where trajectories run: fields, tables, cells of sums, the state of solvers.
 *
 * It is counted separately for CPU and GPU, by the same rules, so that a run on either can be compared with an
 * estimate of its memory that was made on any machine. */
#ifndef KILN_LATTICE_PLACE_MEMORY_H
#define KILN_LATTICE_PLACE_MEMORY_H

#include "src/lattice/place.h"

/* Zeroed; never NULL: if memory runs out, the program ends with a message that names `what` and the bytes.  place_free
 * ignores NULL. */
void *place_alloc(place where, size_t bytes, const char *what);
void  place_free(place where, void *p);

/* Bytes from place_alloc that this rank has not freed: now, and the largest value so far. */
size_t place_bytes_now(place where);
size_t place_bytes_peak(place where);

#endif
