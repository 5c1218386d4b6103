/* staggered_trials.h - variants of the staggered hop of several systems (gpu/hop_tiles.h) for the ladder only, with the
 * same bits: fewer instructions for numbers of 16 bits, other hints to the caches, other slabs. */
#ifndef KILN_GPU_BENCH_STAGGERED_TRIALS_H
#define KILN_GPU_BENCH_STAGGERED_TRIALS_H

#include "gpu/bench/ask_ahead.h"
#include "gpu/slab_vectors.h"

/* Flags of HOW in addition to hop_places.h.
 *   QUICK         vectors and links of 16 bits become numbers, and sums become vectors, as in half_numbers.h
 *   NO_ALLOCATE   links do not get lines of the L1 cache, and are the first to leave the L2 cache
 *   STREAMED_OUT  results are the first to leave the caches
 *   TWO_SLABS, FOUR_SLABS   slabs in z (hop_grid_for) are narrower by this factor
 *   ASK_OWN       a warp first asks the bulk copy engine to bring all its links into the L2 cache; ASK_LATER: links,
 *                 and vectors three slices later in t, of a later block (ask_ahead.h)
 *   LINKS_AHEAD   the next link is loaded before the vectors of this one are multiplied */
enum { QUICK = 1 << 8, NO_ALLOCATE = 1 << 9, STREAMED_OUT = 1 << 10, TWO_SLABS = 1 << 11, FOUR_SLABS = 1 << 12,
       ASK_OWN = 1 << 13, ASK_LATER = 1 << 14, LINKS_AHEAD = 1 << 15 };

