/* spinor_tiles.h - the sum over neighbors of spinors on tiles, for threads that share links and offsets of neighbors
 * in shared memory: slices of domain-wall quarks (dwf_tiles.h), systems of Wilson quarks (wilson_tiles.h).
 *
 * It does the same operations in the same order as neighbor_sum.h, so the bits are the same. */
#ifndef KILN_GPU_SPINOR_TILES_H
#define KILN_GPU_SPINOR_TILES_H

#include "gpu/half_ghosts.h"
#include "gpu/tile_links.h"

/* The site of a thread.  slab: bytes of a slab; offset: bytes from the begin of a slab to the site; ghost_bytes: bytes
 * of the ghosts below site 0. */
typedef struct {
    uint32_t slab;
    size_t offset, ghost_bytes;
    const real *links;
    const uint32_t *neighbors;                            /* [direction, forward and backward][SITES], from the first
                                                           * even ghost on */
    int at, lane;                                         /* in the tile of the block; in a tile of memory */
    bool first, last;                                     /* in t, of the global lattice */
    real boundary;
    const hop_phases *phases;                             /* if phases_of<WAY>::on */
    uint32_t low_bits;
} tile_site;

/* A way of the hop of Wilson quarks that multiplies by phases (kernels/hop_phases.h).  Phases cost registers, so hops
 * without phases have a separate kernel. */
template <class WAY>
struct with_phases : WAY {};

template <class WAY>
struct phases_of { static constexpr bool on = false; };
template <class WAY>
struct phases_of<with_phases<WAY>> { static constexpr bool on = true; };

/* After the product by a link: h times the phase of neighbor k = 2 mu (forward) or 2 mu + 1 (backward), if there are
 * phases, and times the sign of the boundary if the neighbor lies across it. */
template <class WAY>
static __device__ __forceinline__ half_spinor past_boundary(const tile_site &x, int k, half_spinor h)
{
    if (phases_of<WAY>::on)
        h = half_spinor_times_phase(hop_phase(x.phases, k / 2, k % 2), h);
    return k >= 6 && (k % 2 ? x.first : x.last) ? half_spinor_times(x.boundary, h) : h;
}

/* The half spinor h of neighbor k, carried to x along link u. */
template <class WAY>
static __device__ __forceinline__ half_spinor carried(const su3 &u, const tile_site &x, int k, half_spinor h)
{
    return past_boundary<WAY>(x, k, k % 2 ? half_spinor_carried_back(u, h) : half_spinor_carried(u, h));
}

/* Loads the neighbor in a direction, 2 mu (forward) or 2 mu + 1 (backward).  The low bits of its offset contain its
 * lane if the format is int30; if ghosts are half spinors, they say whether it is a ghost. */
template <class WAY>
static __device__ __forceinline__ spinor neighbor_at(const tile_site &x, const char *slice, int direction)
{
    constexpr vector_format F = WAY::FORMAT;
    const uint32_t offset = x.neighbors[direction * WAY::SITES + x.at];
    const int low = F == VECTOR_INT30 ? (int)(offset % SITE_TILE) : ghosts_of<WAY>::half ? (int)(offset & 1) : 0;
    const char *from = slice + (offset - (uint32_t)low);
    spinor v = spinor_zero();
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        if (!ghosts_of<WAY>::half || direction < 2 || spin < 2 || low == 0)
            v.s[spin] = numbers_in<F>(raw_at<F>(from + (size_t)spin * x.slab, low), x.low_bits);
    return v;
}

/* Adds both neighbors in direction MU; slice: the begin of this slice of the field. */
template <class WAY, bool DAGGER, int MU>
static __device__ __forceinline__ void neighbors_along(const tile_site &x, const char *slice, spinor *sum)
{
    enum { AHEAD_PLUS = plus_of<DAGGER>(2 * MU), BEHIND_PLUS = plus_of<DAGGER>(2 * MU + 1) };
    half_spinor h = spinor_project(MU, AHEAD_PLUS, neighbor_at<WAY>(x, slice, 2 * MU));
    h = carried<WAY>(tile_links<WAY::SITES, WAY::LINKS>::get(x.links, 2 * MU, x.at), x, 2 * MU, h);
    *sum = spinor_expand(MU, AHEAD_PLUS, h, *sum);
    h = spinor_project(MU, BEHIND_PLUS, neighbor_at<WAY>(x, slice, 2 * MU + 1));
    h = carried<WAY>(tile_links<WAY::SITES, WAY::LINKS>::get(x.links, 2 * MU + 1, x.at), x, 2 * MU + 1, h);
    *sum = spinor_expand(MU, BEHIND_PLUS, h, *sum);
}

