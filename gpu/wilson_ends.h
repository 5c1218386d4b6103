/* wilson_ends.h - the result of a hop of Wilson quarks at a site, from the sum over neighbors: one system, or several
 * that share the blocks of the clover term (wilson_tiles.h).  The same operations in the same order as wilson_hop_end,
 * so the bits are the same. */
#ifndef KILN_GPU_WILSON_ENDS_H
#define KILN_GPU_WILSON_ENDS_H

#include "gpu/spinor_tiles.h"
#include "src/kernels/wilson_hops.h"

template <class WAY>
static __device__ __forceinline__ half_spinor chirality_of(const raw_spinor<WAY::FORMAT> &r, int chirality,
                                                           uint32_t low_bits)
{
    half_spinor h;
    UNROLL_LOOP
    for (int i = 0; i < 2; i++)
        h.s[i] = numbers_in<WAY::FORMAT>(r.s[2 * chirality + i], low_bits);
    return h;
}

/* The terms that the result of a system has besides the hop: with_y, a term with y; shift, the coefficient of z. */
typedef struct { bool with_y; scalar shift; } end_terms;

template <int FORM>
static __device__ __forceinline__ end_terms end_terms_of(const wilson_hop_args &a, int n)
{
    constexpr bool inner = FORM_IS_INNER(FORM), outer = FORM_IS_OUTER(FORM);
    end_terms t;
    t.shift = inner ? 0 : (scalar)wilson_shift(&a, n);
    t.with_y = outer || (!inner && a.a != 0);
    return t;
}

/* The result of system n for a chirality: the formulas of wilson_args.h.  times(h): the factor `by` times h; load_y():
 * the spinor y at this site, which is called only if there is a term with y. */
template <class WAY, int FORM, class TIMES, class LOAD>
static __device__ __forceinline__ half_spinor end_chirality(const wilson_hop_args &a, int n, const tile_site &x,
                                                            int chirality, end_terms terms, const spinor &sum,
                                                            TIMES times, LOAD load_y)
{
    constexpr vector_format F = WAY::FORMAT;
    constexpr bool outer = FORM_IS_OUTER(FORM);
    half_spinor h;
    UNROLL_LOOP
    for (int i = 0; i < 2; i++)
        h.s[i] = vector_scale((scalar)a.scale, sum.s[2 * chirality + i]);
    if (FORM != WILSON_HOP && !outer)
        h = times(h);
    if (terms.with_y) {
        half_spinor y = chirality_of<WAY>(load_y(), chirality, x.low_bits);
        if (outer)
            y = times(y);
        UNROLL_LOOP
        for (int i = 0; i < 2; i++)
            h.s[i] = outer ? vector_axpy(1, h.s[i], y.s[i]) : vector_axpy((scalar)a.a, y.s[i], h.s[i]);
    }
    if (terms.shift != 0) {
        const half_spinor z = chirality_of<WAY>(raw_slice<F>(&a.z[n], x, 0), chirality, x.low_bits);
        UNROLL_LOOP
        for (int i = 0; i < 2; i++)
            h.s[i] = vector_axpy(terms.shift, z.s[i], h.s[i]);
    }
    return h;
}

/* to: the address of the site in the first slab */
template <class WAY>
static __device__ __forceinline__ void put_chirality(char *to, const tile_site &x, int chirality, const half_spinor &h)
{
    UNROLL_LOOP
    for (int i = 0; i < 2; i++)
        put_vector<WAY::FORMAT>(to + (size_t)(2 * chirality + i) * x.slab, x.lane, h.s[i], x.low_bits);
}

/* One system; the shift and y are loaded before the first result is stored. */
template <class WAY, int FORM>
static __device__ __forceinline__ void end_site(const wilson_hop_args &a, int n, const tile_site &x, site here,
                                                spinor sum)
{
    constexpr vector_format F = WAY::FORMAT;
    const end_terms terms = end_terms_of<FORM>(a, n);
    raw_spinor<F> y = {};
    if (terms.with_y)
        y = raw_slice<F>(&a.y[n], x, 0);
    char *to = (char *)a.out[n].data + x.offset;
    UNROLL_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        const auto times = [&](half_spinor h) {
            return factor_times(F, FORM_IS_TWISTED(FORM), &a.by, here, chirality, h);
        };
        const auto load_y = [&]() -> const raw_spinor<F> & { return y; };
        put_chirality<WAY>(to, x, chirality,
                           end_chirality<WAY, FORM>(a, n, x, chirality, terms, sum, times, load_y));
    }
}

/* Whether end_systems has this form: blocks in native format, or none. */
template <vector_format F, int FORM>
static constexpr bool shares_blocks()
{
    return F == VECTOR_NATIVE && !FORM_IS_TWISTED(FORM);
}

/* As load_clover_block; STREAMED: past the L1 cache, which is left to spinors. */
template <int HOW>
static __device__ __forceinline__ clover_block block_at_site(const clover_view *v, site x, int chirality)
{
    clover_block b;
    const real *from = (const real *)v->data + find(x, CLOVER_REALS).first[0] + BLOCK_REALS * chirality * SITE_TILE;
    UNROLL_LOOP
    for (int i = 0; i < BLOCK_REALS; i++)
        *block_number(&b, i) = link_part<HOW>(from + i * SITE_TILE);
    return b;
}

/* Systems n .. n + EACH - 1, without twist: the block of a chirality is loaded once for all. */
template <class WAY, int FORM>
static __device__ __forceinline__ void end_systems(const wilson_hop_args &a, int n, const tile_site &x, site here,
                                                   const spinor *sum)
{
    constexpr vector_format F = WAY::FORMAT;
    static_assert(shares_blocks<F, FORM>(), "a form with shared blocks");
    const real diagonal = (scalar)a.by.diagonal;
    UNROLL_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        clover_block b = {};
        half_spinor h[WAY::EACH];
        if (FORM != WILSON_HOP)
            b = block_at_site<WAY::HOW>(&a.by.blocks, here, chirality);
        const auto times = [&](half_spinor v) { return clover_block_times(diagonal, b, v); };
        UNROLL_LOOP
        for (int i = 0; i < WAY::EACH; i++)
            h[i] = end_chirality<WAY, FORM>(a, n + i, x, chirality, end_terms_of<FORM>(a, n + i), sum[i], times,
                                            [&] { return raw_slice<F>(&a.y[n + i], x, 0); });
        UNROLL_LOOP
        for (int i = 0; i < WAY::EACH; i++)
            put_chirality<WAY>((char *)a.out[n + i].data + x.offset, x, chirality, h[i]);
    }
}

#endif
