/* grid_digests.h - results that have the same bits on each place and on each grid of ranks. */
#ifndef KILN_TESTS_LATTICE_GRID_DIGESTS_H
#define KILN_TESTS_LATTICE_GRID_DIGESTS_H

#include "src/lattice/lattice.h"

#include <stdint.h>

/* A digest of results on a lattice, which is that of one rank or divided; all ranks return the same. */
typedef uint64_t digest_fn(lattice *l, place where);

/* Facts: on `where`, and there on 2, 4 and 16 ranks that are threads, the digest is that of one rank on the CPU.
 * `extents` are of the whole lattice; `what` names the results. */
void same_on_grids(place where, const int extents[4], digest_fn *digest, const char *what);

/* The same for kernels that read `hops` sites far (lattice/grid.h). */
void same_on_grids_with_hops(place where, const int extents[4], int hops, digest_fn *digest, const char *what);

#endif
