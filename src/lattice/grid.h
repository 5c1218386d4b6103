/* grid.h - how ranks divide the lattice: a grid of blocks of equal extents.
 *
 * A grid is possible if every extent of a block is even, and in a direction that is split at least as large as kernels
 * reach (lattice_shape.ghosts).  Results do not depend on the grid. */
#ifndef KILN_LATTICE_GRID_H
#define KILN_LATTICE_GRID_H

#include "src/lattice/shape.h"

/* How far kernels reach: those of gauge observables (rectangles, clover leaves), and any (long links). */
enum { GRID_HOPS_LEAST = 2, GRID_HOPS_MOST = 3 };

/* Whether a grid is possible; false with the reason and the list of possible grids of as many ranks. */
bool grid_is_possible(const int extents[4], const int grid[4], int ghosts, failure *f);

/* The possible grid of so many ranks with the smallest predicted time of an exchange; of equal ones that which splits
 * t, then z, then y.  False with the reason if there is none: `f` says which numbers of ranks are possible. */
bool grid_choose(int grid[4], const int extents[4], int ranks, int ghosts, failure *f);

/* The grid that the user wants for the world of the calling thread (comm.h); NULL, as at the start: grid_choose. */
void grid_want(const int grid[4]);

/* The shape of this rank of the world of the calling thread, on the wanted grid.  Fatal if that is not possible:
 * callers check it before with grid_is_possible_here. */
lattice_shape grid_shape_here(const int extents[4], int ghosts);
bool grid_is_possible_here(const int extents[4], int ghosts, failure *f);

/* For estimates without ranks: the two functions above answer the calling thread as if it were rank 0 of so many ranks
 * on a grid ({ 0 }: grid_choose).  0 ranks: for its world again.  Returns what held before.  A lattice of such a shape
 * cannot be created. */
/* groups: of so many ranks each, as if the run were split (comm_split); 0 is 1. */
typedef struct { int ranks, grid[4], groups; } grid_request;
grid_request grid_pretend(grid_request as_if);
int grid_groups_here(void);

#endif