/* Shared memory of a block: the links of its sites, and the offsets of neighbors. */
template <class WAY>
struct hop_storage {
    enum { SITES = WAY::SITES, NEIGHBORS = 8 };
    real *links;
    uint32_t *neighbors, *low_bits;
    static constexpr size_t bytes = tile_links<SITES, WAY::LINKS>::bytes + NEIGHBORS * SITES * sizeof(uint32_t) + 16;

    static __device__ __forceinline__ hop_storage in(double2 *memory)
    {
        hop_storage r;
        r.links = (real *)memory;
        r.neighbors = (uint32_t *)((char *)memory + tile_links<SITES, WAY::LINKS>::bytes);
        r.low_bits = r.neighbors + NEIGHBORS * SITES;
        return r;
    }
};

/* Puts the links of each site and the offsets of its neighbors into shared memory; the threads of a site share the
 * work.  A barrier must follow. */
template <class WAY>
static __device__ __forceinline__ void load_neighbors(const hop_storage<WAY> &storage, const lattice_view &l,
                                                      const gauge_view *u, const hop_grid &g, const hop_place &p)
{
    const int at = (int)threadIdx.x % WAY::SITES, groups = (int)blockDim.x / WAY::SITES;
    if (threadIdx.x == 0)
        *storage.low_bits = HALF_LOW_BITS;
    for (int link = (int)threadIdx.x / WAY::SITES; link < 8 && p.there; link += groups) {
        const int mu = link / 2, to = hop_from(l, g, p, mu, link % 2 ? -1 : 1);
        const int low = WAY::FORMAT == VECTOR_INT30 ? place_in_tile(to)
                        : ghosts_of<WAY>::half && is_ghost(l, to) ? 1 : 0;
        storage.neighbors[link * WAY::SITES + at] = (uint32_t)offset_of<WAY::FORMAT>(to + l.ghosts) + (uint32_t)low;
        tile_links<WAY::SITES, WAY::LINKS>::put(storage.links, link, at,
                                    load_link_as(WAY::LINKS, u, site_at(link % 2 ? to : p.index), mu));
    }
}

/* After load_neighbors and a barrier.  slab: bytes. */
template <class WAY>
static __device__ __forceinline__ tile_site site_on_tile(const lattice_view &l, const hop_place &p,
                                                         const hop_storage<WAY> &storage, uint32_t slab,
                                                         double boundary)
{
    const int t = (int)(p.coordinates >> 48);
    tile_site x;
    x.slab = slab;
    x.offset = offset_of<WAY::FORMAT>(p.index);
    x.ghost_bytes = offset_of<WAY::FORMAT>(l.ghosts);
    x.links = storage.links;
    x.neighbors = storage.neighbors;
    x.at = (int)threadIdx.x % WAY::SITES;
    x.lane = p.index % SITE_TILE;
    x.first = l.origin[3] + t == 0;                      /* in a block of one time slice the compiler sees one branch */
    x.last = l.origin[3] + t == l.global[3] - 1;
    x.boundary = (real)boundary;
    x.low_bits = *storage.low_bits;
    return x;
}

/* A slice of y or z, as it lies in memory. */
template <vector_format F>
struct raw_spinor { raw_vector<F> s[SPINS]; };

template <vector_format F>
static __device__ __forceinline__ raw_spinor<F> raw_slice(const vector_view *v, const tile_site &x, int slice)
{
    raw_spinor<F> r;
    const char *from = (const char *)v->data + x.offset + (size_t)(SPINS * slice) * x.slab;
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        r.s[spin] = raw_at<F>(from + (size_t)spin * x.slab, x.lane);
    return r;
}

/* o + a v */
template <vector_format F>
static __device__ __forceinline__ void add_slice(spinor *o, double a, const raw_spinor<F> &v, uint32_t low_bits)
{
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        o->s[spin] = vector_axpy((scalar)a, numbers_in<F>(v.s[spin], low_bits), o->s[spin]);
}

#endif
