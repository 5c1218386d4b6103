/* wilson_tiles.h - the hop of Wilson quarks on tiles, with the product by a clover term (src/kernels/wilson_args.h):
 * templates that wilson_hop.cu, clover_hop.cu, twisted_hop.cu and symmetric_hop.cu instantiate, and
 * gpu/bench/wilson_ladder.cu and clover_ladder.cu with other parameters.
 *
 * One system: a thread has a site; it reads each link and each neighbor once.  Links bypass the L1 cache, which keeps
 * spinors for the other sites of the block.  Several systems: either a thread has a site and computes one system after
 * the other; or several threads have the site, and share links and offsets of neighbors in shared memory
 * (spinor_tiles.h), each with one system at a time or with two, which share links and blocks in registers.  Operations
 * and their order are as in wilson_hops.h, so the bits are the same. */
#ifndef KILN_GPU_WILSON_TILES_H
#define KILN_GPU_WILSON_TILES_H

#include "gpu/block_needs.h"
#include "gpu/wilson_ends.h"

/* The flag NON_RELATIVISTIC (hop_places.h): with the blocks S = [1 1; 1 -1] / 2^1/2, spinors S v have the gamma
 * matrices -gamma_x, -gamma_y, -gamma_z and diag(1, 1, -1, -1), so a hop in t needs two of four spins. */

/* A block has RUN x Z x T sites; RESIDENT: blocks that should share a multiprocessor.  For several systems: SYSTEMS
 * threads for each site, each of them with EACH systems at once. */
template <vector_format FORMAT_, link_format LINKS_, int RUN_, int Z_, int T_, int SYSTEMS_, int HOW_, int RESIDENT_,
          int EACH_ = 1>
struct wilson_way {
    static constexpr vector_format FORMAT = FORMAT_;
    static constexpr link_format LINKS = LINKS_;
    enum { RUN = RUN_, Z = Z_, T = T_, SITES = RUN_ * Z_ * T_, SYSTEMS = SYSTEMS_, THREADS = SITES * SYSTEMS_,
           HOW = HOW_, RESIDENT = RESIDENT_, EACH = EACH_ };

    static hop_grid grid(const wilson_hop_args *a, site_range range)
    {
        const size_t systems = a->b.state ? (size_t)a->b.count : 1;
        return hop_grid_for(&a->l, range, tile_shape{ RUN, Z, T }, systems * SPINS * vector_bytes<FORMAT>());
    }
    static __device__ __forceinline__ hop_place place(const lattice_view &l, const hop_grid &g, hop_block b)
    {
        return hop_place_of<RUN, Z, T>(l, g, b, (int)threadIdx.x % SITES);
    }
};

/* ---- one system */

template <class WAY>
struct spinor_neighbor {
    raw_link<WAY::LINKS> link;
    raw_spinor<WAY::FORMAT> there;
};

template <class WAY>
static __device__ __forceinline__ bool needs_no_link(const lattice_view &l, const hop_place &p, int k)
{
    const int t = l.origin[3] + (int)(p.coordinates >> 48);
    return (WAY::HOW & TEMPORAL_GAUGE) && k >= 6 && t != (k == 6 ? l.global[3] - 1 : 0);
}

/* Whether neighbor k in t, with diagonal gamma_t, needs spins 0 and 1: these are the spins of 1 + gamma_t. */
template <bool DAGGER>
static __device__ __forceinline__ bool upper_spins(int k)
{
    return plus_of<DAGGER>(k) == 1;
}

/* Loads neighbor k = 2 mu (forward) or 2 mu + 1 (backward); `from`: address of the first even ghost. */
template <class WAY, bool DAGGER>
static __device__ __forceinline__ spinor_neighbor<WAY> fetch_spinor(const wilson_hop_args &a, const hop_grid &g,
                                                                    const hop_place &p, const char *from,
                                                                    uint32_t slab, int k)
{
    constexpr vector_format F = WAY::FORMAT;
    spinor_neighbor<WAY> r;
    const int to = hop_from<WAY::HOW>(a.l, g, p, k / 2, k % 2 ? -1 : 1), from_ghosts = to + a.l.ghosts;
    if (!needs_no_link<WAY>(a.l, p, k))
        r.link = fetch_link<WAY::LINKS, WAY::HOW>(&a.u, site_at(k % 2 ? to : p.index), k / 2);
    const char *first = from + (uint32_t)offset_of<F>(from_ghosts);
    const bool half = ghosts_of<WAY>::half && k >= 2 && is_ghost(a.l, to);
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        if (half && spin >= 2)
            r.there.s[spin] = raw_vector<F>{};
        else if (!(WAY::HOW & NON_RELATIVISTIC) || k < 6 || upper_spins<DAGGER>(k) == (spin < 2))
            r.there.s[spin] = raw_at<F>(first + (size_t)spin * slab, place_in_tile(from_ghosts));
    return r;
}

