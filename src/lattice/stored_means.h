/* stored_means.h - plaquette and link trace of a gauge field as a file will hold it.
 *
 * Reals are rounded, and what the file leaves out is completed, before anything is measured; on the CPU, wherever the
 * field is, a few time slices at a time, with the same exact sums as of a whole field: the same bits. */
#ifndef KILN_LATTICE_STORED_MEANS_H
#define KILN_LATTICE_STORED_MEANS_H

#include "src/lattice/gauge.h"

/* What a file makes of the links of `count` sites, [site][mu][row][col][re,im], in place. */
typedef void links_rounding(double *links, size_t count, const void *layout);

typedef struct { double plaquette, link_trace; } stored_means;

/* Of u in double precision.  NaN where a term is not finite or is beyond SUM_BOUND_LARGE. */
stored_means gauge_stored_means(const gauge *u, links_rounding *store, const void *layout);

/* Host memory that it takes, at most. */
size_t stored_means_bytes(const lattice_shape *shape);

#endif
