/* persistent_loop.h - the loop of conjugate gradients with the staggered operator as one kernel on each rank: templates
 * that staggered_persistent.cu and staggered_persistent_13.cu instantiate.
 *
 * On a small lattice a launch takes as long as its work.  This kernel is launched once, with no more blocks than are
 * resident on the device at once, and repeats the steps of the loop's body, as a graph of launches would.  If a step
 * needs data of other blocks, the blocks wait for each other (grid_gate.h):
 *     before the first and the second hop;  after a sum, whose scalars the last block to arrive computes.
 * All other steps use data that the same thread wrote, since a thread has the same sites in all steps.
 *
 * With several ranks, GPUs store into each other's memory (peer_stores.h).  Before a hop, the first blocks store the
 * ghosts of the neighbors, and all blocks wait for the ghosts of this rank; after a sum, the last block to arrive adds
 * over the ranks.  Only before the first exchange does a rank wait until its neighbors have read the old ghosts.
 * Later this needs no wait: between two exchanges of a field there is a sum, which ends only after all blocks of all
 * ranks have read their ghosts.
 *
 * The steps are the bodies of the kernels that the graph launches, and sums are exact, so the bits are the same.  A
 * thread may use all registers: a small lattice has few threads, which must have many loads in flight. */
#ifndef KILN_GPU_PERSISTENT_LOOP_H
#define KILN_GPU_PERSISTENT_LOOP_H

#include "gpu/grid_gate.h"
#include "gpu/hop_tiles.h"
#include "gpu/peer_sums.h"
#include "src/kernels/krylov_verbs.h"

enum { PERSISTENT_THREADS = 256, PERSISTENT_BLOCKS = 1 };

/* The hop of a loop on one rank, and on several. */
template <vector_format F, link_format LONG>
using persistent_hop = hop_way<F, LONG, 1, PERSISTENT_THREADS, 1, 1, AT_ONCE | WHOLE, PERSISTENT_BLOCKS>;
template <vector_format F, link_format LONG>
using persistent_split_hop = hop_way<F, LONG, 1, PERSISTENT_THREADS, 1, 1, AT_ONCE, PERSISTENT_BLOCKS>;

/* The sites first .. end - 1 of a block, numbered in their parity: whole warps, as many as in other blocks or one
 * more. */
typedef struct { int first, end; } site_run;

static __device__ __forceinline__ site_run own_sites(int sites)
{
    const long long warps = (sites + 31) / 32, block = blockIdx.x, blocks = gridDim.x;
    const int end = 32 * (int)(warps * (block + 1) / blocks);
    return site_run{ 32 * (int)(warps * block / blocks), end < sites ? end : sites };
}

/* The state of the loop in a block; exchanges: number of the latest one; begun: whether this launch made one. */
typedef struct { grid_gate gate; site_run sites; bool going, begun; unsigned long long exchanges; } persistent_block;

static __device__ __forceinline__ krylov_system *system_of(const krylov_batch &b)
{
    return &b.state->system[b.number[0]];
}

/* out <- D in, or out <- shift y - D in and Re y^+ out: the bodies of hop_on_tiles and normal_on_tiles. */
template <class WAY>
static __device__ __forceinline__ void hop_sites(const batch_hop_args &a, const hop_grid &g, site_run sites, int first,
                                                 bool is_normal, sum_cell *curvature)
{
    const krylov_system *system = system_of(a.b);
    const double shift = system->shift, scale = system->curvature_per_bound;
    const int parity = site_parity(&a.l, first);
    KEEP_LOOP
    for (int i = sites.first + (int)threadIdx.x; i < sites.end; i += WAY::THREADS) {
        const hop_place p = hop_place_in_parity(a.l, g, parity, i);
        const site x = site_at(p.index);
        color_vector d;
        WAY::hops(a, g, p, &d);
        if (is_normal) {
            const normal_pair pair = normal_end(WAY::format, &a.out[0], &a.y[0], shift, d, x);
            const real s = vector_dot(pair.y, pair.out).re;
            sum_cell_add(curvature, (double)s, scale);
        } else
            store_vector_as(WAY::format, &a.out[0], x, d);
    }
}

/* Prefetches the links of the tile of x into the L2 cache; the threads of a warp share the cache lines. */
template <link_format LINKS>
static __device__ __forceinline__ void prefetch_links(const gauge_view *u, int x)
{
    enum { LINE = 128, NUMBER = raw_link<LINKS>::NATIVE ? sizeof(real) : sizeof(uint32_t) };
    enum { BYTES = 4 * raw_link<LINKS>::COUNT * SITE_TILE * NUMBER };
    const char *tile = (const char *)u->data + (ptrdiff_t)tile_of(x) * BYTES;
    for (int at = (int)threadIdx.x % 32 * LINE; at < BYTES; at += 32 * LINE)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(tile + at));
}

