/* wilson_march.h - the hop of Wilson quarks, one system, by blocks that proceed (march) along t.
 *
 * A block has a run of sites of one parity along x and y, at one z, and computes one time slice after the other.  Each
 * thread converts the neighbor in +t of its site once and puts it into shared memory, where it serves as neighbor in
 * +-x, +-y and -t on the next slices.  Of eight neighbors, three are read from memory and converted; so are neighbors
 * in x and y outside the run.  Operations and their order are as in wilson_hops.h, so the bits are the same. */
#ifndef KILN_GPU_WILSON_MARCH_H
#define KILN_GPU_WILSON_MARCH_H

#include "gpu/wilson_tiles.h"

/* A block has RUN x Z sites, RUN a multiple of a warp, and at most SLICES slices in t; RESIDENT: blocks that should
 * share a multiprocessor. */
template <vector_format FORMAT_, link_format LINKS_, int RUN_, int Z_, int SLICES_, int HOW_, int RESIDENT_>
struct wilson_march_way {
    static constexpr vector_format FORMAT = FORMAT_;
    static constexpr link_format LINKS = LINKS_;
    enum { RUN = RUN_, Z = Z_, SITES = RUN_ * Z_, SLICES = SLICES_, HOW = HOW_, RESIDENT = RESIDENT_,
           STORED = 3, UNITS = SPINS * VECTOR_REALS * (int)sizeof(real) / 16 };
    static constexpr size_t bytes = (size_t)STORED * UNITS * SITES * 16;

    static hop_grid grid(const wilson_hop_args *a, site_range range, int slices)
    {
        return hop_grid_for(&a->l, range, tile_shape{ RUN, Z, slices }, SPINS * vector_bytes<FORMAT>());
    }
};

/* Spinors of the last STORED slices in shared memory: [slice][unit of 16 bytes][site of the block], slice counted
 * modulo STORED. */
template <class WAY>
static __device__ __forceinline__ void put_marched(uint4 *memory, int slice, int at, const spinor &v)
{
    const real *n = &v.s[0].c[0].re;
    uint4 *to = memory + slice * WAY::UNITS * WAY::SITES + at;
    UNROLL_LOOP
    for (int i = 0; i < WAY::UNITS; i++) {
        uint4 w;
        memcpy(&w, n + i * (16 / sizeof(real)), 16);
        to[i * WAY::SITES] = w;
    }
}
template <class WAY>
static __device__ __forceinline__ spinor marched(const uint4 *memory, int slice, int at)
{
    spinor v;
    real *n = &v.s[0].c[0].re;
    const uint4 *from = memory + slice * WAY::UNITS * WAY::SITES + at;
    UNROLL_LOOP
    for (int i = 0; i < WAY::UNITS; i++) {
        const uint4 w = from[i * WAY::SITES];
        memcpy(n + i * (16 / sizeof(real)), &w, 16);
    }
    return v;
}

template <class WAY>
static __device__ __forceinline__ raw_spinor<WAY::FORMAT> raw_neighbor_at(const wilson_hop_args &a, const char *from,
                                                                          uint32_t slab, int to)
{
    raw_spinor<WAY::FORMAT> r;
    const int place = to + a.l.ghosts;
    const char *first = from + (uint32_t)offset_of<WAY::FORMAT>(place);
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        r.s[spin] = raw_at<WAY::FORMAT>(first + (size_t)spin * slab, place_in_tile(place));
    return r;
}

/* The index of the neighbor in t - 1 (hop = -1) or t + 1 (hop = 1). */
template <class WAY>
static __device__ __forceinline__ int in_time(const wilson_hop_args &a, const hop_grid &g, const hop_place &p, int hop)
{
    return hop_from<WAY::HOW>(a.l, g, p, 3, hop);
}

