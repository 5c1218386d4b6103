/* wilson_split.h - the hop of Wilson quarks with several threads for a site, for lattices that are too small for one.
 *
 * A block has PARTS groups of threads, each with all sites of the block; group j computes the half spinors from
 * neighbors 8 j / PARTS and following, and puts them into shared memory.  After a barrier, up to four groups add the
 * half spinors of all eight neighbors, in the order of neighbor_sum.h: each group has a part of the spins of the
 * result, which does not depend on the other spins of the result.  Operations and their order are the same, so the bits
 * are the same.
 *
 * Groups are whole warps.  If instead neighboring lanes shared a site and added by shuffles, a warp would hold several
 * directions: each of its loads would touch more lines, and each projection would need a branch or selects. */
#ifndef KILN_GPU_BENCH_WILSON_SPLIT_H
#define KILN_GPU_BENCH_WILSON_SPLIT_H

#include "gpu/bench/wilson_trial_site.h"

/* PARTS threads for a site: 2, 4 or 8. */
template <vector_format FORMAT, link_format LINKS, int RUN, int Z, int PARTS_, int RESIDENT>
struct split_way : wilson_way<FORMAT, LINKS, RUN, Z, 1, PARTS_, STREAMED, RESIDENT> {
    enum { PARTS = PARTS_, NEIGHBORS = 8, EACH = NEIGHBORS / PARTS, REALS = 2 * VECTOR_REALS,
           ADDING = PARTS < SPINS ? PARTS : SPINS, SPINS_EACH = SPINS / ADDING,
           SHARED_REALS = NEIGHBORS * REALS * RUN * Z };           /* real[neighbor][number][site of the block] */
};

/* Computes the half spinors of group PART, in `work`, which begins at the number of the site. */
template <class WAY, bool DAGGER, int PART>
static __device__ __forceinline__ void carry_part(const wilson_hop_args &a, const hop_grid &g, const hop_place &p,
                                                  const tile_site &x, real *work)
{
    const char *from = (const char *)a.in[0].data - x.ghost_bytes;
    spinor_neighbor<WAY> r[WAY::EACH];
    UNROLL_LOOP
    for (int i = 0; i < WAY::EACH; i++)
        r[i] = fetch_spinor<WAY, DAGGER>(a, g, p, from, x.slab, PART * WAY::EACH + i);
    UNROLL_LOOP
    for (int i = 0; i < WAY::EACH; i++) {
        const int k = PART * WAY::EACH + i;
        half_spinor h = projected(k / 2, plus_of<DAGGER>(k), numbers_of<WAY>(r[i].there, x.low_bits));
        h = carried_from<WAY>(r[i], x, true, k, h);
        UNROLL_LOOP
        for (int n = 0; n < WAY::REALS; n++)
            work[(k * WAY::REALS + n) * WAY::SITES] = *component(&h.s[n / VECTOR_REALS], n % VECTOR_REALS);
    }
}

/* Computes the spins of the result of group PART, as end_site of wilson_ends.h does. */
template <class WAY, bool DAGGER, int PART>
static __device__ __forceinline__ void add_part(const wilson_hop_args &a, const tile_site &x, const real *work)
{
    constexpr vector_format F = WAY::FORMAT;
    const scalar shift = (scalar)wilson_shift(&a, 0);
    spinor sum = spinor_zero();
    UNROLL_LOOP
    for (int k = 0; k < WAY::NEIGHBORS; k++) {
        half_spinor h;
        UNROLL_LOOP
        for (int n = 0; n < WAY::REALS; n++)
            *component(&h.s[n / VECTOR_REALS], n % VECTOR_REALS) = work[(k * WAY::REALS + n) * WAY::SITES];
        sum = expanded(k / 2, plus_of<DAGGER>(k), h, sum);
    }
    UNROLL_LOOP
    for (int spin = PART * WAY::SPINS_EACH; spin < (PART + 1) * WAY::SPINS_EACH; spin++) {
        const size_t at = x.offset + (size_t)spin * x.slab;
        color_vector v = vector_scale((scalar)a.scale, sum.s[spin]);
        if (a.a != 0)
            v = vector_axpy((scalar)a.a, numbers_in<F>(raw_at<F>((const char *)a.y[0].data + at, x.lane), x.low_bits),
                            v);
        if (shift != 0)
            v = vector_axpy(shift, numbers_in<F>(raw_at<F>((const char *)a.z[0].data + at, x.lane), x.low_bits), v);
        put_vector<F>((char *)a.out[0].data + at, x.lane, v, x.low_bits);
    }
}

/* Runs group `part`, which is PART or a later one. */
template <class WAY, bool DAGGER, int PART>
static __device__ __forceinline__ void carry_parts(int part, const wilson_hop_args &a, const hop_grid &g,
                                                   const hop_place &p, const tile_site &x, real *work)
{
    if (part == PART)
        carry_part<WAY, DAGGER, PART>(a, g, p, x, work);
    else if constexpr (PART + 1 < WAY::PARTS)
        carry_parts<WAY, DAGGER, PART + 1>(part, a, g, p, x, work);
}
template <class WAY, bool DAGGER, int PART>
static __device__ __forceinline__ void add_parts(int part, const wilson_hop_args &a, const tile_site &x,
                                                 const real *work)
{
    if (part == PART)
        add_part<WAY, DAGGER, PART>(a, x, work);
    else if constexpr (PART + 1 < WAY::ADDING)
        add_parts<WAY, DAGGER, PART + 1>(part, a, x, work);
}

template <class WAY, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
split_hop(const __grid_constant__ wilson_hop_args a, const __grid_constant__ hop_grid g)
{
    __shared__ real half_spinors[WAY::SHARED_REALS];
    if (!batch_is_going(&a.b))
        return;
    const hop_place p = WAY::place(a.l, g, this_block());
    const int part = (int)threadIdx.x / WAY::SITES;
    real *work = half_spinors + (int)threadIdx.x % WAY::SITES;
    const tile_site x = trial_site<WAY>(a, p);
    if (p.there)
        carry_parts<WAY, DAGGER, 0>(part, a, g, p, x, work);
    __syncthreads();
    if (p.there)
        add_parts<WAY, DAGGER, 0>(part, a, x, work);
}

template <class WAY>
static void launch_split(const void *args, site_range range, void *stream)
{
    const wilson_hop_args *a = (const wilson_hop_args *)args;
    const hop_grid g = WAY::grid(a, range);
    void (*kernel)(const wilson_hop_args, const hop_grid) = a->dagger ? split_hop<WAY, true> : split_hop<WAY, false>;
    kernel<<<g.blocks, WAY::THREADS, 0, (cudaStream_t)stream>>>(*a, g);
}

#endif