/* Prefetches the links of this block's tiles of both parities, for the next iteration, while memory is idle. */
template <class WAY>
static __device__ __forceinline__ void prefetch_next(const batch_hop_args &a, site_run sites)
{
    for (int i = sites.first + (int)threadIdx.x; i < sites.end; i += WAY::THREADS)
        for (int parity = 0; parity < 2; parity++) {
            const int x = site_of_parity(&a.l, parity, i);
            prefetch_links<WAY::fat>(&a.fat, x);
            if (a.naik != 0)
                prefetch_links<WAY::long_links>(&a.long_links, x);
        }
}

/* Stores the ghosts of other ranks and waits for those of this rank. */
static __device__ __forceinline__ void exchange_inside(persistent_block *block, const peer_pack_args &a)
{
    const int warps = (int)blockDim.x / WARP_THREADS, wanted = (packed_pieces(a) + warps - 1) / warps;
    const int packers = wanted < (int)gridDim.x ? wanted : (int)gridDim.x;
    block->exchanges++;
    if ((int)blockIdx.x < packers) {
        if (!block->begun)
            wait_for_readers(a.group, block->exchanges);
        store_for_peers<stored_numbers>(a, block->exchanges, (int)blockIdx.x, packers);
    }
    block->begun = true;
    wait_for_arrivals(a.group, block->exchanges);
}

/* A sum, to which all blocks have added, and its scalars: by the last block to arrive, after the sum over ranks. */
template <class WAY>
static __device__ __forceinline__ void finish_sum(persistent_block *block, const persistent_loop &p,
                                                  const krylov_batch &b, krylov_sum sum)
{
    const int thread = (int)threadIdx.x;
    if (!gate_is_last(&block->gate)) {
        gate_pass_after(&block->gate);
        return;
    }
    if (!(WAY::LOADS & WHOLE) && block->going)
        add_over_peers(p.group, b, sum, thread, WAY::THREADS);
    finish_kind(sum, &b, block->going, thread, WAY::THREADS);
    if (!(WAY::LOADS & WHOLE))
        end_if_failed(p.group, b, thread);
    gate_let_pass(&block->gate);
}

/* The first hop, or the second one with its sum.  If the loop has ended, only the end of the sum is needed. */
template <class WAY>
static __device__ __forceinline__ void do_hop(persistent_block *block, const persistent_loop &p, const hop_grid &g,
                                              const persistent_step &step)
{
    const batch_hop_args &a = *(const batch_hop_args *)(p.program + step.at);
    const bool is_normal = step.kind == PERSISTENT_NORMAL;
    if (block->going) {
        sum_cell mine = {};
        gate_pass(&block->gate);
        if (!(WAY::LOADS & WHOLE) && step.exchange != 0)
            exchange_inside(block, p.exchange[step.exchange - 1]);
        hop_sites<WAY>(a, g, block->sites, step.first, is_normal, &mine);
        if (is_normal)
            merge_cells<1, 1, WAY::THREADS>(a.b.state, a.b.number, &mine);
        if (is_normal && (WAY::LOADS & PREFETCHED))
            prefetch_next<WAY>(a, block->sites);
    }
    if (is_normal)
        finish_sum<WAY>(block, p, a.b, KRYLOV_CURVATURE);
}

template <class WAY>
static __device__ __forceinline__ void do_residual(persistent_block *block, const persistent_loop &p,
                                                   const persistent_step &step)
{
    const batch_residual_args &a = *(const batch_residual_args *)(p.program + step.at);
    const krylov_system *system = system_of(a.b);
    if (!block->going)
        return;
    if (krylov_has_stepped(system)) {
        const double scale = system->norm_per_bound;
        sum_cell mine[KRYLOV_SUMS] = {};
        KEEP_LOOP
        for (int i = block->sites.first + (int)threadIdx.x; i < block->sites.end; i += WAY::THREADS) {
            real s[KRYLOV_SUMS];
            batch_residual_as(WAY::format, &a, 0, site_at(step.first + i), s);
            UNROLL_LOOP
            for (int j = 0; j < KRYLOV_SUMS; j++)
                sum_cell_add(&mine[j], (double)s[j], scale);
        }
        merge_cells<1, KRYLOV_SUMS, WAY::THREADS>(a.b.state, a.b.number, mine);
    }
    finish_sum<WAY>(block, p, a.b, KRYLOV_RESIDUAL);
    block->going = *p.going != 0;
}

