/* ask_ahead.h - kernels of the ladder that ask the bulk copy engine for data of a later block, so that the block finds
 * them in the L2 cache.
 *
 * Blocks begin in the order of their numbers, and all resident blocks together take 3 to 8 times as many numbers as
 * LATER: so a block asks a few microseconds, several latencies of memory, before the data are needed. */
#ifndef KILN_GPU_BENCH_ASK_AHEAD_H
#define KILN_GPU_BENCH_ASK_AHEAD_H

#include "gpu/hop_places.h"

enum { LATER = 64 };

/* Asks for bytes, a multiple of 16, in the L2 cache. */
static __device__ __forceinline__ void ask_for(const void *from, uint32_t bytes)
{
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" :: "l"(__cvta_generic_to_global(from)), "r"(bytes)
                 : "memory");
}

/* The place of another thread of the warp. */
static __device__ __forceinline__ hop_place place_of_lane(const hop_place &p, int lane)
{
    hop_place q;
    q.index = __shfl_sync(~0u, p.index, lane);
    q.other = __shfl_sync(~0u, p.other, lane);
    q.coordinates = __shfl_sync(~0u, p.coordinates, lane);
    q.there = __shfl_sync(~0u, (int)p.there, lane) != 0;
    return q;
}

/* The block LATER blocks after this one; false if there is none. */
static __device__ __forceinline__ bool later_block(hop_block *b)
{
    const unsigned int number = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x + LATER;
    const unsigned int row = number / gridDim.x;
    *b = hop_block{ (int)(number - row * gridDim.x), (int)(row % gridDim.y), (int)(row / gridDim.y) };
    return row < gridDim.y * gridDim.z;
}

#endif
