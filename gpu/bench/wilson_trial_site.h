/* wilson_trial_site.h - the common part of the kernels of wilson_trials.cu: flags, and the site of a thread.
 *
 * These kernels are trials and measurements for the ladder only; no solver calls them.  Like the ladder, they compute
 * the hop of one system, not the adjoint hop, without y and z unless a comment says otherwise. */
#ifndef KILN_GPU_BENCH_WILSON_TRIAL_SITE_H
#define KILN_GPU_BENCH_WILSON_TRIAL_SITE_H

#include "gpu/wilson_tiles.h"

/* Flags of HOW in addition to hop_places.h.
 *   QUICK_LINKS       links of 16 bits become numbers as vectors do in half_numbers.h; CONVERTED_LINKS: by the
 *                     conversions of the instruction set
 *   TEXTURED_*        fetched through textures: links; vectors; all three colors of vectors instead of two
 *   TWIN_*            no product; own data of the site instead of neighbors; numbers without scales; loads for
 *                     one neighbor of eight: wilson_twins.h */
enum {
    QUICK_LINKS = FIRST_TRIAL_FLAG, CONVERTED_LINKS = QUICK_LINKS << 1,
    TEXTURED_LINKS = QUICK_LINKS << 2, TEXTURED_VECTORS = QUICK_LINKS << 3, TEXTURED_COLORS = QUICK_LINKS << 4,
    TWIN_NO_PRODUCT = QUICK_LINKS << 5, TWIN_OWN_SITE = QUICK_LINKS << 6, TWIN_NO_SCALES = QUICK_LINKS << 7,
    TWIN_ONE_LOAD = QUICK_LINKS << 8
};

/* The site of a thread as in wilson_on_tile. */
template <class WAY>
static __device__ __forceinline__ tile_site trial_site(const wilson_hop_args &a, const hop_place &p)
{
    tile_site x = site_of_place<WAY>(a, p);
    x.low_bits = hidden_low_bits();
    return x;
}

/* Half spinor h, which came from neighbor k, with the sign of the boundary in t. */
static __device__ __forceinline__ half_spinor across_boundary(const tile_site &x, int k, half_spinor h)
{
    return k >= 6 && (k % 2 ? x.first : x.last) ? half_spinor_times(x.boundary, h) : h;
}

/* U h for a forward neighbor, U^+ h for a backward neighbor. */
static __device__ __forceinline__ half_spinor carried_by(const su3 &u, int k, half_spinor h)
{
    return k % 2 ? half_spinor_carried_back(u, h) : half_spinor_carried(u, h);
}

#endif
