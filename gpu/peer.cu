/* peer.cu - stores into the ghosts of other GPUs, flags, and sums over ranks (src/kernels/peer_args.h).
 *
 * A kernel here may wait for one of another GPU; so ranks that use them have a GPU each.  Every wait has a limit. */
#include "src/kernels/krylov_finish.h"
#include "src/kernels/peer_args.h"
#include "src/site/site.h"
#include "src/site/words.h"

/* Words of any precision and format; scalars in double. */
#ifndef SINGLE

enum { PACK_THREADS = 256, PACK_BLOCKS = 264, SUM_THREADS = 128 };

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

static __device__ __forceinline__ void copy_units(uint32_t *to, int lane, const uint32_t *from, int x,
                                                  const peer_pack_args &a, int record, int first, int width)
{
    const uint32_t *word = from + unit_at(x, a.records, record, a.words, first, width);
    uint32_t *there = to + unit_at(lane, a.records, record, a.words, first, width);
    if (width == 4)
        *(uint4 *)there = *(const uint4 *)word;
    else if (width == 2)
        *(uint2 *)there = *(const uint2 *)word;
    else
        *there = *word;
}

/* Boxes begin with a tile of memory. */
static __device__ __forceinline__ void copy_site(const peer_pack_args &a, int i)
{
    const int entry = i % a.entries, slab = i / a.entries % a.slabs, rest = i / a.entries / a.slabs;
    const int parity = a.first_parity + rest % a.parities, n = rest / a.parities;
    const peer_box box = a.box[a.box_of_tile[entry / SITE_TILE]];
    if (!(box.levels >> a.level & 1))
        return;
    const int x = a.sites[parity * a.parity_sites + entry] + slab * a.slab_sites;
    const int to_x = entry - box.at + slab * a.slab_sites;
    const uint32_t *from = (const uint32_t *)a.from[n];
    uint32_t *to = (uint32_t *)a.to[n][box.receiver] + (long long)box.first[parity] * (a.records * a.words);
    for (int record = 0; record < a.records; record++) {
        for (int first = 0; first + 4 <= a.words; first += 4)
            copy_units(to, to_x, from, x, a, record, first, 4);
        if (a.words & 2)
            copy_units(to, to_x, from, x, a, record, a.words & ~3, 2);
        if (a.words & 1)
            copy_units(to, to_x, from, x, a, record, a.words - 1, 1);
    }
}

static __global__ void __launch_bounds__(PACK_THREADS)
pack_into_peers(const __grid_constant__ peer_pack_args a)
{
    const peer_group &g = a.group;
    const unsigned long long turn = g.state->exchanges + 1;
    delay_at_random(g, 0, turn);
    if ((int)threadIdx.x < g.neighbours) {
        const int other = g.neighbour[threadIdx.x];
        raise_flag(&g.mailbox[other]->ready[g.rank], turn);
        wait_for(&g.mailbox[g.rank]->ready[other], turn, g, other);
    }
    __syncthreads();
    delay_at_random(g, 1, turn);
    const int sites = a.entries * a.slabs * a.parities * a.fields;
    for (int i = (int)(blockIdx.x * PACK_THREADS + threadIdx.x); i < sites; i += (int)gridDim.x * PACK_THREADS)
        copy_site(a, i);
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();                              /* the stores of the whole block */
        last = atomicAdd(&g.state->packed, 1u) == gridDim.x - 1;
        __threadfence_system();
    }
    __syncthreads();
    if (!last)
        return;
    delay_at_random(g, 2, turn);
    if (threadIdx.x == 0)
        g.state->packed = 0;
    if ((int)threadIdx.x < g.neighbours)
        raise_flag(&g.mailbox[g.neighbour[threadIdx.x]]->arrived[g.rank], turn);
}

static __global__ void __launch_bounds__(32)
wait_for_ghosts(const __grid_constant__ peer_group g)
{
    const unsigned long long turn = g.state->exchanges + 1;
    if ((int)threadIdx.x < g.neighbours) {
        const int other = g.neighbour[threadIdx.x];
        wait_for(&g.mailbox[g.rank]->arrived[other], turn, g, other);
    }
    __syncthreads();
    delay_at_random(g, 3, turn);
    if (threadIdx.x == 0)
        g.state->exchanges = turn;
}

