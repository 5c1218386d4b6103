/* peer_stores.h - functions of blocks of threads that exchange ghosts by stores into the memory of other GPUs
 * (src/kernels/peer_args.h): alone in a launch (gpu/peer.cu), in the launch of a hop (gpu/hop_beside.h), or in a
 * persistent kernel (gpu/persistent_loop.h).
 *
 * Every wait has a time limit. */
#ifndef KILN_GPU_PEER_STORES_H
#define KILN_GPU_PEER_STORES_H

#include "src/kernels/peer_args.h"
#include "src/kernels/site_copy.h"
#include "src/site/site.h"

static __device__ __forceinline__ void raise_flag(unsigned long long *flag, unsigned long long value)
{
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(flag), "l"(value) : "memory");
}

static __device__ __forceinline__ unsigned long long flag_value(const unsigned long long *flag)
{
    unsigned long long value;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(flag) : "memory");
    return value;
}

static __device__ __forceinline__ unsigned long long now_ns(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

/* Whether a wait for `rank` that began at `begun` must end: it has reached the limit, or another wait of this rank has
 * failed. */
static __device__ __forceinline__ bool has_failed(const peer_group &g, unsigned long long begun, int rank)
{
    if (*(volatile int *)&g.state->failed)
        return true;
    if (now_ns() - begun <= g.limit_ns)
        return false;
    atomicCAS(&g.state->failed, 0, 1 + rank);
    return true;
}

/* Waits until *flag is at least `value`. */
static __device__ __forceinline__ void wait_for(const unsigned long long *flag, unsigned long long value,
                                                const peer_group &g, int rank)
{
    const unsigned long long begun = now_ns();
    while (flag_value(flag) < value && !has_failed(g, begun, rank))
        ;
}

/* For tests: a random delay of up to 50 us, different for each place, sequence number and block.  A rank that fails to
 * wait for this one then reads or stores too early, which a test detects.  `sequence`, here and below: number of the
 * exchange; of the sum in peer_sums.h. */
static __device__ __forceinline__ void delay_at_random(const peer_group &g, int place, unsigned long long sequence)
{
    enum { LONGEST_NS = 50000 };
    if (g.stress == 0)
        return;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned long long z = g.stress + 0x9e3779b97f4a7c15ull * (((sequence * PEERS_MAX + (unsigned)g.rank) * 8
                                                                    + (unsigned)place) * 1024 + blockIdx.x + 1);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        const unsigned long long begun = now_ns(), length = (z ^ (z >> 31)) % LONGEST_NS;
        while (now_ns() - begun < length) {}
    }
    __syncthreads();
}

enum { WARP_THREADS = 32, LOADS_IN_FLIGHT = 4 };

/* A warp copies consecutive units of 16 bytes.  Loads come before stores, because the compiler must assume that a store
 * changes what is loaded next. */
static __device__ __forceinline__ void copy_side_by_side(uint4 *to, const uint4 *from, int count, int lane)
{
    for (int i = lane; i < count; i += WARP_THREADS * LOADS_IN_FLIGHT) {
        uint4 unit[LOADS_IN_FLIGHT];
        UNROLL_LOOP
        for (int k = 0; k < LOADS_IN_FLIGHT; k++)
            if (i + k * WARP_THREADS < count)
                unit[k] = from[i + k * WARP_THREADS];
        UNROLL_LOOP
        for (int k = 0; k < LOADS_IN_FLIGHT; k++)
            if (i + k * WARP_THREADS < count)
                to[i + k * WARP_THREADS] = unit[k];
    }
}

static __host__ __device__ __forceinline__ int packed_pieces(const peer_pack_args &a)
{
    return a.pieces * a.slabs * a.parities * a.fields;
}

/* What a warp packs as number i of a launch: a piece of one parity, of one group of `each` slabs, and of one field. */
typedef struct { const peer_piece *piece; int parity, group, field; } packed_piece;

static __device__ __forceinline__ packed_piece piece_of(const peer_pack_args &a, int i, int each)
{
    const int of_piece = i / a.pieces, groups = a.slabs / each, rest = of_piece / groups;
    return packed_piece{ &a.piece[i % a.pieces], a.first_parity + rest % a.parities, of_piece % groups,
                         rest / a.parities };
}