/* The half spinor h of neighbor k, carried to x along its link. */
template <class WAY>
static __device__ __forceinline__ half_spinor carried_from(const spinor_neighbor<WAY> &r, const tile_site &x,
                                                           bool needs_link, int k, half_spinor h)
{
    return needs_link ? carried<WAY>(link_of<WAY::LINKS>(r.link), x, k, h) : past_boundary<WAY>(x, k, h);
}

template <class WAY>
static __device__ __forceinline__ spinor numbers_of(const raw_spinor<WAY::FORMAT> &r, uint32_t low_bits)
{
    spinor v;
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        v.s[spin] = numbers_in<WAY::FORMAT>(r.s[spin], low_bits);
    return v;
}

template <class WAY, bool DAGGER>
static __device__ __forceinline__ spinor add_spinor(const spinor_neighbor<WAY> &r, const tile_site &x,
                                                    bool needs_link, int k, spinor sum)
{
    constexpr bool diagonal = (WAY::HOW & NON_RELATIVISTIC) != 0;
    const int mu = k / 2, plus = plus_of<DAGGER>(k), sign = diagonal ? 1 - plus : plus;
    const spinor v = numbers_of<WAY>(r.there, x.low_bits);
    if (diagonal && mu == 3) {
        const int first = upper_spins<DAGGER>(k) ? 0 : 2;
        half_spinor h;
        UNROLL_LOOP
        for (int i = 0; i < 2; i++)
            h.s[i] = vector_scale(2, v.s[first + i]);
        h = carried_from<WAY>(r, x, needs_link, k, h);
        UNROLL_LOOP
        for (int i = 0; i < 2; i++)
            sum.s[first + i] = vector_axpy(1, h.s[i], sum.s[first + i]);
        return sum;
    }
    return expanded(mu, sign, carried_from<WAY>(r, x, needs_link, k, projected(mu, sign, v)), sum);
}

/* The sum over neighbors, S in, of system n. */
template <class WAY, bool DAGGER>
static __device__ __forceinline__ spinor sum_of_one(const wilson_hop_args &a, const hop_grid &g, const hop_place &p,
                                                    const tile_site &x, int n)
{
    const char *from = (const char *)a.in[n].data - x.ghost_bytes;
    spinor sum = spinor_zero();
    if constexpr ((WAY::HOW & AHEAD) != 0) {                  /* the next neighbor is loaded while one is multiplied */
        spinor_neighbor<WAY> next = fetch_spinor<WAY, DAGGER>(a, g, p, from, x.slab, 0);
        UNROLL_LOOP
        for (int k = 0; k < 8; k++) {
            const spinor_neighbor<WAY> r = next;
            if (k < 7)
                next = fetch_spinor<WAY, DAGGER>(a, g, p, from, x.slab, k + 1);
            begin_loads();
            sum = add_spinor<WAY, DAGGER>(r, x, !needs_no_link<WAY>(a.l, p, k), k, sum);
        }
    } else {
        UNROLL_LOOP
        for (int k = 0; k < 8; k++)
            sum = add_spinor<WAY, DAGGER>(fetch_spinor<WAY, DAGGER>(a, g, p, from, x.slab, k), x,
                                          !needs_no_link<WAY>(a.l, p, k), k, sum);
    }
    return sum;
}

/* The site of a thread that reads links from memory: tile_site without low_bits and the members of shared memory. */
template <class WAY>
static __device__ __forceinline__ tile_site site_of_place(const wilson_hop_args &a, const hop_place &p)
{
    const int t = (int)(p.coordinates >> 48);
    tile_site x = {};
    x.slab = (uint32_t)slab_bytes<WAY::FORMAT>(&a.out[0]);
    x.offset = offset_of<WAY::FORMAT>(p.index);
    x.ghost_bytes = offset_of<WAY::FORMAT>(a.l.ghosts);
    x.lane = place_in_tile(p.index);
    x.first = a.l.origin[3] + t == 0;
    x.last = a.l.origin[3] + t == a.l.global[3] - 1;
    x.boundary = (real)a.boundary;
    x.phases = &a.phases;
    return x;
}

/* With STREAMED, one system; else all systems, one after the other: from the second on, links are in the caches. */
template <class WAY, int FORM, bool DAGGER>
static __device__ __forceinline__ void wilson_on_tile(const wilson_hop_args &a, const hop_grid &g, hop_block b)
{
    const hop_place p = WAY::place(a.l, g, b);
    if (!batch_is_going(&a.b) || !p.there)
        return;
    tile_site x = site_of_place<WAY>(a, p);
    x.low_bits = WAY::HOW & STRIDE_BITS ? low_bits_by_stride(g) : hidden_low_bits();
    if constexpr ((WAY::HOW & STREAMED) != 0) {
        end_site<WAY, FORM>(a, 0, x, site_at(p.index), sum_of_one<WAY, DAGGER>(a, g, p, x, 0));
    } else {
        KEEP_LOOP
        for (int n = 0; n < batch_systems(&a.b); n++) {
            end_site<WAY, FORM>(a, n, x, site_at(p.index), sum_of_one<WAY, DAGGER>(a, g, p, x, n));
            begin_loads();
        }
    }
}

