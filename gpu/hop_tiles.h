/* hop_tiles.h - the staggered Dirac operator on tiles: templates that staggered_batch.cu and staggered_batch_13.cu
 * instantiate, and gpu/bench/hop_ladder.cu with other parameters.
 *
 * A site reads the vectors of 16 neighbors, and sums over them in the order of staggered_hops.h.  A block holds a run
 * of sites of one parity along x and y on a few slices in z and t, so that neighbors of its sites overlap and are
 * found in the L1 cache.  Neighbors are computed from coordinates: tables of neighbors have 64 bytes for each site,
 * more than a vector in double (48 bytes). */
#ifndef KILN_GPU_HOP_TILES_H
#define KILN_GPU_HOP_TILES_H

#include "gpu/hop_beside.h"
#include "gpu/raw_numbers.h"
#include "src/kernels/staggered_batch.h"

template <int REACH, int HOW>
static __device__ __forceinline__ site neighbor(const lattice_view *l, const hop_grid &g, const hop_place &p, int mu,
                                                bool up)
{
    const int *table = REACH == 3 ? (up ? l->up3[mu] : l->down3[mu]) : (up ? l->up[mu] : l->down[mu]);
    return site_at(HOW & BY_TABLES ? table[p.index] : hop_from<HOW>(*l, g, p, mu, up ? REACH : -REACH));
}

/* The hops of one length for N systems, with the same bits as both_ways of staggered_hops.h. */
template <vector_format F, link_format LINKS, int N, int REACH, int HOW>
static __device__ __forceinline__ void hops_over(const lattice_view *l, const hop_grid &g, const hop_place &p,
                                                 const gauge_view *u, const vector_view *v, uint32_t low_bits,
                                                 color_vector *s)
{
    const site x = site_at(p.index);
    site forward;
    raw_link<LINKS> link;
    raw_vector<F> next[N];
    if (HOW & AHEAD) {
        forward = neighbor<REACH, HOW>(l, g, p, 0, true);
        link = fetch_link<LINKS, HOW>(u, x, 0);
    }
    UNROLL_LOOP
    for (int n = 0; n < N && (HOW & AHEAD); n++)
        next[n] = fetch_vector<F>(&v[n], forward);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        const site backward = neighbor<REACH, HOW>(l, g, p, mu, false);
        if (!(HOW & AHEAD)) {
            forward = neighbor<REACH, HOW>(l, g, p, mu, true);
            link = fetch_link<LINKS, HOW>(u, x, mu);
        }
        su3 m = link_by<HOW, LINKS>(link, low_bits);
        if (HOW & AHEAD)
            link = fetch_link<LINKS, HOW>(u, backward, mu);
        UNROLL_LOOP
        for (int n = 0; n < N; n++) {
            raw_vector<F> there = HOW & AHEAD ? next[n] : fetch_vector<F>(&v[n], forward);
            if (HOW & AHEAD)
                next[n] = fetch_vector<F>(&v[n], backward);
            s[n] = su3_mul_vector(m, vector_by<HOW, F>(there, low_bits), s[n]);
        }
        if (!(HOW & AHEAD))
            link = fetch_link<LINKS, HOW>(u, backward, mu);
        m = link_by<HOW, LINKS>(link, low_bits);
        if ((HOW & AHEAD) && mu < 3) {
            forward = neighbor<REACH, HOW>(l, g, p, mu + 1, true);
            link = fetch_link<LINKS, HOW>(u, x, mu + 1);
        }
        UNROLL_LOOP
        for (int n = 0; n < N; n++) {
            raw_vector<F> there = HOW & AHEAD ? next[n] : fetch_vector<F>(&v[n], backward);
            if ((HOW & AHEAD) && mu < 3)
                next[n] = fetch_vector<F>(&v[n], forward);
            s[n] = su3_dagger_mul_vector_minus(m, vector_by<HOW, F>(there, low_bits), s[n]);
        }
    }
}

/* One of eight neighbors, forward and backward in each direction: its link and its vectors. */
template <vector_format F, link_format LINKS, int N>
struct raw_neighbor {
    raw_link<LINKS> link;
    raw_vector<F> there[N];
};

template <vector_format F, link_format LINKS, int N, int REACH, int HOW>
static __device__ __forceinline__ void fetch_neighbor(raw_neighbor<F, LINKS, N> *r, const lattice_view *l,
                                                      const hop_grid &g, const hop_place &p, const gauge_view *u,
                                                      const vector_view *v, int k)
{
    const site to = neighbor<REACH, HOW>(l, g, p, k / 2, k % 2 == 0);
    r->link = fetch_link<LINKS, HOW>(u, k % 2 ? to : site_at(p.index), k / 2);
    UNROLL_LOOP
    for (int n = 0; n < N; n++)
        r->there[n] = fetch_vector<F>(&v[n], to);
}