/* A step without a sum, on one site. */
template <vector_format FORMAT>
static __device__ __forceinline__ void map_site(persistent_kind kind, const void *args, site x)
{
    switch (kind) {
    case PERSISTENT_DIRECTION: batch_direction_as(FORMAT, (const batch_direction_args *)args, x); break;
    case PERSISTENT_GATHER: batch_gather_as(FORMAT, (const batch_gather_args *)args, x); break;
    case PERSISTENT_SHIFTS: shifts_update_as(FORMAT, (const shifts_update_args *)args, x); break;
    case PERSISTENT_STEP_GROUP: shifts_step_group_as(FORMAT, (const shifts_step_group_args *)args, x); break;
    default: break;
    }
}

template <class WAY>
static __device__ __forceinline__ void persistent_pass(persistent_block *block, const persistent_loop &p,
                                                       const hop_grid &g)
{
    KEEP_LOOP
    for (int n = 0; n < p.count; n++) {
        const persistent_step step = ((const persistent_step *)p.program)[n];
        const void *args = p.program + step.at;
        if (step.kind == PERSISTENT_HOP || step.kind == PERSISTENT_NORMAL)
            do_hop<WAY>(block, p, g, step);
        else if (step.kind == PERSISTENT_RESIDUAL)
            do_residual<WAY>(block, p, step);
        else
            for (int i = block->sites.first + (int)threadIdx.x; i < block->sites.end; i += WAY::THREADS)
                map_site<WAY::format>(step.kind, args, site_at(step.first + i));
    }
}

template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::BLOCKS)
persistent_kernel(const __grid_constant__ persistent_loop p, const __grid_constant__ hop_grid g)
{
    const bool alone = (WAY::LOADS & WHOLE) != 0;
    persistent_block block = { { p.gate, 0 }, own_sites(p.sites), *p.going != 0, false,
                               alone ? 0 : p.group.state->exchanges };
    do
        persistent_pass<WAY>(&block, p, g);
    while (block.going);
    if (!alone && blockIdx.x == 0 && threadIdx.x == 0)       /* all blocks have passed a gate since they read it */
        p.group.state->exchanges = block.exchanges;
}

/* The number of blocks; 0 if the device has no cooperative kernels.  Waits take longer with more blocks: so there are
 * only enough for one site a thread, if they fit, but at least one on each multiprocessor that gets a warp. */
static inline int persistent_blocks(const void *kernel, int threads, const persistent_loop *p)
{
    const int warps = divide_up(p->sites, 32);
    int device = 0, processors = 0, resident = 0, cooperative = 0;
    if (cudaGetDevice(&device) != cudaSuccess
        || cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device) != cudaSuccess
        || cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess
        || cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0) != cudaSuccess
        || !cooperative)
        return 0;
    const int wanted = divide_up(p->sites, processors * threads), each = wanted < resident ? wanted : resident;
    return warps < processors * each ? warps : processors * each;
}

#if CUDART_VERSION >= 12010
template <class WAY>
static bool launch_persistent(const persistent_loop *p, const batch_hop_args *hop, site_range range, void *stream)
{
    const void *kernel = (const void *)persistent_kernel<WAY>;
    const int blocks = persistent_blocks(kernel, WAY::THREADS, p);
    if (blocks == 0 || !tiles_fit(&hop->l))
        return false;
    hop_grid g = WAY::grid(hop, range);
    void *args[] = { (void *)p, &g };
    cudaLaunchCooperativeKernel(kernel, dim3((unsigned)blocks), dim3(WAY::THREADS), args, 0, (cudaStream_t)stream);
    return true;
}
#else
template <class WAY>
static bool launch_persistent(const persistent_loop *, const batch_hop_args *, site_range, void *)
{
    return false;
}
#endif

#define PERSISTENT_LOOP(format, long_format, suffix)                                                                   \
    extern "C" persistent_fn K(staggered_persistent##suffix);                                                          \
    extern "C" bool K(staggered_persistent##suffix)(const persistent_loop *p, const batch_hop_args *hop,               \
                                                    site_range range, void *stream)                                    \
    {                                                                                                                  \
        if (p->group.ranks > 0)                                                                                        \
            return launch_persistent<persistent_split_hop<format, long_format>>(p, hop, range, stream);                \
        return hop->l.split == 0 && launch_persistent<persistent_hop<format, long_format>>(p, hop, range, stream);     \
    }

#endif
