/* hop_places.h - the sites of a hop on tiles and their neighbors, from coordinates (gpu/hop_tiles.h). */
#ifndef KILN_GPU_HOP_PLACES_H
#define KILN_GPU_HOP_PLACES_H

#include "gpu/tiles.h"

/* The grid of blocks of a hop: x counts the tiles of a slab (along x and y, then z), y the tiles in t, z the slabs in z
 * of one parity, then of the other.  Slabs are so narrow that the slices in use fit the L2 cache.  The range is the
 * lattice, a parity, or a region of a parity (lattice/regions.h). */
typedef struct {
    dim3 blocks;
    int runs, slab_z;         /* tiles along x and y; tiles of a slab in z */
    int slabs, parity;        /* slabs of one parity; the first parity */
    int z, z_end;             /* the slices in z */
    int t, times, run, skip;  /* `times` slices in t from t on; after the first `run`, `skip` slices are omitted */
    unsigned int per_row;     /* 2^32 / sites of a row, rounded up: a multiplication replaces a division */
    int slice, stride[4];     /* sites of a parity in a plane x, y; distances of neighbors in site numbers, in x: 1 */
    tile_shape tile;
} hop_grid;

/* Bytes of the L2 cache for one slice in t of a slab; seven slices are in use at once. */
enum { SLICE_VECTOR_BYTES = 3 << 20 };

/* Whether the range consists of both parities. */
static inline bool has_parities(const lattice_view *l, site_range range)
{
    return range.parts > 1 && range.step == site_of_parity(l, 1, 0);
}

/* Sets the slices of a range, whose parts are a parity, whole time slices, or slices in z of one time slice. */
static inline void set_slices(hop_grid *g, const lattice_view *l, site_range range)
{
    const int time_slice = g->slice * l->local[2], number = range.first - site_of_parity(l, g->parity, 0);
    const bool whole = range.sites >= time_slice, in_two = whole && range.parts > 1 && !has_parities(l, range);
    g->t = number / time_slice;
    g->z = number % time_slice / g->slice;
    g->z_end = whole ? l->local[2] : g->z + range.sites / g->slice;
    g->run = whole ? range.sites / time_slice : range.parts;
    g->times = in_two ? 2 * g->run : g->run;
    g->skip = in_two ? range.step / time_slice - g->run : 0;
}

static inline hop_grid hop_grid_for(const lattice_view *l, site_range range, tile_shape tile, size_t vector_bytes)
{
    hop_grid g = {};
    int row = l->local[0] / 2, tiles_z;
    g.tile = tile;
    g.slice = slice_sites(*l);
    g.parity = site_parity(l, range.first);
    set_slices(&g, l, range);
    g.runs = divide_up(g.slice, tile.run);
    tiles_z = divide_up(g.z_end - g.z, tile.z);
    const size_t slice_bytes = vector_bytes * (size_t)g.slice * (size_t)(tile.z * tiles_z);
    g.slabs = (int)((slice_bytes + SLICE_VECTOR_BYTES - 1) / SLICE_VECTOR_BYTES);
    g.slabs = g.slabs < tiles_z ? g.slabs : tiles_z;
    g.slab_z = divide_up(tiles_z, g.slabs);
    g.slabs = divide_up(tiles_z, g.slab_z);
    g.blocks = dim3((unsigned)(g.runs * g.slab_z), (unsigned)divide_up(g.times, tile.t),
                    (unsigned)(g.slabs * (has_parities(l, range) ? 2 : 1)));
    g.per_row = (unsigned)(((1ull << 32) + (unsigned)row - 1) / (unsigned)row);
    for (int mu = 0, stride = 1; mu < 4; mu++) {
        g.stride[mu] = stride;
        stride *= l->local[mu];
    }
    return g;
}

/* A site: its index; `other`: the index of the site with the same number in the other parity; the coordinates, 16 bits
 * each, x in the low ones; `there`: false for a thread whose site lies beyond the lattice or the range. */
typedef struct { int index, other; unsigned long long coordinates; bool there; } hop_place;

/* The site of a parity with number `at` along x and y, on slices z and t. */
static __device__ __forceinline__ hop_place hop_place_at(const lattice_view &l, const hop_grid &g, int parity, int at,
                                                         int z, int t)
{
    hop_place p;
    const int y = (int)__umulhi((unsigned)at, g.per_row);
    const int x = 2 * (at - y * (l.local[0] / 2)) + ((y + z + t + parity) & 1);
    const int here = number_in_parity(l, g.slice, at, z, t);
    p.there = true;
    p.index = site_of_parity(&l, parity, here);
    p.other = site_of_parity(&l, 1 - parity, here);
    p.coordinates = (unsigned)(x | y << 16) | (unsigned long long)(unsigned)(z | t << 16) << 32;
    return p;
}

