/* place_memory.h - memory for what lives where the trajectories are made: fields, tables, cells of sums, the state of
 * solves.
 *
 * It is counted by place, on the CPU by the same rule as on the GPU, so that a plan of memory made on any machine can
 * be held against what a run takes. */
#ifndef KILN_LATTICE_PLACE_MEMORY_H
#define KILN_LATTICE_PLACE_MEMORY_H

#include "src/lattice/place.h"

/* Zeroed; never NULL: fatal with what needed how much.  place_free: NULL does nothing. */
void *place_alloc(place where, size_t bytes, const char *what);
void  place_free(place where, void *p);

/* Bytes of place_alloc that have not been given back: now, and at the most so far. */
size_t place_bytes_now(place where);
size_t place_bytes_peak(place where);

#endif