template <vector_format F, link_format LINKS, int N>
static __device__ __forceinline__ void add_neighbor(color_vector *s, const raw_neighbor<F, LINKS, N> &r, int k)
{
    const su3 m = link_of<LINKS>(r.link);
    UNROLL_LOOP
    for (int n = 0; n < N; n++) {
        const color_vector there = vector_of<F>(r.there[n]);
        s[n] = k % 2 ? su3_dagger_mul_vector_minus(m, there, s[n]) : su3_mul_vector(m, there, s[n]);
    }
}

/* A barrier for the compiler only: it keeps earlier loads here, instead of moving them down to where their numbers are
 * used. */
static __device__ __forceinline__ void begin_loads(void)
{
    asm volatile("" ::: "memory");
}

/* How many neighbors fit into the registers of a thread: a link and a vector have 24 numbers, or a third as many words
 * in fixed point. */
static constexpr int neighbors_at_once(vector_format f)
{
    return !IN_DOUBLE ? 8 : f == VECTOR_NATIVE ? 3 : 4;
}

/* Hops of both lengths, as in hops_over, by a thread with registers for several neighbors: these are loaded before the
 * first is multiplied; then each multiplied neighbor is replaced by the next one. */
template <vector_format F, link_format LONG, link_format FAT, int N, int HOW>
static __device__ __forceinline__ void hops_at_once(const batch_hop_args &a, const hop_grid &g, const hop_place &p,
                                                    scalar coefficient, color_vector *s)
{
    enum { EACH = 8, DEPTH = neighbors_at_once(F) };
    raw_neighbor<F, LONG, N> far[EACH];
    raw_neighbor<F, FAT, N> near[EACH];
    UNROLL_LOOP
    for (int k = -DEPTH; k < 2 * EACH; k++) {
        const int next = k + DEPTH;
        if (k >= 0 && k < EACH)
            add_neighbor(s, far[k], k);
        else if (k >= EACH)
            add_neighbor(s, near[k - EACH], k - EACH);
        UNROLL_LOOP
        for (int n = 0; n < N && k == EACH - 1; n++)
            s[n] = vector_scale(coefficient, s[n]);
        if (next < EACH)
            fetch_neighbor<F, LONG, N, 3, HOW>(&far[next], &a.l, g, p, &a.long_links, a.in, next);
        else if (next < 2 * EACH)
            fetch_neighbor<F, FAT, N, 1, HOW>(&near[next - EACH], &a.l, g, p, &a.fat, a.in, next - EACH);
        begin_loads();
    }
}

/* A block works on a tile, a thread on N systems at a site.  FORMAT: of vectors; LONG: of long links.  RESIDENT: blocks
 * that should share a multiprocessor, which sets the registers of a thread. */
template <vector_format FORMAT, link_format LONG, int N, int RUN, int Z, int T, int HOW, int RESIDENT>
struct hop_way {
    enum { SYSTEMS = N, THREADS = RUN * Z * T, BLOCKS = RESIDENT, LOADS = HOW, TIMES = T };
    static constexpr vector_format format = FORMAT;
    static constexpr link_format long_links = LONG;
    static constexpr link_format fat = FORMAT == VECTOR_NATIVE ? LINK_NATIVE
                                     : FORMAT == VECTOR_INT30 ? LINK_FIXED32 : LINK_FIXED16;

    static hop_grid grid(const batch_hop_args *a, site_range range)
    {
        return hop_grid_for(&a->l, range, tile_shape{ RUN, Z, T }, N * vector_bytes<FORMAT>());
    }
    static __device__ __forceinline__ hop_place place(const batch_hop_args &a, const hop_grid &g, hop_block b)
    {
        return hop_place_of<RUN, Z, T>(a.l, g, b, (int)threadIdx.x);
    }

    /* The same operations in the same order as hops_of. */
    static __device__ __forceinline__ void hops(const batch_hop_args &a, const hop_grid &g, const hop_place &p,
                                                color_vector *s)
    {
        UNROLL_LOOP
        for (int n = 0; n < N; n++)
            s[n] = vector_zero();
        const scalar coefficient = (scalar)(FORMAT == VECTOR_NATIVE ? a.naik : a.naik / a.unit);
        const uint32_t low_bits = low_bits_by_stride(g);
        if ((HOW & AT_ONCE) && a.naik != 0)
            hops_at_once<FORMAT, LONG, fat, N, HOW>(a, g, p, coefficient, s);
        else if (a.naik != 0) {
            hops_over<FORMAT, LONG, N, 3, HOW>(&a.l, g, p, &a.long_links, a.in, low_bits, s);
            UNROLL_LOOP
            for (int n = 0; n < N; n++)
                s[n] = vector_scale(coefficient, s[n]);
        }
        if (!(HOW & AT_ONCE) || a.naik == 0)
            hops_over<FORMAT, fat, N, 1, HOW>(&a.l, g, p, &a.fat, a.in, low_bits, s);
        UNROLL_LOOP
        for (int n = 0; n < N && FORMAT != VECTOR_NATIVE; n++)
            s[n] = vector_scale((scalar)a.unit, s[n]);
    }
};

