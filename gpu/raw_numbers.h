/* raw_numbers.h - links and vectors as they lie in memory, and their conversion to and from numbers. */
#ifndef KILN_GPU_RAW_NUMBERS_H
#define KILN_GPU_RAW_NUMBERS_H

#include "gpu/half_numbers.h"
#include "gpu/hop_places.h"

template <link_format LINKS>
struct raw_link {
    enum {
        NATIVE = LINK_WORDS(LINKS) == 0,
        COUNT = NATIVE ? LINK_NUMBERS(LINKS) : LINK_WORDS(LINKS)
    };
    real number[NATIVE ? COUNT : 1];
    bits word[NATIVE ? 1 : COUNT];
};

template <vector_format F>
struct raw_vector {
    enum { WORDS = F == VECTOR_INT30 ? INT30_WORDS : HALF_WORDS };
    color_vector numbers;
    bits word[WORDS];
};

template <vector_format F>
static constexpr size_t vector_bytes()
{
    return F == VECTOR_NATIVE ? VECTOR_REALS * sizeof(real) : F == VECTOR_INT30 ? 4 * INT30_WORDS : 4 * HALF_WORDS;
}

template <int HOW, class T>
static __device__ __forceinline__ T link_part(const T *p)
{
    return HOW & STREAMED ? __ldcs(p) : *p;
}

template <link_format LINKS, int HOW>
static __device__ __forceinline__ raw_link<LINKS> fetch_link(const gauge_view *u, site x, int mu)
{
    raw_link<LINKS> r;
    constexpr int count = raw_link<LINKS>::COUNT;
    if constexpr (raw_link<LINKS>::NATIVE) {
        place_of o = find(x, 4 * count);
        const real *p = (const real *)u->data + o.first[0] + (size_t)(mu * count) * SITE_TILE;
        UNROLL_LOOP
        for (int i = 0; i < count; i++)
            r.number[i] = link_part<HOW>(p + i * SITE_TILE);
    } else {
        const uint32_t *memory = (const uint32_t *)u->data;
        UNROLL_LOOP
        for (int i = 0; i + 4 <= count; i += 4) {
            uint4 w = link_part<HOW>((const uint4 *)(memory + unit_at(x.at[0], 4, mu, count, i, 4)));
            r.word[i] = w.x;
            r.word[i + 1] = w.y;
            r.word[i + 2] = w.z;
            r.word[i + 3] = w.w;
        }
        if constexpr ((count & 2) != 0) {
            uint2 w = link_part<HOW>((const uint2 *)(memory + unit_at(x.at[0], 4, mu, count, count & ~3, 2)));
            r.word[count & ~3] = w.x;
            r.word[(count & ~3) + 1] = w.y;
        }
        if constexpr ((count & 1) != 0)
            r.word[count - 1] = link_part<HOW>(memory + unit_at(x.at[0], 4, mu, count, count - 1, 1));
    }
    return r;
}

template <link_format LINKS>
static __device__ __forceinline__ su3 link_of(const raw_link<LINKS> &r)
{
    if constexpr (!raw_link<LINKS>::NATIVE)
        return link_from_words(LINKS, r.word);
    else if constexpr (LINKS != LINK_NATIVE)
        return link_of_numbers(LINKS, r.number);
    else {
        su3 m;
        UNROLL_LOOP
        for (int k = 0; k < 9; k++) {
            m.e[k / 3][k % 3].re = r.number[2 * k];
            m.e[k / 3][k % 3].im = r.number[2 * k + 1];
        }
        return m;
    }
}

template <vector_format F>
static __device__ __forceinline__ raw_vector<F> fetch_vector(const vector_view *v, site x)
{
    raw_vector<F> r;
    if (F == VECTOR_NATIVE)
        r.numbers = load_vector(v, x);
    else
        load_words(r.word, v->data, x, 1, 0, raw_vector<F>::WORDS);
    return r;
}

template <vector_format F>
static __device__ __forceinline__ color_vector vector_of(const raw_vector<F> &r)
{
    return F == VECTOR_NATIVE ? r.numbers : F == VECTOR_HALF ? unpack_half(r.word)
         : F == VECTOR_INT20 ? unpack_int20(r.word) : unpack_int30(r.word);
}

/* HALF_LOW_BITS (half_numbers.h) as a word that the compiler cannot know.  hidden_low_bits: from an instruction that
 * the compiler does not evaluate.  low_bits_by_stride: from the stride in x, which is 1 in every grid (hop_grid_for).
 * Blocks with shared memory keep the word there (load_neighbors of spinor_tiles.h).  tests/kernels/test_tuned.c and
 * test_tuned_wilson.c would detect a wrong word, because results would differ from those of the portable kernels. */
static __device__ __forceinline__ uint32_t hidden_low_bits(void)
{
    uint32_t w;
    asm volatile("mov.u32 %0, 0x4b008000;" : "=r"(w));
    return w;
}
static __device__ __forceinline__ uint32_t low_bits_by_stride(const hop_grid &g)
{
    return HALF_LOW_BITS - 1 + (uint32_t)g.stride[0];
}

/* The same as vector_of; for half, in fewer instructions. */
template <vector_format F>
static __device__ __forceinline__ color_vector numbers_in(const raw_vector<F> &r, uint32_t low_bits)
{
#ifdef SINGLE
    if constexpr (F == VECTOR_HALF)
        return numbers_of_half(r.word, low_bits);
#endif
    return vector_of<F>(r);
}

/* The same as vector_of, link_of and store_vector_as; if HOW has QUICK, in fewer instructions. */
template <int HOW, vector_format F>
static __device__ __forceinline__ color_vector vector_by(const raw_vector<F> &r, uint32_t low_bits)
{
    return HOW & QUICK ? numbers_in<F>(r, low_bits) : vector_of<F>(r);
}

template <int HOW, link_format LINKS>
static __device__ __forceinline__ su3 link_by(const raw_link<LINKS> &r, uint32_t low_bits)
{
#ifdef SINGLE
    if constexpr ((HOW & QUICK) && LINKS == LINK_FIXED16)
        return numbers_of_fixed16(r.word, low_bits);
#endif
    return link_of<LINKS>(r);
}

template <int HOW, vector_format F>
static __device__ __forceinline__ void store_by(const vector_view *out, int x, color_vector v)
{
#ifdef SINGLE
    if constexpr ((HOW & QUICK) && F == VECTOR_HALF) {
        bits w[HALF_WORDS];
        half_of_numbers(w, v);
        words_to((uint32_t *)out->data + (ptrdiff_t)x * HALF_WORDS, w, HALF_WORDS);
        return;
    }
#endif
    store_vector_as(F, out, site_at(x), v);
}

#endif
