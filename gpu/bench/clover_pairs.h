/* clover_pairs.h - the hop of Wilson quarks with the product by a clover term for several systems (gpu/wilson_tiles.h),
 * where a thread computes two systems at once: they share links and blocks in registers.  For the ladder only; the same
 * bits.
 *
 * One after the other, each system reads 768 bytes of links and 576 of blocks per site in double from the L2 cache,
 * beside 384 of its own site and, if caches keep what they can, 860 of neighbours; in pairs, half of the former. */
#ifndef KILN_GPU_BENCH_CLOVER_PAIRS_H
#define KILN_GPU_BENCH_CLOVER_PAIRS_H

#include "gpu/wilson_tiles.h"

/* Flags of HOW in addition to hop_places.h and wilson_tiles.h.  IN_TURNS: a thread has one system after the other, not
 * pairs; SHARED_LINKS: links of the block in shared memory; WIDE_SLABS: slabs in z (hop_grid_for) are twice as wide.
 * STREAMED: links and blocks bypass the L1 cache; ENDS_APART: pairs share links, but each system loads blocks as in
 * end_site. */
enum { IN_TURNS = 1 << 8, SHARED_LINKS = 1 << 9, WIDE_SLABS = 1 << 10, ENDS_APART = 1 << 11 };

/* Systems of a thread at once. */
template <class WAY>
static constexpr int at_once()
{
    return WAY::HOW & IN_TURNS ? 1 : 2;
}

/* The link, whatever neighbour k: from shared memory, or from memory. */
template <class WAY>
static __device__ __forceinline__ su3 link_to(const wilson_hop_args &a, const hop_place &p, const tile_site &x, int k,
                                              int to)
{
    if constexpr ((WAY::HOW & SHARED_LINKS) != 0)
        return tile_links<WAY::SITES, WAY::LINKS>::get(x.links, k, x.at);
    else
        return link_of<WAY::LINKS>(fetch_link<WAY::LINKS, WAY::HOW>(&a.u, site_at(k % 2 ? to : p.index), k / 2));
}

/* Adds neighbour K of systems n .. n + N - 1. */
template <class WAY, int K, int N>
static __device__ __forceinline__ void add_neighbour_of_systems(const wilson_hop_args &a, const hop_grid &g,
                                                                const hop_place &p, const tile_site &x, int n,
                                                                spinor *sum)
{
    constexpr vector_format F = WAY::FORMAT;
    constexpr int mu = K / 2, plus = K % 2;
    const int to = hop_from<WAY::HOW>(a.l, g, p, mu, K % 2 ? -1 : 1), from_ghosts = to + a.l.ghosts;
    const uint32_t offset = (uint32_t)offset_of<F>(from_ghosts);
    const su3 u = link_to<WAY>(a, p, x, K, to);
    UNROLL_LOOP
    for (int i = 0; i < N; i++) {
        const char *first = (const char *)a.in[n + i].data - x.ghost_bytes + offset;
        spinor v;
        UNROLL_LOOP
        for (int spin = 0; spin < SPINS; spin++)
            v.s[spin] = numbers_in<F>(raw_at<F>(first + (size_t)spin * x.slab, place_in_tile(from_ghosts)), x.low_bits);
        half_spinor h = spinor_project(mu, plus, v);
        h = K % 2 ? half_spinor_carried_back(u, h) : half_spinor_carried(u, h);
        if (K >= 6 && (K % 2 ? x.first : x.last))
            h = half_spinor_times(x.boundary, h);
        sum[i] = spinor_expand(mu, plus, h, sum[i]);
    }
}

/* As load_clover_block. */
template <int HOW>
static __device__ __forceinline__ clover_block block_at_site(const clover_view *v, site x, int chirality)
{
    clover_block b;
    const real *from = (const real *)v->data + find(x, CLOVER_REALS).first[0] + BLOCK_REALS * chirality * SITE_TILE;
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_ROWS; i++)
        b.d[i] = link_part<HOW>(from + i * SITE_TILE);
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_BELOW; i++) {
        b.below[i].re = link_part<HOW>(from + (BLOCK_ROWS + 2 * i) * SITE_TILE);
        b.below[i].im = link_part<HOW>(from + (BLOCK_ROWS + 2 * i + 1) * SITE_TILE);
    }
    return b;
}

/* As end_site, without twist, for N systems: the block of a chirality is loaded once for all. */
template <class WAY, int FORM, int N>
static __device__ __forceinline__ void end_systems(const wilson_hop_args &a, int n, const tile_site &x, site here,
                                                   const spinor *sum)
{
    constexpr vector_format F = WAY::FORMAT;
    const real diagonal = (scalar)a.by.diagonal;
    UNROLL_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        const clover_block b = block_at_site<WAY::HOW>(&a.by.blocks, here, chirality);
        half_spinor h[N];
        UNROLL_LOOP
        for (int i = 0; i < N; i++) {
            UNROLL_LOOP
            for (int j = 0; j < 2; j++)
                h[i].s[j] = vector_scale((scalar)a.scale, sum[i].s[2 * chirality + j]);
            if (FORM == CLOVER_INNER)
                h[i] = clover_block_times(diagonal, b, h[i]);
            else {
                const char *from = (const char *)a.y[n + i].data + x.offset;
                half_spinor y;
                UNROLL_LOOP
                for (int j = 0; j < 2; j++)
                    y.s[j] = numbers_in<F>(raw_at<F>(from + (size_t)(2 * chirality + j) * x.slab, x.lane), x.low_bits);
                y = clover_block_times(diagonal, b, y);
                UNROLL_LOOP
                for (int j = 0; j < 2; j++)
                    h[i].s[j] = vector_axpy(1, h[i].s[j], y.s[j]);
            }
        }
        UNROLL_LOOP
        for (int i = 0; i < N; i++) {
            char *to = (char *)a.out[n + i].data + x.offset;
            UNROLL_LOOP
            for (int j = 0; j < 2; j++)
                put_vector<F>(to + (size_t)(2 * chirality + j) * x.slab, x.lane, h[i].s[j], x.low_bits);
        }
    }
}

