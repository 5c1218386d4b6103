/* tiles.h - a lattice cut into compact tiles, one block of threads each.
 *
 * A kernel that reads neighbours reads every link many times.  Blocks of consecutive sites of one parity,
 * as in site.h, are thin: most neighbours lie in other blocks, and each read goes to the L2 cache or to
 * memory.  A tile holds both parities of a run of sites along x and y, on a few neighbouring slices in z
 * and t, so that most reads find the link in the L1 cache of the multiprocessor.  Runs are whole warps of
 * consecutive sites: requests cover whole lines of the cache.  Tiles follow each other so that the slices
 * in flight fit the L2 cache. */
#ifndef KILN_GPU_TILES_H
#define KILN_GPU_TILES_H

#include "src/site/site.h"

typedef struct { int run, z, t; } tile_shape;         /* sites of one parity along x and y; slices */

typedef struct {
    tile_shape tile;
    int runs, z, t;           /* tiles along x and y, in z, in t; those at the end may stick out */
    int slab_runs, slab_z;    /* tiles that are walked through before the next slice in t */
    int blocks;
} tiling;

/* Links of one slice in t of a slab: several slices are in use at once and should fit the L2 cache. */
enum { SLICE_LINK_BYTES = 5 << 20 };

static inline int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

static inline tiling tile_lattice(const lattice_view *l, tile_shape tile, size_t real_bytes)
{
    int row = l->local[0], rows = (int)(SLICE_LINK_BYTES / (4 * LINK_REALS * real_bytes) / (size_t)row), side = 1;
    tiling t = {};
    while ((side + 1) * (side + 1) <= rows)
        side++;
    t.tile = tile;
    t.runs = divide_up(row / 2 * l->local[1], tile.run);
    t.z = divide_up(l->local[2], tile.z);
    t.t = divide_up(l->local[3], tile.t);
    t.slab_runs = divide_up(t.runs, divide_up(l->local[1], side));
    t.slab_z = divide_up(t.z, divide_up(l->local[2], side));
    t.blocks = t.runs * t.z * t.t;
    return t;
}

/* The i-th site of a tile: along the run first, then z, t, and odd sites after even ones.  Sites that stick
 * out are -1. */
static __device__ __forceinline__ int tile_site(const tiling &tiles, const lattice_view &l, int block, int i)
{
    const tile_shape &s = tiles.tile;
    int half = s.run * s.z * s.t, parity = i / half;
    i %= half;

    /* Full slabs come first in z, and within those in x and y; the last may be narrower. */
    int z_slab = tiles.runs * tiles.slab_z * tiles.t;
    int z = block / z_slab * tiles.slab_z, slab_z = min(tiles.slab_z, tiles.z - z);
    block %= z_slab;
    int slab = tiles.slab_runs * slab_z * tiles.t;
    int run = block / slab * tiles.slab_runs, slab_runs = min(tiles.slab_runs, tiles.runs - run);
    block %= slab;
    run += block % slab_runs;
    z += block / slab_runs % slab_z;
    int t = block / slab_runs / slab_z;

    int slice_sites = l.local[0] / 2 * l.local[1], at = run * s.run + i % s.run;
    z = z * s.z + i / s.run % s.z;
    t = t * s.t + i / s.run / s.z;
    if (at >= slice_sites || z >= l.local[2] || t >= l.local[3])
        return -1;
    return parity * l.padded + (t * l.local[2] + z) * slice_sites + at;
}

#endif
