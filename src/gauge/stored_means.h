/* stored_means.h - plaquette and link trace of a gauge field, as a program that reads its file will compute them.
 *
 * Before the measurement, the numbers are rounded as in the file, and numbers that the file omits are computed from the
 * others.  All this is done on the CPU, a few time slices at a time, with exact sums: the result has the bits of a
 * measurement on the whole field. */
#ifndef KILN_GAUGE_STORED_MEANS_H
#define KILN_GAUGE_STORED_MEANS_H

#include "src/gauge/gauge.h"

/* Changes the links of `count` sites, [site][mu][row][col][re,im], in place, to those that the file stores. */
typedef void links_rounding(double *links, size_t count, const void *layout);

/* Means of Re Tr / 3, 1 for unit links. */
typedef struct { double plaquette, link_trace; } stored_means;

/* For u in double precision; `layout` is the last argument of `store`.  NaN if a term is not finite or is beyond
 * SUM_BOUND_LARGE.  Collective. */
stored_means gauge_stored_means(const gauge *u, links_rounding *store, const void *layout);

/* Upper bound of the host memory of gauge_stored_means. */
size_t stored_means_bytes(const lattice_shape *shape);

#endif