template <class WAY, int FORM, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
wilson_on_tiles(const __grid_constant__ wilson_hop_args a, const __grid_constant__ hop_grid g)
{
    wilson_on_tile<WAY, FORM, DAGGER>(a, g, this_block());
}

/* ---- several systems */

/* Whether a thread has EACH systems at once, which share links and clover blocks in registers: in double, where this
 * reads less from the L2 cache (gpu/bench/clover_ladder.cu).  Otherwise a thread has one system at a time, and
 * begin_loads keeps the loads of its directions apart. */
static constexpr bool SYSTEMS_IN_REGISTERS = IN_DOUBLE;

/* Adds neighbor K, as in fetch_spinor, of systems n .. n + EACH - 1. */
template <class WAY, bool DAGGER, int K>
static __device__ __forceinline__ void add_neighbors(const wilson_hop_args &a, const tile_site &x, int n, spinor *sum)
{
    constexpr int mu = K / 2, plus = plus_of<DAGGER>(K);
    const su3 u = tile_links<WAY::SITES, WAY::LINKS>::get(x.links, K, x.at);
    UNROLL_LOOP
    for (int i = 0; i < WAY::EACH; i++) {
        const char *from = (const char *)a.in[n + i].data - x.ghost_bytes;
        const half_spinor h = spinor_project(mu, plus, neighbor_at<WAY>(x, from, K));
        sum[i] = spinor_expand(mu, plus, carried<WAY>(u, x, K, h), sum[i]);
    }
}

/* Systems n .. n + EACH - 1 at one site. */
template <class WAY, int FORM, bool DAGGER>
static __device__ __forceinline__ void systems_of_site(const wilson_hop_args &a, const tile_site &x, site here, int n)
{
    spinor sum[WAY::EACH];
    UNROLL_LOOP
    for (int i = 0; i < WAY::EACH; i++)
        sum[i] = spinor_zero();
    add_neighbors<WAY, DAGGER, 0>(a, x, n, sum);
    add_neighbors<WAY, DAGGER, 1>(a, x, n, sum);
    add_neighbors<WAY, DAGGER, 2>(a, x, n, sum);
    add_neighbors<WAY, DAGGER, 3>(a, x, n, sum);
    add_neighbors<WAY, DAGGER, 4>(a, x, n, sum);
    add_neighbors<WAY, DAGGER, 5>(a, x, n, sum);
    add_neighbors<WAY, DAGGER, 6>(a, x, n, sum);
    add_neighbors<WAY, DAGGER, 7>(a, x, n, sum);
    end_systems<WAY, FORM>(a, n, x, here, sum);
}

/* All systems, whose number is a multiple of EACH. */
template <class WAY, int FORM, bool DAGGER>
static __device__ __forceinline__ void wilson_batch_on_tile(const wilson_hop_args &a, const hop_grid &g, hop_block b)
{
    constexpr vector_format F = WAY::FORMAT;
    enum { EACH = WAY::EACH };
    extern __shared__ double2 memory[];
    if (!batch_is_going(&a.b))
        return;
    const hop_storage<WAY> storage = hop_storage<WAY>::in(memory);
    const hop_place p = WAY::place(a.l, g, b);
    load_neighbors<WAY>(storage, a.l, &a.u, g, p);
    __syncthreads();
    tile_site x = site_on_tile<WAY>(a.l, p, storage, (uint32_t)slab_bytes<F>(&a.out[0]), a.boundary);
    x.phases = &a.phases;
    const int group = (int)threadIdx.x / WAY::SITES, groups = (int)blockDim.x / WAY::SITES;
    KEEP_LOOP
    for (int n = EACH * group; n < batch_systems(&a.b) && p.there; n += EACH * groups) {
        if constexpr (SYSTEMS_IN_REGISTERS) {
            systems_of_site<WAY, FORM, DAGGER>(a, x, site_at(p.index), n);
            begin_loads();
        } else {
            static_assert(EACH == 1, "one system at a time");
            const char *from = (const char *)a.in[n].data - x.ghost_bytes;
            spinor sum = spinor_zero();
            neighbors_along<WAY, DAGGER, 0>(x, from, &sum);
            begin_loads();
            neighbors_along<WAY, DAGGER, 1>(x, from, &sum);
            begin_loads();
            neighbors_along<WAY, DAGGER, 2>(x, from, &sum);
            begin_loads();
            neighbors_along<WAY, DAGGER, 3>(x, from, &sum);
            end_site<WAY, FORM>(a, n, x, site_at(p.index), sum);
        }
    }
}

