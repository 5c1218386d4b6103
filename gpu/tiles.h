/* tiles.h - a lattice cut into four-dimensional tiles, one block of threads each.
 *
 * A kernel that reads neighbours reads every link many times.  Blocks of consecutive sites, as in
 * site.h, are thin: most neighbours lie in other blocks, and each read goes to the L2 cache or to
 * memory.  A tile is compact in all four directions and holds both parities, so that most reads find
 * the link in the L1 cache of the multiprocessor.  Tiles follow each other so that the slices in flight
 * fit the L2 cache. */
#ifndef KILN_GPU_TILES_H
#define KILN_GPU_TILES_H

#include "src/site/site.h"

typedef struct {
    int extent[4];            /* of a tile, x y z t; powers of two, x at least 2 */
    int count[4];             /* tiles in each direction; those at the end may stick out */
    int slab[2];              /* tiles in y and z that are walked through before the next slice in t */
    int blocks;
} tiling;

/* Links that one tile fetches in `reach` steps around it, counted in tiles: plane by plane, the tile is
 * widened in the two directions of the plane.  Along x whole sectors of 32 bytes are fetched. */
static inline double tile_cost(const int extent[4], const int lattice[4], int reach, size_t real_bytes)
{
    double wide[4], blocks = 1, cost = 0;
    for (int mu = 0; mu < 4; mu++) {
        int step = mu == 0 ? (int)(2 * 32 / real_bytes) : 1, halo = (reach + step - 1) / step * step;
        blocks *= (lattice[mu] + extent[mu] - 1) / extent[mu];
        wide[mu] = extent[mu] >= lattice[mu] ? 1 : (double)(extent[mu] + 2 * halo) / extent[mu];
    }
    for (int mu = 0; mu < 4; mu++)
        for (int nu = 0; nu < mu; nu++)
            cost += wide[mu] * wide[nu];
    return blocks * cost;
}

/* A slice in t of a slab of tiles: 2 reach + 1 slices and more are in use at once, and fit the L2 cache. */
enum { SLICE_LINK_BYTES = 5 << 20 };

/* Tiles of a given shape. */
static inline tiling tile_into(const lattice_view *l, const int extent[4], size_t real_bytes)
{
    tiling t = {};
    int rows = (int)(SLICE_LINK_BYTES / (4 * LINK_REALS * real_bytes) / (size_t)l->extents[0]), side = 1;
    while ((side + 1) * (side + 1) <= rows)
        side++;
    t.blocks = 1;
    for (int mu = 0; mu < 4; mu++) {
        t.extent[mu] = extent[mu];
        t.count[mu] = (l->extents[mu] + extent[mu] - 1) / extent[mu];
        t.blocks *= t.count[mu];
    }
    for (int i = 0; i < 2; i++) {
        int tiles = side / extent[i + 1];
        t.slab[i] = tiles < 1 ? 1 : tiles > t.count[i + 1] ? t.count[i + 1] : tiles;
    }
    return t;
}

/* The cheapest tiles of so many sites, a power of two. */
static inline tiling tile_lattice(const lattice_view *l, int sites, int reach, size_t real_bytes)
{
    double least = 0;
    int best[4] = { 0, 0, 0, 0 }, e[4];
    for (e[0] = 2; e[0] <= sites; e[0] *= 2)
        for (e[1] = 1; e[0] * e[1] <= sites; e[1] *= 2)
            for (e[2] = 1; e[0] * e[1] * e[2] <= sites; e[2] *= 2) {
                e[3] = sites / (e[0] * e[1] * e[2]);
                double cost = tile_cost(e, l->extents, reach, real_bytes);
                if (best[0] == 0 || cost < least) {
                    least = cost;
                    for (int mu = 0; mu < 4; mu++)
                        best[mu] = e[mu];
                }
            }
    return tile_into(l, best, real_bytes);
}

/* The i-th site of a tile: x fastest within a parity, even sites first.  Sites that stick out are -1. */
static __device__ __forceinline__ int tile_site(const tiling &t, const lattice_view &l, int block, int i)
{
    int c[4], half = t.extent[0] * t.extent[1] * t.extent[2] * t.extent[3] / 2, parity = i / half, tile[4];
    i %= half;
    c[0] = i % (t.extent[0] / 2);
    i /= t.extent[0] / 2;
    c[1] = i % t.extent[1];
    i /= t.extent[1];
    c[2] = i % t.extent[2];
    c[3] = i / t.extent[2];

    /* Slabs may stick out too: full slabs first, then what is left, in y and in z. */
    int slices = t.count[3];
    int column = t.count[0] * t.count[1] * t.slab[1] * slices;                /* slabs side by side in y */
    int z0 = block / column * t.slab[1], deep = min(t.slab[1], t.count[2] - z0);
    block %= column;
    int slab = t.count[0] * t.slab[0] * deep * slices;
    int y0 = block / slab * t.slab[0], broad = min(t.slab[0], t.count[1] - y0);
    block %= slab;
    tile[0] = block % t.count[0];
    block /= t.count[0];
    tile[1] = y0 + block % broad;
    block /= broad;
    tile[2] = z0 + block % deep;
    tile[3] = block / deep;

    int y = tile[1] * t.extent[1] + c[1], z = tile[2] * t.extent[2] + c[2], u = tile[3] * t.extent[3] + c[3];
    int half_x = tile[0] * (t.extent[0] / 2) + c[0];
    if (half_x >= l.extents[0] / 2 || y >= l.extents[1] || z >= l.extents[2] || u >= l.extents[3])
        return -1;
    return parity * l.padded + ((u * l.extents[2] + z) * l.extents[1] + y) * (l.extents[0] / 2) + half_x;
}

#endif
