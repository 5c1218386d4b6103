/* hop_beside.h - a hop on tiles that exchanges its ghosts in the same launch, if only t is split.
 *
 * The first blocks pack and store into the ghosts of the neighbours; then come the tiles of the interior, then the
 * tiles of the boundary, which wait for this rank's ghosts.  Blocks begin in the order of their numbers, so all packing
 * blocks have begun before a block waits for ghosts.  A second kernel would not overlap: kernels of two streams do not
 * run at the same time if they divide L1 cache and shared memory differently. */
#ifndef KILN_GPU_HOP_BESIDE_H
#define KILN_GPU_HOP_BESIDE_H

#include "gpu/hop_places.h"
#include "gpu/peer_stores.h"

/* Warps that pack: enough loads and stores in flight to keep NVLink busy, but few enough to leave the multiprocessors
 * to the interior. */
enum { PACKING_WARPS = 288 };

typedef struct { int packers, reach; } beside_shape;

/* The block in the grid of the hop alone that block number i with an exchange computes: first the interior of all
 * slabs, then the upper end in t, whose neighbours the interior has just read, then the lower end. */
static __device__ __forceinline__ hop_block block_in_order(const hop_grid &g, int reach, int i, bool *in_boundary)
{
    const int across = (int)g.blocks.x, times = (int)g.blocks.y, inner = times - 2 * reach;
    const int interior = across * inner * (int)g.blocks.z, ends = across * reach * (int)g.blocks.z;
    *in_boundary = i >= interior;
    const bool at_upper = i < interior + ends;
    const int number = !*in_boundary ? i : i - interior - (at_upper ? 0 : ends);
    const int rows = *in_boundary ? reach : inner, first = !*in_boundary ? reach : at_upper ? times - reach : 0;
    hop_block b;
    b.x = number % across;
    b.y = first + number / across % rows;
    b.z = number / across / rows;
    return b;
}

/* The last block that has read the number of the exchange ends the exchange. */
static __device__ __forceinline__ void end_exchange(const peer_group &g, unsigned long long turn, int blocks)
{
    if (threadIdx.x == 0 && atomicAdd(&g.state->done, 1u) == (unsigned)blocks - 1) {
        g.state->done = 0;
        g.state->exchanges = turn;
    }
}

/* Sets the tile of this block; false if it has packed and has no tile.  All threads of the block must call it. */
static __device__ __forceinline__ bool tile_beside(const peer_pack_args &e, const hop_grid &g, beside_shape s,
                                                   hop_block *tile)
{
    const int counted = s.packers + (int)(g.blocks.x * g.blocks.z) * 2 * s.reach, block = (int)blockIdx.x;
    bool in_boundary;
    if (block < s.packers) {
        const unsigned long long turn = pack_for_peers(e, block, s.packers);
        end_exchange(e.group, turn, counted);
        return false;
    }
    *tile = block_in_order(g, s.reach, block - s.packers, &in_boundary);
    if (in_boundary) {
        const unsigned long long turn = wait_for_peers(e.group);
        end_exchange(e.group, turn, counted);
    }
    return true;
}

/* Whether such a launch is possible: tiles have one time slice, and there is an interior. */
static inline bool beside_fits(const hop_grid &g, int reach)
{
    return (int)g.blocks.y > 2 * reach;
}

static inline beside_shape beside_shape_for(const peer_pack_args &e, int reach, int threads)
{
    const int pieces = packed_pieces(e), warps = pieces < PACKING_WARPS ? pieces : PACKING_WARPS;
    return beside_shape{ divide_up(warps, threads / WARP_THREADS), reach };
}

static inline unsigned beside_blocks(const hop_grid &g, beside_shape s)
{
    return (unsigned)s.packers + g.blocks.x * g.blocks.y * g.blocks.z;
}

#endif