template <class WAY>
static __device__ __forceinline__ tile_site place_of_site(const wilson_hop_args &a, const hop_place &p,
                                                          double2 *memory)
{
    const int t = (int)(p.coordinates >> 48);
    tile_site x = {};
    x.slab = (uint32_t)slab_bytes<WAY::FORMAT>(&a.out[0]);
    x.offset = offset_of<WAY::FORMAT>(p.index);
    x.ghost_bytes = offset_of<WAY::FORMAT>(a.l.ghosts);
    x.lane = place_in_tile(p.index);
    x.links = (const real *)memory;
    x.at = (int)threadIdx.x % WAY::SITES;
    x.first = a.l.origin[3] + t == 0;
    x.last = a.l.origin[3] + t == a.l.global[3] - 1;
    x.boundary = (real)a.boundary;
    return x;
}

/* Systems n .. n + N - 1 at one site; not the adjoint. */
template <class WAY, int FORM, int N>
static __device__ __forceinline__ void systems_of_site(const wilson_hop_args &a, const hop_grid &g, const hop_place &p,
                                                       const tile_site &x, int n)
{
    spinor sum[N];
    UNROLL_LOOP
    for (int i = 0; i < N; i++)
        sum[i] = spinor_zero();
    add_neighbour_of_systems<WAY, 0, N>(a, g, p, x, n, sum);
    add_neighbour_of_systems<WAY, 1, N>(a, g, p, x, n, sum);
    add_neighbour_of_systems<WAY, 2, N>(a, g, p, x, n, sum);
    add_neighbour_of_systems<WAY, 3, N>(a, g, p, x, n, sum);
    add_neighbour_of_systems<WAY, 4, N>(a, g, p, x, n, sum);
    add_neighbour_of_systems<WAY, 5, N>(a, g, p, x, n, sum);
    add_neighbour_of_systems<WAY, 6, N>(a, g, p, x, n, sum);
    add_neighbour_of_systems<WAY, 7, N>(a, g, p, x, n, sum);
    if constexpr ((WAY::HOW & ENDS_APART) == 0)
        end_systems<WAY, FORM, N>(a, n, x, site_at(p.index), sum);
    UNROLL_LOOP
    for (int i = 0; i < N && (WAY::HOW & ENDS_APART); i++)
        end_site<WAY, FORM>(a, n + i, x, site_at(p.index), sum[i]);
}

/* The threads of a block have all sites, once for each of WAY::SYSTEMS; the count of systems is a multiple of the
 * systems at once. */
template <class WAY, int FORM>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
clover_in_pairs(const __grid_constant__ wilson_hop_args a, const __grid_constant__ hop_grid g)
{
    extern __shared__ double2 memory[];
    enum { N = at_once<WAY>() };
    if (!batch_is_going(&a.b))
        return;
    const hop_place p = WAY::place(a.l, g, this_block());
    if constexpr ((WAY::HOW & SHARED_LINKS) != 0) {
        for (int k = (int)threadIdx.x / WAY::SITES; k < 8 && p.there; k += WAY::SYSTEMS) {
            const int to = hop_from<WAY::HOW>(a.l, g, p, k / 2, k % 2 ? -1 : 1);
            tile_links<WAY::SITES, WAY::LINKS>::put((real *)memory, k, (int)threadIdx.x % WAY::SITES,
                                        load_link_as(WAY::LINKS, &a.u, site_at(k % 2 ? to : p.index), k / 2));
        }
        __syncthreads();
    }
    if (!p.there)
        return;
    const tile_site x = place_of_site<WAY>(a, p, memory);
    KEEP_LOOP
    for (int n = N * ((int)threadIdx.x / WAY::SITES); n < batch_systems(&a.b); n += N * WAY::SYSTEMS) {
        systems_of_site<WAY, FORM, N>(a, g, p, x, n);
        begin_loads();
    }
}

template <class WAY, int FORM>
static void launch_pairs(const void *args, site_range range, void *stream)
{
    const wilson_hop_args *a = (const wilson_hop_args *)args;
    const size_t bytes = (size_t)a->b.count * SPINS * vector_bytes<WAY::FORMAT>() / (WAY::HOW & WIDE_SLABS ? 2 : 1);
    const hop_grid g = hop_grid_for(&a->l, range, tile_shape{ WAY::RUN, WAY::Z, WAY::T }, bytes);
    const block_needs b = { WAY::THREADS, WAY::HOW & SHARED_LINKS ? tile_links<WAY::SITES, WAY::LINKS>::bytes : 0,
                            WAY::RESIDENT };
    if (WAY::HOW & SHARED_LINKS)
        divide_cache(clover_in_pairs<WAY, FORM>, b);
    clover_in_pairs<WAY, FORM><<<g.blocks, b.threads, b.shared, (cudaStream_t)stream>>>(*a, g);
}

#endif