template <class WAY, int FORM, bool DAGGER>
static __global__ void __launch_bounds__(WAY::SITES, WAY::RESIDENT)
wilson_marching(const __grid_constant__ wilson_hop_args a, const __grid_constant__ hop_grid g, int slices)
{
    constexpr vector_format F = WAY::FORMAT;
    extern __shared__ uint4 marched_memory[];
    if (!batch_is_going(&a.b))
        return;
    const int i = (int)threadIdx.x, parity = (g.parity + (int)blockIdx.z / g.slabs) & 1;
    const int row = i / WAY::RUN, tile_z = (int)blockIdx.z % g.slabs * g.slab_z + (int)blockIdx.x / g.runs;
    const int z = g.z + tile_z * WAY::Z + row, at = (int)blockIdx.x % g.runs * WAY::RUN + i % WAY::RUN;
    const bool there = at < g.slice && z < g.z_end;
    const char *from = (const char *)a.in[0].data - (uint32_t)offset_of<F>(a.l.ghosts);
    tile_site x = {};
    x.slab = (uint32_t)slab_bytes<F>(&a.out[0]);
    x.boundary = (real)a.boundary;
    x.low_bits = hidden_low_bits();
    int time = (int)blockIdx.y * slices;
    const int end = time + slices < g.times ? time + slices : g.times;
    if (there) {                                           /* slices t - 1 and t; the loop adds t + 1, t + 2, ... */
        const hop_place p = hop_place_at(a.l, g, parity, at, z, g.t + time);
        const int before = in_time<WAY>(a, g, p, -1);
        put_marched<WAY>(marched_memory, 2, i,
                         numbers_of<WAY>(raw_neighbor_at<WAY>(a, from, x.slab, before), x.low_bits));
        put_marched<WAY>(marched_memory, 0, i,
                         numbers_of<WAY>(raw_neighbor_at<WAY>(a, from, x.slab, p.other), x.low_bits));
    }
    int here = 0;                                          /* where the present slice is stored */
    KEEP_LOOP
    for (; time < end; time++) {
        const int next = here == 2 ? 0 : here + 1, last = here == 0 ? 2 : here - 1;
        const hop_place p = hop_place_at(a.l, g, parity, at, z, g.t + time);
        __syncthreads();
        if (there) {
            const int t = g.t + time, run_begin = p.other - i % WAY::RUN;
            x.offset = offset_of<F>(p.index);
            x.lane = place_in_tile(p.index);
            x.first = a.l.origin[3] + t == 0;
            x.last = a.l.origin[3] + t == a.l.global[3] - 1;
            const raw_spinor<F> ahead = raw_neighbor_at<WAY>(a, from, x.slab, in_time<WAY>(a, g, p, 1));
            spinor sum = spinor_zero();
            UNROLL_LOOP
            for (int k = 0; k < 8; k++) {
                const int to = hop_from<WAY::HOW>(a.l, g, p, k / 2, k % 2 ? -1 : 1), number = to - run_begin;
                spinor_neighbor<WAY> r;
                spinor v;
                r.link = fetch_link<WAY::LINKS, WAY::HOW>(&a.u, site_at(k % 2 ? to : p.index), k / 2);
                const int beside = k % 2 ? -1 : 1;
                const bool inside = (unsigned)(row + beside) < (unsigned)WAY::Z && z + beside < g.z_end;
                if (k < 4 && (unsigned)number < (unsigned)WAY::RUN)
                    v = marched<WAY>(marched_memory, here, row * WAY::RUN + number);
                else if (WAY::Z > 1 && k / 2 == 2 && inside)
                    v = marched<WAY>(marched_memory, here, i + beside * WAY::RUN);
                else if (k < 6)
                    v = numbers_of<WAY>(raw_neighbor_at<WAY>(a, from, x.slab, to), x.low_bits);
                else if (k == 6) {
                    v = numbers_of<WAY>(ahead, x.low_bits);
                    put_marched<WAY>(marched_memory, next, i, v);
                } else
                    v = marched<WAY>(marched_memory, last, i);
                const half_spinor h = projected(k / 2, plus_of<DAGGER>(k), v);
                sum = expanded(k / 2, plus_of<DAGGER>(k), carried_from<WAY>(r, x, true, k, h), sum);
            }
            end_site<WAY, FORM>(a, 0, x, site_at(p.index), sum);
        }
        here = next;
    }
}

/* Blocks that fill an H200, which has 132 multiprocessors.  A block converts two more slices than it computes, which is
 * too expensive for fewer than four slices. */
enum { BLOCKS_MARCHING = 2 * 132, FEWEST_SLICES = 4 };

static inline int blocks_of(const hop_grid &g)
{
    return (int)(g.blocks.x * g.blocks.y * g.blocks.z);
}

template <class WAY>
static int marching_slices(const wilson_hop_args *a, site_range range)
{
    int slices = WAY::SLICES;
    while (slices > FEWEST_SLICES && blocks_of(WAY::grid(a, range, slices)) < BLOCKS_MARCHING)
        slices /= 2;
    return slices;
}

/* Whether marching blocks are faster: for one system on consecutive whole time slices, if at most 15 percent of the
 * sites of runs lie beyond the end of a slice, and there are at least half as many blocks as fill the device. */
template <class WAY>
static bool is_marching(const wilson_hop_args *a, site_range range)
{
    const hop_grid g = WAY::grid(a, range, FEWEST_SLICES);
    return wilson_count(a) == 1 && g.skip == 0 && g.z == 0 && g.z_end == a->l.local[2]
           && 100 * g.slice >= 85 * g.runs * WAY::RUN && 2 * blocks_of(g) >= BLOCKS_MARCHING;
}

template <class WAY, int FORM>
static void launch_marching(const void *args, site_range range, void *stream)
{
    const wilson_hop_args *a = (const wilson_hop_args *)args;
    const int slices = marching_slices<WAY>(a, range);
    const hop_grid g = WAY::grid(a, range, slices);
    const block_needs b = { WAY::SITES, WAY::bytes, WAY::RESIDENT };
    void (*kernel)(const wilson_hop_args, const hop_grid, int) =
        a->dagger ? wilson_marching<WAY, FORM, true> : wilson_marching<WAY, FORM, false>;
    divide_cache(kernel, b);
    kernel<<<g.blocks, b.threads, b.shared, (cudaStream_t)stream>>>(*a, g, slices);
}

#endif