/* Integers: all ranks get the same words, in any order. */
static __global__ void __launch_bounds__(SUM_THREADS)
sum_over_ranks(const __grid_constant__ peer_sum_args a)
{
    const peer_group &g = a.group;
    krylov_state *state = a.b.state;
    const unsigned long long turn = g.state->sums + 1;
    const int cells = a.b.count * KRYLOV_SUMS, words = 4 * cells, thread = (int)threadIdx.x;
    for (int i = thread; i < cells; i += SUM_THREADS)
        sum_cell_carry(&state->cell[a.b.number[i / KRYLOV_SUMS]][i % KRYLOV_SUMS]);
    __syncthreads();
    delay_at_random(g, 4, turn);
    for (int i = thread; i < words * g.ranks; i += SUM_THREADS) {
        const int w = i % words, cell = w / 4;
        const sum_cell *mine = &state->cell[a.b.number[cell / KRYLOV_SUMS]][cell % KRYLOV_SUMS];
        g.mailbox[i / words]->words[turn & 1][g.rank][w] = w % 4 < 3 ? mine->word[w % 4] : mine->refused;
    }
    __threadfence_system();
    __syncthreads();
    delay_at_random(g, 5, turn);
    if (thread < g.ranks) {
        raise_flag(&g.mailbox[thread]->summed[g.rank], turn);
        wait_for(&g.mailbox[g.rank]->summed[thread], turn, g, thread);
    }
    __syncthreads();
    delay_at_random(g, 6, turn);
    for (int w = thread; w < words; w += SUM_THREADS) {
        const int cell = w / 4;
        sum_cell *mine = &state->cell[a.b.number[cell / KRYLOV_SUMS]][cell % KRYLOV_SUMS];
        long long sum = 0;
        for (int r = 0; r < g.ranks; r++)
            sum += *(volatile long long *)&g.mailbox[g.rank]->words[turn & 1][r][w];
        if (w % 4 < 3)
            mine->word[w % 4] = sum;
        else
            mine->refused = sum;
    }
    if (thread == 0)
        g.state->sums = turn;
    __syncthreads();
    const bool going = state->going != 0;
    __syncthreads();
    if (a.sum == KRYLOV_CURVATURE)
        curvature_finish(&a.b, going, thread, SUM_THREADS);
    else
        residual_finish(&a.b, going, thread, SUM_THREADS);
    __syncthreads();
    if (thread == 0 && *(volatile int *)&g.state->failed)
        state->going = 0;
}

static __global__ void __launch_bounds__(32)
greet_ranks(const __grid_constant__ peer_group g)
{
    const int other = (int)threadIdx.x;
    if (other < g.ranks)
        raise_flag(&g.mailbox[other]->greeting[g.rank], PEER_GREETING(g.rank, other));
}

extern "C" peer_greet_fn peer_greet_gpu;
extern "C" peer_pack_fn peer_pack_gpu;
extern "C" peer_wait_fn peer_wait_gpu;
extern "C" peer_sum_fn peer_sum_gpu;

extern "C" void peer_greet_gpu(const peer_group *g, void *stream)
{
    greet_ranks<<<1, 32, 0, (cudaStream_t)stream>>>(*g);
}

extern "C" void peer_pack_gpu(const peer_pack_args *a, void *stream)
{
    const int sites = a->entries * a->slabs * a->parities * a->fields;
    const int needed = (sites + PACK_THREADS - 1) / PACK_THREADS;
    pack_into_peers<<<needed < PACK_BLOCKS ? needed : PACK_BLOCKS, PACK_THREADS, 0, (cudaStream_t)stream>>>(*a);
}

extern "C" void peer_wait_gpu(const peer_group *g, void *stream)
{
    wait_for_ghosts<<<1, 32, 0, (cudaStream_t)stream>>>(*g);
}

extern "C" void peer_sum_gpu(const peer_sum_args *a, void *stream)
{
    sum_over_ranks<<<1, SUM_THREADS, 0, (cudaStream_t)stream>>>(*a);
}

#endif
