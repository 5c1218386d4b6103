/* aggregates.h - the blocks of sites that multigrid turns into the sites of a coarse lattice.
 *
 * Blocks are cut in global coordinates, and each lies within one process.  So they, and the order of the sites in them,
 * do not depend on the process grid. */
#ifndef KILN_SOLVERS_MULTIGRID_AGGREGATES_H
#define KILN_SOLVERS_MULTIGRID_AGGREGATES_H

#include "src/kernels/mg_args.h"
#include "src/lattice/lattice.h"

typedef struct {
    lattice *fine, *coarse;                /* fine: borrowed */
    place where;
    int block[4];                          /* extents of a block, x y z t */
    int rows;                              /* number of sites of one parity in a block */
    /* Tables at `where` (kernels/mg_args.h). */
    int *sites[2];                         /* [parity][row][coarse site]: the fine site; aggregate_view */
    int *aggregate, *row;                  /* of each fine site: its coarse site; its row in the block */
    int *leaves;                           /* of each fine site: bit d is set if direction d leaves the block */
} aggregates;

/* Whether blocks of these extents are possible; false with the reason.  They must divide the extents of the lattice and
 * of each process; the coarse extents must be even; at least one extent of a block must be even; with open boundaries
 * in t a block must have two time slices or more. */
bool aggregates_are_possible(const lattice_shape *fine, const int block[4], failure *f);
lattice_shape aggregates_coarse_shape(const lattice_shape *fine, const int block[4]);

/* For blocks that are possible.  Collective. */
aggregates *aggregates_create(lattice *fine, place where, const int block[4]);
void aggregates_free(aggregates *a);
size_t aggregates_bytes(const lattice_shape *fine, const int block[4]);        /* of the tables */

aggregate_view aggregates_view(const aggregates *a, int parity);

#endif
