/* wilson_ends.h - the result of a hop of Wilson quarks at a site, from the sum over neighbours: one system, or several
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

/* One system. */
template <class WAY, int FORM>
static __device__ __forceinline__ void end_site(const wilson_hop_args &a, int n, const tile_site &x, site here,
                                                spinor sum)
{
    constexpr vector_format F = WAY::FORMAT;
    constexpr bool twisted = FORM == TWISTED_INNER || FORM == TWISTED_OUTER || FORM == TWISTED_SYMMETRIC;
    constexpr bool inner = FORM == CLOVER_INNER || FORM == TWISTED_INNER;
    constexpr bool outer = FORM == CLOVER_OUTER || FORM == TWISTED_OUTER;
    const scalar shift = inner ? 0 : (scalar)wilson_shift(&a, n);
    const bool with_y = outer || (!inner && a.a != 0);
    raw_spinor<F> y = {};
    if (with_y)
        y = raw_slice<F>(&a.y[n], x, 0);
    char *to = (char *)a.out[n].data + x.offset;
    UNROLL_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        half_spinor h;
        UNROLL_LOOP
        for (int i = 0; i < 2; i++)
            h.s[i] = vector_scale((scalar)a.scale, sum.s[2 * chirality + i]);
        if (FORM != WILSON_HOP && !outer)
            h = factor_times(F, twisted, &a.by, here, chirality, h);
        if (with_y) {
            half_spinor v = chirality_of<WAY>(y, chirality, x.low_bits);
            if (outer)
                v = factor_times(F, twisted, &a.by, here, chirality, v);
            UNROLL_LOOP
            for (int i = 0; i < 2; i++)
                h.s[i] = outer ? vector_axpy(1, h.s[i], v.s[i]) : vector_axpy((scalar)a.a, v.s[i], h.s[i]);
        }
        if (shift != 0) {
            const half_spinor z = chirality_of<WAY>(raw_slice<F>(&a.z[n], x, 0), chirality, x.low_bits);
            UNROLL_LOOP
            for (int i = 0; i < 2; i++)
                h.s[i] = vector_axpy(shift, z.s[i], h.s[i]);
        }
        UNROLL_LOOP
        for (int i = 0; i < 2; i++)
            put_vector<F>(to + (size_t)(2 * chirality + i) * x.slab, x.lane, h.s[i], x.low_bits);
    }
}

/* Whether end_systems has this form: blocks in native format, or none. */
template <vector_format F, int FORM>
static constexpr bool shares_blocks()
{
    return F == VECTOR_NATIVE && FORM != TWISTED_INNER && FORM != TWISTED_OUTER && FORM != TWISTED_SYMMETRIC;
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
    constexpr bool inner = FORM == CLOVER_INNER, outer = FORM == CLOVER_OUTER;
    const real diagonal = (scalar)a.by.diagonal;
    UNROLL_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        clover_block b = {};
        half_spinor h[WAY::EACH];
        if (FORM != WILSON_HOP)
            b = block_at_site<WAY::HOW>(&a.by.blocks, here, chirality);
        UNROLL_LOOP
        for (int i = 0; i < WAY::EACH; i++) {
            const scalar shift = inner ? 0 : (scalar)wilson_shift(&a, n + i);
            UNROLL_LOOP
            for (int j = 0; j < 2; j++)
                h[i].s[j] = vector_scale((scalar)a.scale, sum[i].s[2 * chirality + j]);
            if (FORM != WILSON_HOP && !outer)
                h[i] = clover_block_times(diagonal, b, h[i]);
            if (outer || (!inner && a.a != 0)) {
                half_spinor y = chirality_of<WAY>(raw_slice<F>(&a.y[n + i], x, 0), chirality, x.low_bits);
                if (outer)
                    y = clover_block_times(diagonal, b, y);
                UNROLL_LOOP
                for (int j = 0; j < 2; j++)
                    h[i].s[j] = outer ? vector_axpy(1, h[i].s[j], y.s[j])
                                      : vector_axpy((scalar)a.a, y.s[j], h[i].s[j]);
            }
            if (shift != 0) {
                const half_spinor z = chirality_of<WAY>(raw_slice<F>(&a.z[n + i], x, 0), chirality, x.low_bits);
                UNROLL_LOOP
                for (int j = 0; j < 2; j++)
                    h[i].s[j] = vector_axpy(shift, z.s[j], h[i].s[j]);
            }
        }
        UNROLL_LOOP
        for (int i = 0; i < WAY::EACH; i++) {
            char *to = (char *)a.out[n + i].data + x.offset;
            UNROLL_LOOP
            for (int j = 0; j < 2; j++)
                put_vector<F>(to + (size_t)(2 * chirality + j) * x.slab, x.lane, h[i].s[j], x.low_bits);
        }
    }
}

#endif