/* How a launch packs by default: a warp copies a piece of a slab as it is stored. */
struct stored_numbers {
    static __host__ __device__ __forceinline__ int pieces(const peer_pack_args &a) { return packed_pieces(a); }

    static __device__ __forceinline__ void pack(const peer_pack_args &a, int i, int lane)
    {
        const packed_piece p = piece_of(a, i, 1);
        const peer_piece &piece = *p.piece;
        const int slab = p.group * a.slab_sites, tile_words = a.records * a.words * SITE_TILE;
        if (!(piece.levels >> a.level & 1))
            return;
        const int to_x = piece.to[p.parity] + slab;
        const uint32_t *from = (const uint32_t *)a.from[p.field];
        uint32_t *to = (uint32_t *)a.to[p.field][piece.receiver];
        if (piece.from[p.parity] >= 0) {
            const int x = piece.from[p.parity] + slab;
            copy_side_by_side((uint4 *)(to + (ptrdiff_t)tile_of(to_x) * tile_words),
                              (const uint4 *)(from + (ptrdiff_t)tile_of(x) * tile_words),
                              piece.tiles * (tile_words / 4), lane);
        } else {
            const int x = a.sites[p.parity * a.parity_sites + piece.entry + lane] + slab;
            copy_site(to, to_x + lane, from, x, a.records, a.words);
        }
    }
};

/* Called by all threads of a block: notifies the neighbors that this rank has read the ghosts of the exchange before
 * `sequence`, and waits until they have done the same. */
static __device__ __forceinline__ void wait_for_readers(const peer_group &g, unsigned long long sequence)
{
    delay_at_random(g, 0, sequence);
    if ((int)threadIdx.x < g.neighbors) {
        const int other = g.neighbor[threadIdx.x];
        raise_flag(&g.mailbox[other]->ready[g.rank], sequence);
        wait_for(&g.mailbox[g.rank]->ready[other], sequence, g, other);
    }
    __syncthreads();
}

/* Called by all threads of block `block` of the `blocks` that pack: stores the block's part of exchange `sequence`; the
 * last block to finish notifies the neighbors.  PACK: how a warp packs, such as stored_numbers. */
template <class PACK>
static __device__ __forceinline__ void store_for_peers(const peer_pack_args &a, unsigned long long sequence, int block,
                                                       int blocks)
{
    const peer_group &g = a.group;
    const int warps = (int)blockDim.x / WARP_THREADS, pieces = PACK::pieces(a);
    const int warp = (int)threadIdx.x / WARP_THREADS, lane = (int)threadIdx.x % WARP_THREADS;
    delay_at_random(g, 1, sequence);
    for (int i = block * warps + warp; i < pieces && warp < warps; i += blocks * warps)
        PACK::pack(a, i, lane);
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();                              /* the stores of the whole block */
        last = atomicAdd(&g.state->packed, 1u) == (unsigned)blocks - 1;
        __threadfence_system();
    }
    __syncthreads();
    if (last) {
        delay_at_random(g, 2, sequence);
        if (threadIdx.x == 0)
            g.state->packed = 0;
        if ((int)threadIdx.x < g.neighbors)
            raise_flag(&g.mailbox[g.neighbor[threadIdx.x]]->arrived[g.rank], sequence);
    }
}

/* Called by all threads of a block: waits until the ghosts of this rank have arrived in exchange `sequence`. */
static __device__ __forceinline__ void wait_for_arrivals(const peer_group &g, unsigned long long sequence)
{
    if ((int)threadIdx.x < g.neighbors) {
        const int other = g.neighbor[threadIdx.x];
        wait_for(&g.mailbox[g.rank]->arrived[other], sequence, g, other);
    }
    __syncthreads();
    delay_at_random(g, 3, sequence);
}

/* For a launch with one exchange, by blocks that pack and by blocks that wait; both return its number. */
template <class PACK>
static __device__ __forceinline__ unsigned long long pack_for_peers(const peer_pack_args &a, int block, int blocks)
{
    const unsigned long long sequence = a.group.state->exchanges + 1;
    wait_for_readers(a.group, sequence);
    store_for_peers<PACK>(a, sequence, block, blocks);
    return sequence;
}

static __device__ __forceinline__ unsigned long long wait_for_peers(const peer_group &g)
{
    const unsigned long long sequence = g.state->exchanges + 1;
    wait_for_arrivals(g, sequence);
    return sequence;
}

#endif
