/* half_ghosts.h - ghosts of spinors that are half spinors: a hop with its exchange in one launch sends the projection
 * (1 - gamma_mu) v or (1 + gamma_mu) v in place of v, in spins 0 and 1 of the ghost.  This halves the bytes between
 * GPUs.
 *
 * The ghost is read as a spinor whose spins 2 and 3 are zero.  Its projection has the same spins 0 and 1, so the bits
 * of the hop are those with whole ghosts (a zero may have the other sign, which no sum that begins with +0 shows).
 * Only in the native format: in the others a half spinor would be rounded again.  x is not split (hop_beside.h), so
 * neighbors in x are no ghosts.  All ranks take this launch, or none (halo/peers.h). */
#ifndef KILN_GPU_HALF_GHOSTS_H
#define KILN_GPU_HALF_GHOSTS_H

#include "gpu/peer_stores.h"
#include "gpu/slab_vectors.h"
#include "src/kernels/neighbor_sum.h"

/* 0 for 1 - gamma_mu, 1 for 1 + gamma_mu, of neighbor k = 2 mu (forward) or 2 mu + 1 (backward). */
template <bool DAGGER>
static __host__ __device__ __forceinline__ constexpr int plus_of(int k)
{
    return (k % 2 == 0) == DAGGER ? 1 : 0;
}

static __device__ __forceinline__ bool is_ghost(const lattice_view &l, int x)
{
    return (unsigned)x >= (unsigned)site_count(&l);
}

/* A way of a hop (dwf_way, wilson_way) whose ghosts are half spinors. */
template <class WAY>
struct with_half_ghosts : WAY {};

template <class WAY>
struct ghosts_of { static constexpr bool half = false; };
template <class WAY>
struct ghosts_of<with_half_ghosts<WAY>> { static constexpr bool half = true; };

/* The way of the hop with its exchange. */
template <class WAY, vector_format F>
struct way_beside { typedef WAY type; };
template <class WAY>
struct way_beside<WAY, VECTOR_NATIVE> { typedef with_half_ghosts<WAY> type; };
template <class WAY>
using way_of_beside = typename way_beside<WAY, WAY::FORMAT>::type;

/* How a launch packs (stored_numbers of peer_stores.h): a warp projects and stores the spinors of a piece, all spins of
 * a slice. */
template <bool DAGGER>
struct half_spinors {
    enum { AT_ONCE = IN_DOUBLE ? 1 : 2 };                     /* tiles whose loads come before the first store */

    static __host__ __device__ __forceinline__ int pieces(const peer_pack_args &a) { return packed_pieces(a) / SPINS; }

    static __device__ __forceinline__ half_spinor of(int neighbor, const spinor &v)
    {
        const int mu = neighbor / 2;
        return plus_of<DAGGER>(neighbor) ? projected(mu, 1, v) : projected(mu, 0, v);
    }
    static __device__ __forceinline__ spinor spinor_at(const char *from, ptrdiff_t slab, int x)
    {
        spinor v;
        UNROLL_LOOP
        for (int spin = 0; spin < SPINS; spin++)
            v.s[spin] = raw_at<VECTOR_NATIVE>(from + offset_of<VECTOR_NATIVE>(x) + spin * slab, 0).numbers;
        return v;
    }
    static __device__ __forceinline__ void pack(const peer_pack_args &a, int i, int lane)
    {
        constexpr vector_format F = VECTOR_NATIVE;
        constexpr ptrdiff_t tile_bytes = SITE_TILE * (ptrdiff_t)vector_bytes<F>();
        const packed_piece p = piece_of(a, i, SPINS);
        const int first = p.piece->from[p.parity], tiles = p.piece->tiles, neighbor = p.piece->neighbor;
        const int *sites = a.sites + p.parity * a.parity_sites + p.piece->entry;
        const ptrdiff_t slab = a.slab_sites * (ptrdiff_t)vector_bytes<F>(), slice = SPINS * p.group * slab;
        const char *from = (const char *)a.from[p.field] + slice;
        char *to = (char *)a.to[p.field][p.piece->receiver] + slice + tile_of(p.piece->to[p.parity]) * tile_bytes
                   + offset_of<F>(lane);
        if (!(p.piece->levels >> a.level & 1))
            return;
        KEEP_LOOP
        for (int tile = 0; tile < tiles; tile += AT_ONCE) {
            spinor v[AT_ONCE];
            UNROLL_LOOP
            for (int k = 0; k < AT_ONCE; k++)
                if (tile + k < tiles)
                    v[k] = spinor_at(from, slab, first >= 0 ? first + (tile + k) * SITE_TILE + lane : sites[lane]);
            UNROLL_LOOP
            for (int k = 0; k < AT_ONCE; k++)
                if (tile + k < tiles) {
                    const half_spinor h = of(neighbor, v[k]);
                    UNROLL_LOOP
                    for (int spin = 0; spin < 2; spin++)
                        put_vector<F>(to + (tile + k) * tile_bytes + spin * slab, 0, h.s[spin], 0);
                }
        }
    }
};

template <class WAY, bool DAGGER>
struct packs { typedef stored_numbers type; };
template <class WAY, bool DAGGER>
struct packs<with_half_ghosts<WAY>, DAGGER> { typedef half_spinors<DAGGER> type; };
template <class WAY, bool DAGGER>
using pack_of = typename packs<WAY, DAGGER>::type;

#endif
