/* hop_beside.h - a hop on tiles that exchanges its ghosts in the same launch, if x is not split.
 *
 * The first blocks pack and store into the ghosts of the neighbors; then come the tiles of the interior, then the
 * tiles of the boundary, which wait for this rank's ghosts.  Blocks begin in the order of their numbers, so all packing
 * blocks have begun before a block waits for ghosts.  A second kernel would not overlap: kernels of two streams do not
 * run at the same time if they divide L1 cache and shared memory differently. */
#ifndef KILN_GPU_HOP_BESIDE_H
#define KILN_GPU_HOP_BESIDE_H

#include "gpu/hop_places.h"
#include "gpu/peer_stores.h"

/* A box of tiles: the first and how many, along x and y, in z and in t. */
typedef struct { int first[3], size[3]; } tile_box;
enum { BESIDE_X, BESIDE_Z, BESIDE_T };

/* Tiles of the interior (box 0), which read no ghosts, and of the boundary (`boundary` in all): both ends of t, then of
 * z, then of y, upper ends first, because the interior has just read their neighbors. */
enum { BESIDE_BOXES = 7 };
typedef struct { int packers, boundary, boxes; tile_box box[BESIDE_BOXES]; } beside_shape;

static __host__ __device__ __forceinline__ int tiles_of_box(const tile_box &b)
{
    return b.size[BESIDE_X] * b.size[BESIDE_Z] * b.size[BESIDE_T];
}

/* The block in the grid of the hop alone that has tile number i of a box: slab by slab. */
static __device__ __forceinline__ hop_block block_of_box(const hop_grid &g, const tile_box &box, int i)
{
    const int of_slab = box.size[BESIDE_X] * box.size[BESIDE_T] * g.slab_z, slab = i / of_slab;
    const int left = box.size[BESIDE_Z] - slab * g.slab_z, height = left < g.slab_z ? left : g.slab_z;
    const int in_slab = i - slab * of_slab, across = box.size[BESIDE_X] * height, in_slice = in_slab % across;
    const int z = box.first[BESIDE_Z] + slab * g.slab_z + in_slice / box.size[BESIDE_X];
    hop_block b;
    b.x = z % g.slab_z * g.runs + box.first[BESIDE_X] + in_slice % box.size[BESIDE_X];
    b.y = box.first[BESIDE_T] + in_slab / across;
    b.z = z / g.slab_z;
    return b;
}

/* The block in the grid of the hop alone that block number i with an exchange computes. */
static __device__ __forceinline__ hop_block block_in_order(const hop_grid &g, const beside_shape &s, int i,
                                                           bool *in_boundary)
{
    int n = 0;
    while (i >= tiles_of_box(s.box[n]))
        i -= tiles_of_box(s.box[n++]);
    *in_boundary = n > 0;
    return block_of_box(g, s.box[n], i);
}

/* Called by each of the `blocks` blocks that have read the number of the exchange; the last one sets it to this
 * exchange, `sequence`. */
static __device__ __forceinline__ void end_exchange(const peer_group &g, unsigned long long sequence, int blocks)
{
    if (threadIdx.x == 0 && atomicAdd(&g.state->done, 1u) == (unsigned)blocks - 1) {
        g.state->done = 0;
        g.state->exchanges = sequence;
    }
}

/* Sets the tile of this block; false if it has packed and has no tile.  All threads of the block must call it.  PACK:
 * as in store_for_peers. */
template <class PACK = stored_numbers>
static __device__ __forceinline__ bool tile_beside(const peer_pack_args &e, const hop_grid &g, const beside_shape &s,
                                                   hop_block *tile)
{
    const int counted = s.packers + s.boundary, block = (int)blockIdx.x;
    bool in_boundary;
    if (block < s.packers) {
        const unsigned long long sequence = pack_for_peers<PACK>(e, block, s.packers);
        end_exchange(e.group, sequence, counted);
        return false;
    }
    *tile = block_in_order(g, s, block - s.packers, &in_boundary);
    if (in_boundary) {
        const unsigned long long sequence = wait_for_peers(e.group);
        end_exchange(e.group, sequence, counted);
    }
    return true;
}

/* ends[0], ends[1]: how many tiles at the lower and at the upper end contain any of the `reach` outermost sites of that
 * end, out of `sites` sites in tiles of `each`. */
static inline void boundary_ends(int *ends, int reach, int sites, int each)
{
    ends[0] = divide_up(reach, each);
    ends[1] = divide_up(sites, each) - (sites - reach) / each;
}

/* Sets the boxes of a hop on a whole parity that reads neighbors up to `reach` sites away.  False if x is split, or if
 * there is no interior. */
static inline bool boxes_fit(beside_shape *s, const hop_grid &g, const lattice_view &l, int reach)
{
    const int row = l.local[0] / 2, tiles_z = divide_up(l.local[2], g.tile.z);
    int ends[3][2] = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
    tile_box inner = { { 0, 0, 0 }, { g.runs, tiles_z, (int)g.blocks.y } };
    if (l.split & 1)
        return false;
    if (l.split >> 1 & 1)
        boundary_ends(ends[BESIDE_X], reach * row, g.slice, g.tile.run);
    if (l.split >> 2 & 1)
        boundary_ends(ends[BESIDE_Z], reach, l.local[2], g.tile.z);
    if (l.split >> 3 & 1)
        boundary_ends(ends[BESIDE_T], reach, l.local[3], g.tile.t);
    s->boxes = 1;
    for (int axis = BESIDE_T; axis >= BESIDE_X; axis--) {
        const int lower = ends[axis][0], upper = ends[axis][1], size = inner.size[axis] - lower - upper;
        if (size <= 0)
            return false;
        for (int end = 1; end >= 0 && lower > 0; end--) {
            tile_box *b = &s->box[s->boxes++];
            *b = inner;
            b->size[axis] = ends[axis][end];
            b->first[axis] = end == 0 ? 0 : lower + size;
        }
        inner.first[axis] = lower;
        inner.size[axis] = size;
    }
    s->box[0] = inner;
    return true;
}

/* Sets the shape of the launch of a hop with its exchange.  False if there is no such launch: boxes_fit is false, or a
 * block is smaller than a warp.  PACK: as in tile_beside. */
template <class PACK = stored_numbers>
static inline bool beside_fits(beside_shape *s, const hop_grid &g, const lattice_view &l, const peer_pack_args &e,
                               int reach, int threads)
{
    const int pieces = PACK::pieces(e), warps = pieces < e.warps ? pieces : e.warps;
    if (threads < WARP_THREADS || !boxes_fit(s, g, l, reach))
        return false;
    s->packers = divide_up(warps, threads / WARP_THREADS);
    s->boundary = 0;
    for (int n = 1; n < s->boxes; n++)
        s->boundary += tiles_of_box(s->box[n]);
    return true;
}

static inline unsigned beside_blocks(const beside_shape &s)
{
    return (unsigned)(s.packers + tiles_of_box(s.box[0]) + s.boundary);
}

#endif
