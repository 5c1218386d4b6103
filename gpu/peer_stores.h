/* peer_stores.h - what blocks of threads do for an exchange of ghosts by stores into the memory of other GPUs
 * (src/kernels/peer_args.h): alone in a launch (gpu/peer.cu), or beside a hop in its launch (gpu/hop_beside.h).
 *
 * Every wait has a limit. */
#ifndef KILN_GPU_PEER_STORES_H
#define KILN_GPU_PEER_STORES_H

#include "src/kernels/peer_args.h"
#include "src/site/site.h"
#include "src/site/words.h"

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

/* Until *flag is at least `value`, or the limit, or somebody here has failed already. */
static __device__ __forceinline__ void wait_for(const unsigned long long *flag, unsigned long long value,
                                                const peer_group &g, int rank)
{
    const unsigned long long begun = now_ns();
    while (flag_value(flag) < value) {
        if (*(volatile int *)&g.state->failed)
            return;
        if (now_ns() - begun > g.limit_ns) {
            atomicCAS(&g.state->failed, 0, 1 + rank);
            return;
        }
    }
}

/* For tests: a delay of up to 50 us, another one at each place, turn and block, in which a rank that does not wait for
 * this one reads too early, or stores too early. */
static __device__ __forceinline__ void delay_at_random(const peer_group &g, int place, unsigned long long turn)
{
    enum { LONGEST_NS = 50000 };
    if (g.stress == 0)
        return;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned long long z = g.stress + 0x9e3779b97f4a7c15ull * (((turn * PEERS_MAX + (unsigned)g.rank) * 8
                                                                    + (unsigned)place) * 1024 + blockIdx.x + 1);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        const unsigned long long begun = now_ns(), length = (z ^ (z >> 31)) % LONGEST_NS;
        while (now_ns() - begun < length) {}
    }
    __syncthreads();
}

/* The words of a record of a site, from the field of a rank to a ghost of another. */
static __device__ __forceinline__ void copy_record(uint32_t *to, int to_x, const uint32_t *from, int x,
                                                   const peer_pack_args &a, int record)
{
    for (int first = 0; first < a.words;) {
        const int left = a.words - first, width = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        const uint32_t *word = from + unit_at(x, a.records, record, a.words, first, width);
        uint32_t *there = to + unit_at(to_x, a.records, record, a.words, first, width);
        if (width == 4)
            *(uint4 *)there = *(const uint4 *)word;
        else if (width == 2)
            *(uint2 *)there = *(const uint2 *)word;
        else
            *there = *word;
        first += width;
    }
}

static __host__ __device__ __forceinline__ int packed_records(const peer_pack_args &a)
{
    return a.entries * a.records * a.slabs * a.parities * a.fields;
}

/* Record i of all; threads of a warp have neighbouring sites.  Boxes begin with a tile of memory. */
static __device__ __forceinline__ void copy_packed(const peer_pack_args &a, int i)
{
    const int entry = i % a.entries, of_entry = i / a.entries;
    const int record = of_entry % a.records, of_record = of_entry / a.records;
    const int slab = of_record % a.slabs, rest = of_record / a.slabs;
    const int parity = a.first_parity + rest % a.parities, n = rest / a.parities;
    const peer_box box = a.box[a.box_of_tile[entry / SITE_TILE]];
    if (!(box.levels >> a.level & 1))
        return;
    const int x = a.sites[parity * a.parity_sites + entry] + slab * a.slab_sites;
    const int to_x = entry - box.at + slab * a.slab_sites;
    uint32_t *to = (uint32_t *)a.to[n][box.receiver] + (long long)box.first[parity] * (a.records * a.words);
    copy_record(to, to_x, (const uint32_t *)a.from[n], x, a, record);
}

/* The work of block `block` of the `blocks` that pack: it waits until all neighbours have read their ghosts of the
 * exchange before, stores its part, and the last one tells them.  Returns the number of the exchange. */
static __device__ __forceinline__ unsigned long long pack_for_peers(const peer_pack_args &a, int block, int blocks)
{
    const peer_group &g = a.group;
    const unsigned long long turn = g.state->exchanges + 1;
    const int threads = (int)blockDim.x, records = packed_records(a);
    delay_at_random(g, 0, turn);
    if ((int)threadIdx.x < g.neighbours) {
        const int other = g.neighbour[threadIdx.x];
        raise_flag(&g.mailbox[other]->ready[g.rank], turn);
        wait_for(&g.mailbox[g.rank]->ready[other], turn, g, other);
    }
    __syncthreads();
    delay_at_random(g, 1, turn);
    for (int i = block * threads + (int)threadIdx.x; i < records; i += blocks * threads)
        copy_packed(a, i);
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();                              /* the stores of the whole block */
        last = atomicAdd(&g.state->packed, 1u) == (unsigned)blocks - 1;
        __threadfence_system();
    }
    __syncthreads();
    if (last) {
        delay_at_random(g, 2, turn);
        if (threadIdx.x == 0)
            g.state->packed = 0;
        if ((int)threadIdx.x < g.neighbours)
            raise_flag(&g.mailbox[g.neighbour[threadIdx.x]]->arrived[g.rank], turn);
    }
    return turn;
}

/* Until the ghosts of this rank have arrived. */
static __device__ __forceinline__ unsigned long long wait_for_peers(const peer_group &g)
{
    const unsigned long long turn = g.state->exchanges + 1;
    if ((int)threadIdx.x < g.neighbours) {
        const int other = g.neighbour[threadIdx.x];
        wait_for(&g.mailbox[g.rank]->arrived[other], turn, g, other);
    }
    __syncthreads();
    delay_at_random(g, 3, turn);
    return turn;
}

#endif
