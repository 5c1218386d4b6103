/* wilson_twins.h - twins of the hop of Wilson quarks in half: kernels that leave out a part of its work, to find what
 * limits it.  Their results are different.
 *
 *     TWIN_NO_PRODUCT   the same loads and stores; words are summed as integers, and nothing else is computed
 *     TWIN_OWN_SITE     spinors come from the site with the same number in the other parity, in all directions, and
 *                       so do backward links: as many loads and the same arithmetic, but each byte is needed by one
 *                       thread only, so that seven of eight spinors are found in the L1 cache
 *     TWIN_ONE_LOAD     the link and spinor of the first direction serve all eight: only the arithmetic
 *     TWIN_NO_SCALES    spinors of 48 bytes, in three units of 16, whose numbers are in units of 1 / 32767, in and out
 *
 * All twins have the registers of the hop as limit, 128 for a thread, so that as many threads are resident. */
#ifndef KILN_GPU_BENCH_WILSON_TWINS_H
#define KILN_GPU_BENCH_WILSON_TWINS_H

#include "gpu/bench/wilson_trial_site.h"

#ifdef SINGLE

/* 0 in hops on all sites of a parity.  Compilers do not know it, or they would merge equal loads of several k. */
static __device__ __forceinline__ int zero_of(const hop_grid &g)
{
    return g.skip;
}

/* What a twin loads for a neighbor: the words of a link, and units of four words of a spinor. */
template <class WAY>
struct twin_words {
    enum { UNITS = WAY::HOW & TWIN_NO_SCALES ? 3 : SPINS };
    raw_link<WAY::LINKS> link;
    bits unit[UNITS][4];
};

/* The same words, since `zero` is 0, which compilers do not know. */
template <class WAY>
static __device__ __forceinline__ twin_words<WAY> the_same(twin_words<WAY> r, int zero)
{
    UNROLL_LOOP
    for (int i = 0; i < raw_link<WAY::LINKS>::COUNT; i++)
        r.link.word[i] += (bits)zero;
    UNROLL_LOOP
    for (int i = 0; i < 4 * twin_words<WAY>::UNITS; i++)
        r.unit[i / 4][i % 4] += (bits)zero;
    return r;
}

template <class WAY>
static __device__ __forceinline__ twin_words<WAY> fetch_twin(const wilson_hop_args &a, const hop_grid &g,
                                                             const hop_place &p, const tile_site &x, int k)
{
    twin_words<WAY> r;
    const int to = WAY::HOW & TWIN_OWN_SITE ? p.other + k * zero_of(g)      /* a load for each k */
                                            : hop_from<WAY::HOW>(a.l, g, p, k / 2, k % 2 ? -1 : 1);
    r.link = fetch_link<WAY::LINKS, WAY::HOW>(&a.u, site_at(k % 2 ? to : p.index), k / 2);
    const char *first = (const char *)a.in[0].data + (uint32_t)offset_of<WAY::FORMAT>(to);
    UNROLL_LOOP
    for (int i = 0; i < twin_words<WAY>::UNITS; i++)
        words_from(r.unit[i], (const uint32_t *)(first + (size_t)i * x.slab), 4);
    return r;
}

template <class WAY>
static __device__ __forceinline__ spinor spinor_of(const twin_words<WAY> &r, uint32_t low_bits)
{
    spinor v;
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++) {
        bits w[4] = { 0, 0, 0, bits_of_real(1) };
        UNROLL_LOOP
        for (int i = 0; i < (WAY::HOW & TWIN_NO_SCALES ? 3 : 4); i++)
            w[i] = WAY::HOW & TWIN_NO_SCALES ? r.unit[(3 * spin + i) / 4][(3 * spin + i) % 4] : r.unit[spin][i];
        v.s[spin] = numbers_of_half(w, low_bits);
    }
    return v;
}

/* Stores scale sum, as numbers of 16 bits without a scale. */
template <class WAY>
static __device__ __forceinline__ void put_without_scales(const wilson_hop_args &a, const tile_site &x,
                                                          const spinor &sum)
{
    bits w[12];
    const float round = 12582912.0f;                       /* 1.5 2^23: n + round has n in its low bits */
    UNROLL_LOOP
    for (int i = 0; i < 12; i++) {
        const cplx z = sum.s[i / 3].c[i % 3];
        w[i] = __byte_perm(bits_of_real(mad((float)a.scale, z.re, round)),
                           bits_of_real(mad((float)a.scale, z.im, round)), 0x5410);
    }
    UNROLL_LOOP
    for (int i = 0; i < 3; i++)
        words_to((uint32_t *)((char *)a.out[0].data + x.offset + (size_t)i * x.slab), w + 4 * i, 4);
}

template <class WAY>
static __device__ __forceinline__ void add_words(twin_words<WAY> *sum, const twin_words<WAY> &r)
{
    UNROLL_LOOP
    for (int i = 0; i < raw_link<WAY::LINKS>::COUNT; i++)
        sum->unit[0][i % 4] += r.link.word[i];
    UNROLL_LOOP
    for (int i = 0; i < 4 * twin_words<WAY>::UNITS; i++)
        sum->unit[i / 4][i % 4] += r.unit[i / 4][i % 4];
}

template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
twin_hop(const __grid_constant__ wilson_hop_args a, const __grid_constant__ hop_grid g)
{
    const hop_place p = WAY::place(a.l, g, this_block());
    if (!batch_is_going(&a.b) || !p.there)
        return;
    const tile_site x = trial_site<WAY>(a, p);
    twin_words<WAY> r = {}, words = {};
    spinor sum = spinor_zero();
    UNROLL_LOOP
    for (int k = 0; k < 8; k++) {
        r = k > 0 && (WAY::HOW & TWIN_ONE_LOAD) ? the_same(r, zero_of(g)) : fetch_twin<WAY>(a, g, p, x, k);
        if (WAY::HOW & TWIN_NO_PRODUCT) {
            add_words(&words, r);
            continue;
        }
        const half_spinor h = projected(k / 2, plus_of<false>(k), spinor_of(r, x.low_bits));
        const half_spinor there = across_boundary(x, k, carried_by(link_of<WAY::LINKS>(r.link), k, h));
        sum = expanded(k / 2, plus_of<false>(k), there, sum);
    }
    if (WAY::HOW & TWIN_NO_PRODUCT) {
        UNROLL_LOOP
        for (int i = 0; i < twin_words<WAY>::UNITS; i++)
            words_to((uint32_t *)((char *)a.out[0].data + x.offset + (size_t)i * x.slab), words.unit[i], 4);
    } else if (WAY::HOW & TWIN_NO_SCALES)
        put_without_scales<WAY>(a, x, sum);
    else
        end_site<WAY, WILSON_HOP>(a, 0, x, site_at(p.index), sum);
}

template <class WAY>
static void launch_twin(const void *args, site_range range, void *stream)
{
    const wilson_hop_args *a = (const wilson_hop_args *)args;
    const hop_grid g = WAY::grid(a, range);
    twin_hop<WAY><<<g.blocks, WAY::THREADS, 0, (cudaStream_t)stream>>>(*a, g);
}

#endif

#endif
