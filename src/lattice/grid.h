/* grid.h - how ranks divide the lattice: a grid of blocks of equal extents.
 *
 * A grid is possible if every extent of a block is even, and if the extents in split directions are at least the reach
 * of kernels in hops (`ghosts`, lattice_shape.ghosts).  Results do not depend on the grid. */
#ifndef KILN_LATTICE_GRID_H
#define KILN_LATTICE_GRID_H

#include "src/lattice/shape.h"

/* The reach of kernels in hops: of gauge observables (rectangles, clover leaves), and the largest of all (long
 * links). */
enum { GRID_HOPS_LEAST = 2, GRID_HOPS_MOST = 3 };

/* Whether a grid is possible; false with the reason and the list of possible grids of the same number of ranks. */
bool grid_is_possible(const int extents[4], const int grid[4], int ghosts, failure *f);

/* Finds the possible grid of `ranks` ranks with the smallest predicted time of an exchange.  Among grids with equal
 * times it prefers splits in t, then z, then y.  False with the reason if there is none: `f` lists possible numbers of
 * ranks. */
bool grid_choose(int grid[4], const int extents[4], int ranks, int ghosts, failure *f);

/* Sets the grid of the user for the world of the calling thread (comm.h); NULL (initial value): use grid_choose. */
void grid_want(const int grid[4]);

/* The shape of this rank of the world of the calling thread, on the grid of the user or the best one.  Fatal if that is
 * not possible: callers first call grid_is_possible_here. */
lattice_shape grid_shape_here(const int extents[4], int ghosts);
bool grid_is_possible_here(const int extents[4], int ghosts, failure *f);

/* For estimates without ranks.  After grid_pretend, the two functions above return results for the calling thread as if
 * it were rank 0 of `ranks` ranks on `grid` ({ 0 }: use grid_choose), in a run that is split into `groups` groups
 * (comm_split; 0 means 1) of this size.  ranks = 0: back to its world.  Returns the request before.  No lattice can be
 * created of such a shape.  grid_groups_here: the number of groups, pretended or real. */
typedef struct { int ranks, grid[4], groups; } grid_request;
grid_request grid_pretend(grid_request as_if);
int grid_groups_here(void);

#endif
