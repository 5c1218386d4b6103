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
    int rows;                              /* sites of one parity in a block */
    int *sites[2];                         /* of each parity, [row][coarse index]: aggregate_view; at `where` */
    int *aggregate, *row, *leaves;         /* by index of a fine site (mg_args.h); at `where` */
} aggregates;

/* Whether blocks of these extents cut the lattice into a coarse lattice: they divide the extents of the lattice and of
 * each process, and coarse extents are even; one extent of a block is even; with open boundaries a block has two time
 * slices or more.  False with the reason. */
bool aggregates_are_possible(const lattice_shape *fine, const int block[4], failure *f);
lattice_shape aggregates_coarse_shape(const lattice_shape *fine, const int block[4]);

/* For blocks that are possible.  Collective. */
aggregates *aggregates_create(lattice *fine, place where, const int block[4]);
void aggregates_free(aggregates *a);
size_t aggregates_bytes(const lattice_shape *fine, const int block[4]);        /* of the tables */

aggregate_view aggregates_view(const aggregates *a, int parity);

#endif
