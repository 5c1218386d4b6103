/* view.h - what a kernel sees of the lattice and its fields: plain pointers, passed by value.
 *
 * A view owns nothing and knows no precision: the kernel that reads it was compiled for the precision
 * of the field it came from.  Kernel and host share these structs; nothing here depends on SINGLE.
 *
 * Order of sites: even sites, then odd sites; within a parity lexicographic with x fastest; each parity
 * padded to a multiple of SITE_TILE.  Padding sites are valid memory, neighbours of their likes of the other
 * parity, and left out of every sum. */
#ifndef KILN_SITE_VIEW_H
#define KILN_SITE_VIEW_H

#include <stdint.h>

enum { SITE_TILE = 32 };      /* sites interleaved in memory: one warp reads contiguously */

typedef struct {
    const int *up[4];         /* up[mu][x]: the site x + mu */
    const int *down[4];       /* down[mu][x]: the site x - mu */
    const int *up3[4];        /* x + 3 mu and x - 3 mu: the hops of Naik's term */
    const int *down3[4];
    int local[4];             /* extents of this process, x y z t */
    int origin[4];            /* global coordinates of its first site */
    int global[4];            /* extents of the whole lattice */
    int half;                 /* sites of a parity */
    int padded;               /* the same with padding: odd sites begin here */
} lattice_view;

/* The sites a launch covers: `parities` parities from `first` on.  Of a field of slabs (below) these are slabs, each on
 * the sites of one parity: site i of slab k is number (first + k) padded + i. */
typedef struct { int first, parities, half, padded; } site_range;

/* real[tile][4][row][col][re,im][SITE_TILE] */
typedef struct { void *data; } gauge_view;
/* real[tile][4][8][SITE_TILE]: antihermitian traceless P: Im P00, Im P11, Re and Im of P01, P02, P12 */
typedef struct { void *data; } momentum_view;
/* real[tile][row][col][re,im][SITE_TILE] */
typedef struct { void *data; } matrix_view;
/* real[tile][colour][re,im][SITE_TILE], on both parities or on one: memory begins with site `first`.  A spinor field is
 * slabs of these on one parity, real[slice][spin][tile][colour][re,im][SITE_TILE]: all slices of a fifth dimension
 * have the parity of their site in four dimensions. */
typedef struct { void *data; int first; } vector_view;

/* Which random numbers: all that names a draw but the site and the number of the draw. */
typedef struct { uint32_t key[2]; uint32_t high[2]; } rng_key;

#endif
