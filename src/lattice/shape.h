/* shape.h - the extents of a lattice: of the whole lattice, and of the block that one process holds.
 *
 * Input, files, records, messages, normalization by the volume and tables of solvers use the global extents.
 * Memory, loops over stored sites and tables of neighbors use the local ones.  The order of directions is always x,
 * y, z, t. */
#ifndef KILN_LATTICE_SHAPE_H
#define KILN_LATTICE_SHAPE_H

#include "src/base/error.h"

#include <stdint.h>

typedef struct {
    int global[4];            /* extents of the whole lattice */
    int grid[4];              /* processes in each direction */
    int local[4];             /* extents of this process: global / grid */
    int origin[4];            /* global coordinates of its first site, all even: a site has the same parity in local and
                               * global coordinates */
    int ghosts;               /* hops in one direction beyond its own sites that kernels read: 2 or 3; 0: none */
    bool open_in_time;        /* open boundaries in t (kernels/open_args.h); else periodic */
} lattice_shape;

/* One process that holds the whole lattice.  It accepts any extents; lattice_shape_is_possible checks them. */
lattice_shape lattice_shape_single(const int extents[4]);

/* The block of a rank on a grid; ranks are numbered with x fastest.  `ghosts`: as in lattice_shape; ignored if
 * nothing is split. */
lattice_shape lattice_shape_of_rank(const int extents[4], const int grid[4], int rank, int ghosts);
int shape_ranks(const lattice_shape *shape);         /* processes of the grid */

/* The rank whose block lies step[mu] blocks away in each direction, periodically. */
int shape_neighbor(const lattice_shape *shape, const int step[4]);

/* The largest number of sites of a process, with padding and over all slabs of a field (field.h), because indices are
 * ints.  A GPU loop counts beyond the last index by the number of threads of its launch: 2^22 are reserved for this.
 * Sums allow more sites: 2^27 merged cells over all processes, one for each block of a GPU or thread of a CPU in a
 * launch, and values below 2^27 times the bound of a term (site/exact_sum.h). */
#define LATTICE_MAX_INDEX (INT32_MAX - (1 << 22))

/* Whether a lattice can have this shape: global and local extents and the origin even, extents at least 2, local
 * extents in split directions at least `ghosts`, and at most LATTICE_MAX_INDEX sites with padding on a process.
 * False with the reason in `f`, which may be NULL. */
bool lattice_shape_is_possible(const lattice_shape *shape, failure *f);

/* Numbers of sites: of the whole lattice; of this process; of one parity of this process, without and with padding
 * (site/view.h). */
int64_t lattice_global_sites(const lattice_shape *shape);
int64_t lattice_local_sites(const lattice_shape *shape);
int64_t lattice_half(const lattice_shape *shape);
int64_t lattice_padded_half(const lattice_shape *shape);

/* The smallest of the extents in x, y and z. */
int shape_smallest_in_space(const int extents[4]);

#endif