template <class WAY, int FORM, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
wilson_batch_on_tiles(const __grid_constant__ wilson_hop_args a, const __grid_constant__ hop_grid g)
{
    wilson_batch_on_tile<WAY, FORM, DAGGER>(a, g, this_block());
}

/* ---- with the exchange of ghosts (hop_beside.h) */

template <class WAY, int FORM, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
wilson_beside_exchange(const __grid_constant__ wilson_hop_args a, const __grid_constant__ hop_grid g,
                       const __grid_constant__ peer_pack_args e, const __grid_constant__ beside_shape s)
{
    hop_block b;
    if (tile_beside<pack_of<WAY, DAGGER>>(e, g, s, &b))
        wilson_on_tile<WAY, FORM, DAGGER>(a, g, b);
}

template <class WAY, int FORM, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
wilson_batch_beside_exchange(const __grid_constant__ wilson_hop_args a, const __grid_constant__ hop_grid g,
                             const __grid_constant__ peer_pack_args e, const __grid_constant__ beside_shape s)
{
    hop_block b;
    if (tile_beside<pack_of<WAY, DAGGER>>(e, g, s, &b))
        wilson_batch_on_tile<WAY, FORM, DAGGER>(a, g, b);
}

/* ---- launches */

/* batch_systems, on the host. */
static inline int wilson_count(const wilson_hop_args *a)
{
    return a->b.state ? a->b.count : 1;
}

/* Whether a lattice has tiles, and offsets in a slab have at most 32 bits. */
template <class WAY>
static bool wilson_fits(const lattice_view *l)
{
    return tiles_fit(l) && (size_t)(site_count(l) + 2 * l->ghosts) * vector_bytes<WAY::FORMAT>() <= UINT32_MAX;
}

/* The resources of a block. */
template <class WAY>
static block_needs needs_for(const wilson_hop_args *a)
{
    const int threads = divide_up(wilson_count(a), WAY::EACH);
    return block_needs{ WAY::SITES * (threads < WAY::SYSTEMS ? threads : WAY::SYSTEMS),
                        WAY::SYSTEMS > 1 ? hop_storage<WAY>::bytes : 0, WAY::RESIDENT };
}

template <class WAY, class KERNEL>
static void begin_launch(KERNEL *kernel, const block_needs &b)
{
    if (WAY::SYSTEMS > 1)
        divide_cache(kernel, b);
}

template <class WAY, int FORM>
static void launch_wilson(const void *args, site_range range, void *stream)
{
    const wilson_hop_args *a = (const wilson_hop_args *)args;
    const hop_grid g = WAY::grid(a, range);
    const block_needs b = needs_for<WAY>(a);
    void (*kernel)(const wilson_hop_args, const hop_grid);
    if constexpr (WAY::SYSTEMS > 1)
        kernel = a->dagger ? wilson_batch_on_tiles<WAY, FORM, true> : wilson_batch_on_tiles<WAY, FORM, false>;
    else
        kernel = a->dagger ? wilson_on_tiles<WAY, FORM, true> : wilson_on_tiles<WAY, FORM, false>;
    begin_launch<WAY>(kernel, b);
    kernel<<<g.blocks, b.threads, b.shared, (cudaStream_t)stream>>>(*a, g);
}

template <class WAY, int FORM>
static bool launch_wilson_beside(const peer_hop *hop, const peer_pack_args *e, void *stream)
{
    static_assert(WAY::T == 1, "the boundary is of whole blocks");
    const wilson_hop_args *a = (const wilson_hop_args *)hop->args;
    const hop_grid g = WAY::grid(a, hop->range);
    const block_needs b = needs_for<WAY>(a);
    typedef way_of_beside<WAY> way;
    beside_shape s;
    if (!wilson_fits<WAY>(&a->l) || !beside_fits<pack_of<way, false>>(&s, g, a->l, *e, hop->reach, b.threads))
        return false;
    void (*kernel)(const wilson_hop_args, const hop_grid, const peer_pack_args, beside_shape);
    if constexpr (WAY::SYSTEMS > 1)
        kernel = a->dagger ? wilson_batch_beside_exchange<way, FORM, true>
                           : wilson_batch_beside_exchange<way, FORM, false>;
    else
        kernel = a->dagger ? wilson_beside_exchange<way, FORM, true> : wilson_beside_exchange<way, FORM, false>;
    begin_launch<WAY>(kernel, b);
    kernel<<<beside_blocks(s), b.threads, b.shared, (cudaStream_t)stream>>>(*a, g, *e, s);
    return true;
}

#endif
