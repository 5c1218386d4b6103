/* view.h - the lattice and its fields as a kernel gets them: structs of pointers, passed by value.
 *
 * A view owns nothing and has no precision: the kernel that reads it was compiled for the precision of the field.
 * Kernel and host share these structs; nothing here depends on SINGLE.
 *
 * Order of sites: even sites, then odd sites; within a parity lexicographic with x fastest; each parity
 * padded to a multiple of SITE_TILE.  Padding sites are valid memory; their neighbors are padding sites of the other
 * parity; sums omit them.
 *
 * Sites of other ranks that kernels read (ghosts) have indices below the even sites, which are negative, or above the
 * odd ones (lattice/ghosts.h); tables of neighbors lead to them.
 *
 * A site has one index, the same in every field of its lattice, whatever sites the field lives on.  Kernels get it from
 * a range, follow it through the tables of neighbors, and use it to load and store (load.h).  Code that needs the
 * parity, the coordinates or the address of an index calls the functions here and in load.h.  Exceptions compute with
 * indices: src/lattice, kernels/time_slices.h, and code that works on whole tiles (halo/peer_pieces.c, and kernels in
 * gpu/ by tiles.h, hop_places.h and gauge_force_tiles.h). */
#ifndef KILN_SITE_VIEW_H
#define KILN_SITE_VIEW_H

#include "src/site/target.h"

#include <stdbool.h>
#include <stdint.h>

enum { SITE_TILE_BITS = 5, SITE_TILE = 1 << SITE_TILE_BITS };  /* sites interleaved in memory: a warp reads in a row */

typedef struct {
    const int *up[4];         /* up[mu][x]: the site x + mu */
    const int *down[4];       /* down[mu][x]: the site x - mu */
    const int *up3[4];        /* x + 3 mu and x - 3 mu: the hops of the Naik term */
    const int *down3[4];
    int local[4];             /* extents of this process, x y z t */
    int origin[4];            /* global coordinates of its first site */
    int global[4];            /* extents of the whole lattice */
    int padded;               /* sites of a parity with padding: odd sites begin here */
    int split;                /* bit mu: other processes have the neighbors beyond the ends in direction mu */
    int ghosts;               /* number of ghosts of vectors of one parity; their least index is -ghosts */
    int first_time_ends;      /* site i of a parity is in the first time slice of the lattice if i is below this, */
    int last_time_begins;     /* in the last one if i is at least this; no site is if another process has the slice */
} lattice_view;

/* The parity of the site with these coordinates: 0 even, 1 odd.  Global coordinates and those within a process have the
 * same parity, because the origin of a process is even. */
COMMON_FN int coordinate_parity(const int coordinate[4])
{
    return (coordinate[0] + coordinate[1] + coordinate[2] + coordinate[3]) % 2;
}

/* The sites of this process with padding.  They have indices 0 .. site_count - 1; ghosts have indices outside. */
COMMON_FN int site_count(const lattice_view *l)
{
    return 2 * l->padded;
}

/* The parity of the site with index x, of this process or a ghost. */
COMMON_FN int site_parity(const lattice_view *l, int x)
{
    return x >= l->padded;
}

/* The index of the i-th site of a parity of this process, counted from 0. */
COMMON_FN int site_of_parity(const lattice_view *l, int parity, int i)
{
    return parity * l->padded + i;
}

/* Whether the hop in t from a site, forward or backward, goes over the end of the whole lattice. */
COMMON_FN bool hop_goes_around(const lattice_view *l, int x, bool backward)
{
    const int i = x - site_of_parity(l, site_parity(l, x), 0);
    return backward ? i < l->first_time_ends : i >= l->last_time_begins;
}

/* The sites of a launch: `parts` parts of `sites` sites each.  A part is a parity, a region of it, or a slab (below).
 * Site i of part k has index first + k step + i, in the slab that begins after k slab_sites sites of memory. */
typedef struct { int first, sites, parts, step, slab_sites; } site_range;

COMMON_FN int range_size(site_range r)
{
    return r.parts * r.sites;
}

/* The range of indices 0 .. count - 1, for kernels on entries of a list instead of sites. */
COMMON_FN site_range range_of_list(int count)
{
    site_range r = { 0, count, 1, 0, 0 };
    return r;
}

/* A field with slabs: real[slab][tile][number][SITE_TILE], with as many numbers as the kind of field has.  Memory has
 * only the sites that the field lives on; `data` is the address that site 0 has, or would have, in slab 0.  A slab has
 * the memory of `slab_sites` sites. */
typedef struct { void *data; int slab_sites; } field_view;

/* Fields of one slab; [4] is the direction. */
/* real[tile][4][row][col][re,im][SITE_TILE] */
typedef struct { void *data; } gauge_view;
/* real[tile][4][8][SITE_TILE]: antihermitian traceless P: Im P00, Im P11, Re and Im of P01, P02, P12 */
typedef struct { void *data; } momentum_view;
/* real[tile][row][col][re,im][SITE_TILE] */
typedef struct { void *data; } matrix_view;
/* real[tile][chirality][36][SITE_TILE]: hermitian 6x6 matrices (clover_block.h); in 16 bits
 * uint32[tile][chirality][5][SITE_TILE][4] (block_storage.h) */
typedef struct { void *data; } clover_view;
enum { BLOCK_REALS = 36, CLOVER_REALS = 2 * BLOCK_REALS, BLOCK_WORDS = 20, CLOVER_WORDS = 2 * BLOCK_WORDS };
/* real[tile][6][9][SITE_TILE]: a hermitian 3x3 matrix for each plane (kernels/clover_insertion.h) */
typedef struct { void *data; } planes_view;
enum { PLANES = 6, PLANE_REALS = 9, PLANES_REALS = PLANES * PLANE_REALS };
/* real[slab][tile][color][re,im][SITE_TILE], on both parities or on one.  A spinor field has a slab for each slice of
 * the fifth dimension and spin, real[slice][spin][tile][color][re,im][SITE_TILE]: all slices have the parity of their
 * site in four dimensions. */
typedef field_view vector_view;

/* Slabs in a group: the spins of a slice.  In lexicographic order, on the host and in files, the numbers of a group are
 * adjacent at each site. */
enum { SLAB_GROUP = 4 };

/* What selects a sequence of random numbers: everything but the site and the number of the draw (philox.h). */
typedef struct { uint32_t key[2]; uint32_t high[2]; } rng_key;

#endif
