/* tiles.h - a lattice divided into compact tiles, one for each block of threads: the common part of kernels on tiles.
 *
 * A kernel that reads neighbors reads every link and vector many times.  Blocks of consecutive sites of one parity, as
 * in site.h, are thin: most neighbors lie in other blocks, and each read goes to the L2 cache or to memory.  A tile
 * holds a run of sites of one parity, or of both, along x and y, on a few neighboring slices in z and t, so that most
 * reads hit the L1 cache of the multiprocessor.  Runs are whole warps of consecutive sites (half a warp for domain-wall
 * quarks in double), so requests cover whole cache lines.  In the order of tiles, the slices in use at once fit the L2
 * cache.
 *
 * A `way` (template parameter WAY) is a struct of compile-time constants that tune a kernel: formats, shape of a tile,
 * threads and resident blocks, flags (HOW, hop_places.h).  gpu/bench/ instantiates the kernels with other ways. */
#ifndef KILN_GPU_TILES_H
#define KILN_GPU_TILES_H

#include "src/site/site.h"

/* Whether this compilation is in double precision: numbers take two registers, and twice the shared memory. */
static constexpr bool IN_DOUBLE = sizeof(real) == sizeof(double);

typedef struct { int run, z, t; } tile_shape;         /* sites of one parity along x and y; slices */

static inline int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

/* Sites of one parity along x and y. */
static __host__ __device__ __forceinline__ int slice_sites(const lattice_view &l)
{
    return l.local[0] / 2 * l.local[1];
}

/* The site with number `at` among the `slice` sites of one parity along x and y, on slices z and t: whether it exists,
 * since tiles at the end may extend beyond the lattice, and its number in its parity (site_of_parity). */
static __device__ __forceinline__ bool is_in_slice(const lattice_view &l, int slice, int at, int z, int t)
{
    return at < slice && z < l.local[2] && t < l.local[3];
}
static __device__ __forceinline__ int number_in_parity(const lattice_view &l, int slice, int at, int z, int t)
{
    return (t * l.local[2] + z) * slice + at;
}

#endif