/* out_n <- D in_n */
template <class WAY>
static __device__ __forceinline__ void hop_on_tile(const batch_hop_args &a, const hop_grid &g, hop_block b)
{
    const hop_place p = WAY::place(a, g, b);
    color_vector d[WAY::SYSTEMS];
    if (!a.b.state->going || !p.there)
        return;
    WAY::hops(a, g, p, d);
    UNROLL_LOOP
    for (int n = 0; n < WAY::SYSTEMS; n++)
        store_by<WAY::LOADS, WAY::format>(&a.out[n], p.index, d[n]);
}

template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::BLOCKS)
hop_on_tiles(const __grid_constant__ batch_hop_args a, const __grid_constant__ hop_grid g)
{
    hop_on_tile<WAY>(a, g, this_block());
}

template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::BLOCKS)
hop_beside_exchange(const __grid_constant__ batch_hop_args a, const __grid_constant__ hop_grid g,
                    const __grid_constant__ peer_pack_args e, const __grid_constant__ beside_shape s)
{
    hop_block b;
    if (tile_beside(e, g, s, &b))
        hop_on_tile<WAY>(a, g, b);
}

/* out_n <- shift_n y_n - D in_n, and Re y_n^+ out_n: as batch_normal_as. */
template <class WAY>
static __device__ __forceinline__ void normal_on_tile(const batch_hop_args &a, const hop_grid &g, hop_block b)
{
    krylov_state *state = a.b.state;
    const bool going = state->going != 0;
    if (going) {
        const hop_place p = WAY::place(a, g, b);
        real s[WAY::SYSTEMS] = {};
        double scale[WAY::SYSTEMS];
        if (p.there) {
            color_vector d[WAY::SYSTEMS];
            WAY::hops(a, g, p, d);
            UNROLL_LOOP
            for (int n = 0; n < WAY::SYSTEMS; n++) {
                double shift = state->system[a.b.number[n]].shift;
                normal_pair pair = normal_end(WAY::format, &a.out[n], &a.y[n], shift, d[n], site_at(p.index));
                s[n] = vector_dot(pair.y, pair.out).re;
            }
        }
        UNROLL_LOOP
        for (int n = 0; n < WAY::SYSTEMS; n++)
            scale[n] = state->system[a.b.number[n]].curvature_per_bound;
        batch_merge<WAY::SYSTEMS, WAY::THREADS>(a.b, s, scale);
    }
}

template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::BLOCKS)
normal_on_tiles(const __grid_constant__ batch_hop_args a, const __grid_constant__ hop_grid g)
{
    const bool going = a.b.state->going != 0;
    normal_on_tile<WAY>(a, g, this_block());
    if (is_last_block(a.b))
        curvature_finish(&a.b, going, threadIdx.x, WAY::THREADS);
}

/* Scalars need the sums of all ranks, so they are not computed here. */
template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::BLOCKS)
normal_beside_exchange(const __grid_constant__ batch_hop_args a, const __grid_constant__ hop_grid g,
                       const __grid_constant__ peer_pack_args e, const __grid_constant__ beside_shape s)
{
    hop_block b;
    if (tile_beside(e, g, s, &b))
        normal_on_tile<WAY>(a, g, b);
}

template <class WAY>
static void launch_hop(const void *args, site_range range, void *stream)
{
    const batch_hop_args *a = (const batch_hop_args *)args;
    const hop_grid g = WAY::grid(a, range);
    hop_on_tiles<WAY><<<g.blocks, WAY::THREADS, 0, (cudaStream_t)stream>>>(*a, g);
}

template <class WAY>
static void launch_normal(const void *args, site_range range, void *stream)
{
    const batch_hop_args *a = (const batch_hop_args *)args;
    const hop_grid g = WAY::grid(a, range);
    normal_on_tiles<WAY><<<g.blocks, WAY::THREADS, 0, (cudaStream_t)stream>>>(*a, g);
}

template <class WAY>
static bool launch_beside(void (*kernel)(const batch_hop_args, const hop_grid, const peer_pack_args, beside_shape),
                          const peer_hop *hop, const peer_pack_args *e, void *stream)
{
    static_assert(WAY::TIMES == 1, "the boundary is of whole blocks");
    const batch_hop_args *a = (const batch_hop_args *)hop->args;
    if (!tiles_fit(&a->l))
        return false;
    const hop_grid g = WAY::grid(a, hop->range);
    beside_shape s;
    if (!beside_fits(&s, g, a->l, *e, hop->reach, WAY::THREADS))
        return false;
    kernel<<<beside_blocks(s), WAY::THREADS, 0, (cudaStream_t)stream>>>(*a, g, *e, s);
    return true;
}

#endif