static __device__ __forceinline__ uint64_t leaves_first(void)
{
    uint64_t policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

static __device__ __forceinline__ float without_line(const float *p)
{
    float x;
    asm volatile("ld.global.L1::no_allocate.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(x) : "l"(p), "l"(leaves_first()));
    return x;
}

template <int HOW, link_format LINKS>
static __device__ __forceinline__ raw_link<LINKS> trial_link(const gauge_view *u, site x, int mu)
{
    if constexpr ((HOW & NO_ALLOCATE) && raw_link<LINKS>::NATIVE && sizeof(real) == 4) {
        constexpr int count = raw_link<LINKS>::COUNT;
        raw_link<LINKS> r;
        const float *p = (const float *)u->data + find(x, 4 * count).first[0] + (size_t)(mu * count) * SITE_TILE;
        UNROLL_LOOP
        for (int i = 0; i < count; i++)
            r.number[i] = without_line(p + i * SITE_TILE);
        return r;
    } else
        return fetch_link<LINKS, HOW>(u, x, mu);
}

/* Eighteen numbers of 16 bits, two a word, as in link_from_words: the same integers, by the operations of
 * numbers_of_half. */
template <int HOW, link_format LINKS>
static __device__ __forceinline__ su3 link_numbers(const raw_link<LINKS> &r, uint32_t low_bits)
{
#ifdef SINGLE
    if constexpr ((HOW & QUICK) && LINKS == LINK_FIXED16) {
        su3 m;
        UNROLL_LOOP
        for (int k = 0; k < 9; k++) {
            const uint32_t low = (r.word[k] & 0xffffu) ^ low_bits;
            const uint32_t high = (uint32_t)(((int)r.word[k] >> 16) + HALF_HIGH_BITS);
            m.e[k / 3][k % 3].re = real_of_bits(low) - 8421376.0f;             /* 2^23 + 2^15 */
            m.e[k / 3][k % 3].im = real_of_bits(high) - 12582912.0f;           /* 1.5 2^23 */
        }
        return m;
    }
#endif
    return link_of<LINKS>(r);
}

template <int HOW, vector_format F>
static __device__ __forceinline__ color_vector vector_numbers(const raw_vector<F> &r, uint32_t low_bits)
{
    if constexpr ((HOW & QUICK) != 0)
        return numbers_in<F>(r, low_bits);
    else
        return vector_of<F>(r);
}

/* As hops_over. */
template <class WAY, link_format LINKS, int REACH>
static __device__ __forceinline__ void trial_hops_over(const batch_hop_args &a, const hop_grid &g, const hop_place &p,
                                                       const gauge_view *u, uint32_t low_bits, color_vector *s)
{
    enum { N = WAY::SYSTEMS, HOW = WAY::LOADS };
    constexpr vector_format F = WAY::format;
    const site x = site_at(p.index);
    raw_link<LINKS> link = trial_link<HOW, LINKS>(u, x, 0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        const site forward = neighbour<REACH, HOW>(&a.l, g, p, mu, true);
        const site backward = neighbour<REACH, HOW>(&a.l, g, p, mu, false);
        if (!(HOW & LINKS_AHEAD))
            link = trial_link<HOW, LINKS>(u, x, mu);
        su3 m = link_numbers<HOW, LINKS>(link, low_bits);
        if (HOW & LINKS_AHEAD) {
            link = trial_link<HOW, LINKS>(u, backward, mu);
            begin_loads();
        }
        UNROLL_LOOP
        for (int n = 0; n < N; n++)
            s[n] = su3_mul_vector(m, vector_numbers<HOW, F>(fetch_vector<F>(&a.in[n], forward), low_bits), s[n]);
        if (!(HOW & LINKS_AHEAD))
            link = trial_link<HOW, LINKS>(u, backward, mu);
        m = link_numbers<HOW, LINKS>(link, low_bits);
        if ((HOW & LINKS_AHEAD) && mu < 3) {
            link = trial_link<HOW, LINKS>(u, x, mu + 1);
            begin_loads();
        }
        UNROLL_LOOP
        for (int n = 0; n < N; n++)
            s[n] = su3_dagger_mul_vector_minus(
                m, vector_numbers<HOW, F>(fetch_vector<F>(&a.in[n], backward), low_bits), s[n]);
    }
}

/* Asks for the links of the 32 sites p of a warp: of both lengths, eight neighbours and, since sites of a tile of
 * memory can have neighbours in two, of the first and last site: one of these for each thread. */
template <class WAY>
static __device__ __forceinline__ void ask_for_links(const batch_hop_args &a, const hop_grid &g, const hop_place &p)
{
    static_assert(raw_link<WAY::long_links>::COUNT == raw_link<WAY::fat>::COUNT, "links of one size");
    const int lane = (int)threadIdx.x % 32, k = lane / 2 % 8, reach = lane < 16 ? 3 : 1;
    const bool last = lane % 2 == 1, backward = k % 2 == 1;
    const hop_place q = place_of_lane(p, last ? 31 : 0);
    if (!q.there || (last && !backward))
        return;
    const int to = backward ? hop_from<WAY::LOADS>(a.l, g, q, k / 2, -reach) : q.index;
    const uint32_t bytes = raw_link<WAY::fat>::COUNT * SITE_TILE * 4;
    const char *links = (const char *)(reach == 3 ? a.long_links : a.fat).data;
    ask_for(links + ((ptrdiff_t)tile_of(to) * 4 + k / 2) * bytes, bytes);
}

/* The links of a later block, and its vectors in +3 t: if tiles are visited with t, no other block has read them. */
template <class WAY>
static __device__ __forceinline__ void ask_for_later(const batch_hop_args &a, const hop_grid &g)
{
    hop_block b;
    const unsigned int lane = threadIdx.x % 32;
    if (!later_block(&b))
        return;
    const hop_place p = WAY::place(a, g, b), first = place_of_lane(p, 0);
    ask_for_links<WAY>(a, g, p);
    const uint32_t bytes = (uint32_t)vector_bytes<WAY::format>() * SITE_TILE;
    if (first.there && lane < WAY::SYSTEMS) {
        const int to = hop_from<WAY::LOADS>(a.l, g, first, 3, 3);
        ask_for((const char *)a.in[lane].data + (ptrdiff_t)tile_of(to) * bytes, bytes);
    }
}

template <class WAY>
static __device__ __forceinline__ void store_trial(const vector_view *out, int x, color_vector v)
{
    constexpr vector_format F = WAY::format;
    char *const to = (char *)out->data + (ptrdiff_t)offset_of<F>(x);
    if constexpr (F == VECTOR_NATIVE && (WAY::LOADS & STREAMED_OUT)) {
        UNROLL_LOOP
        for (int i = 0; i < VECTOR_REALS; i++)
            __stcs((real *)to + i * SITE_TILE, *component(&v, i));
    } else
#ifdef SINGLE
    if constexpr (F == VECTOR_HALF && (WAY::LOADS & (QUICK | STREAMED_OUT))) {
        bits w[HALF_WORDS];
        half_of_numbers(w, v);
        if (WAY::LOADS & STREAMED_OUT)
            __stcs((uint4 *)to, make_uint4(w[0], w[1], w[2], w[3]));
        else
            words_to((uint32_t *)to, w, HALF_WORDS);
    } else
#endif
        store_vector_as(F, out, site_at(x), v);
}

/* As hop_on_tile, with links of both lengths. */
template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::BLOCKS)
trial_on_tiles(const __grid_constant__ batch_hop_args a, const __grid_constant__ hop_grid g)
{
    enum { N = WAY::SYSTEMS };
    const hop_place p = WAY::place(a, g, this_block());
    color_vector s[N];
    const uint32_t low_bits = HALF_LOW_BITS - 1 + (uint32_t)g.stride[0];     /* a stride of 1 that no compiler knows */
    if (WAY::LOADS & ASK_OWN)
        ask_for_links<WAY>(a, g, p);
    if (WAY::LOADS & ASK_LATER)
        ask_for_later<WAY>(a, g);
    if (!a.b.state->going || !p.there)
        return;
    UNROLL_LOOP
    for (int n = 0; n < N; n++)
        s[n] = vector_zero();
    trial_hops_over<WAY, WAY::long_links, 3>(a, g, p, &a.long_links, low_bits, s);
    UNROLL_LOOP
    for (int n = 0; n < N; n++)
        s[n] = vector_scale((scalar)(WAY::format == VECTOR_NATIVE ? a.naik : a.naik / a.unit), s[n]);
    trial_hops_over<WAY, WAY::fat, 1>(a, g, p, &a.fat, low_bits, s);
    UNROLL_LOOP
    for (int n = 0; n < N; n++) {
        if (WAY::format != VECTOR_NATIVE)
            s[n] = vector_scale((scalar)a.unit, s[n]);
        store_trial<WAY>(&a.out[n], p.index, s[n]);
    }
}

template <class WAY>
static void launch_trial_hop(const void *args, site_range range, void *stream)
{
    const batch_hop_args *a = (const batch_hop_args *)args;
    const int slabs = WAY::LOADS & FOUR_SLABS ? 4 : WAY::LOADS & TWO_SLABS ? 2 : 1;
    const hop_grid g = hop_grid_for(&a->l, range, WAY::grid(a, range).tile,
                                    (size_t)(slabs * WAY::SYSTEMS) * vector_bytes<WAY::format>());
    trial_on_tiles<WAY><<<g.blocks, WAY::THREADS, 0, (cudaStream_t)stream>>>(*a, g);
}

#endif