/* A block of a grid. */
typedef struct { int x, y, z; } hop_block;

static __device__ __forceinline__ hop_block this_block(void)
{
    return hop_block{ (int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z };
}

template <int RUN, int Z, int T>
static __device__ __forceinline__ hop_place hop_place_of(const lattice_view &l, const hop_grid &g, hop_block b, int i)
{
    const int parity = (g.parity + b.z / g.slabs) & 1;
    const int tile_z = b.z % g.slabs * g.slab_z + b.x / g.runs;
    const int at = b.x % g.runs * RUN + i % RUN, z = g.z + tile_z * Z + i / RUN % Z;
    const int time = b.y * T + i / RUN / Z, t = g.t + time + (time >= g.run ? g.skip : 0);
    hop_place p = hop_place_at(l, g, parity, at, z, t);
    p.there = at < g.slice && z < g.z_end && time < g.times;
    return p;
}

/* The i-th site of a parity. */
static __device__ __forceinline__ hop_place hop_place_in_parity(const lattice_view &l, const hop_grid &g, int parity,
                                                                int i)
{
    const int slice = i / g.slice, t = slice / l.local[2];
    return hop_place_at(l, g, parity, i - slice * g.slice, slice - t * l.local[2], t);
}

/* Flags of HOW, a parameter of templates of hops.
 *   STREAMED         links bypass the L1 cache, which is left to vectors
 *   AHEAD            the next neighbor is loaded while this one is multiplied
 *   BY_TABLES        neighbors come from tables
 *   AT_ONCE          links and vectors of several neighbors are loaded before the first is multiplied
 *   WHOLE            no direction is split, so no branch for ghosts separates loads
 *   PREFETCHED       a persistent kernel prefetches links into the L2 cache
 *   QUICK            vectors and links of 16 bits are converted as in half_numbers.h
 * For the ladder only (wilson_tiles.h):
 *   TEMPORAL_GAUGE   links in t are 1, except across the end of the lattice
 *   NON_RELATIVISTIC gamma_t is diagonal
 *   STRIDE_BITS      HALF_LOW_BITS comes from low_bits_by_stride in place of hidden_low_bits (raw_numbers.h)
 * Flags of gpu/bench/wilson_trial_site.h begin at FIRST_TRIAL_FLAG. */
enum {
    PLAIN = 0, STREAMED = 1 << 0, AHEAD = 1 << 1, BY_TABLES = 1 << 2, AT_ONCE = 1 << 3, WHOLE = 1 << 4,
    PREFETCHED = 1 << 5, QUICK = 1 << 6,
    TEMPORAL_GAUGE = 1 << 7, NON_RELATIVISTIC = 1 << 8, STRIDE_BITS = 1 << 9,
    FIRST_TRIAL_FLAG = 1 << 10
};

/* ghost_from, hop_from: the index of the site `hop` sites away in direction mu; hop: 1, 3, -1 or -3, |hop| <= extent.
 * Beyond the end of a split direction, ghost_from gives the index of the ghost from a table. */
static __device__ __forceinline__ int ghost_from(const lattice_view &l, const hop_place &p, int mu, int hop)
{
    const int *table = hop == 1 ? l.up[mu] : hop == -1 ? l.down[mu] : hop == 3 ? l.up3[mu] : l.down3[mu];
    return table[p.index];
}

template <int HOW = PLAIN>
static __device__ __forceinline__ int hop_from(const lattice_view &l, const hop_grid &g, const hop_place &p, int mu,
                                               int hop)
{
    const int c = (int)(p.coordinates >> (16 * mu)) & 0xffff, extent = l.local[mu], stride = g.stride[mu];
    int to = c + hop;
    if (!(HOW & WHOLE) && (to < 0 || to >= extent) && (l.split >> mu & 1))
        return ghost_from(l, p, mu, hop);
    to += to < 0 ? extent : 0;
    to -= to >= extent ? extent : 0;
    return p.other + ((to * stride) >> 1) - ((c * stride) >> 1);
}

/* Whether a hop over three sites crosses the boundary at most once, and the division by a row is exact. */
static inline bool tiles_fit(const lattice_view *l)
{
    bool fit = (long long)l->local[0] * l->local[0] / 4 * l->local[1] < 1ll << 32;
    for (int mu = 0; mu < 4; mu++)
        fit = fit && l->local[mu] >= 4;
    return fit;
}

#endif
