/* dwf_tiles.h - the hop of domain-wall quarks on tiles: templates that dwf_hop.cu instantiates, and
 * gpu/bench/dwf_ladder.cu with other numbers.
 *
 * A block holds a tile of sites (hop_tiles.h) and all slices.  What slices have in common it keeps in shared memory:
 * links, and where neighbours are.  A thread makes the sum over neighbours of one site and slice; the sums go to shared
 * memory too, where the matrix in the fifth dimension is applied (dwf_fifth.h), and come back to be stored.  The same
 * operations in the same order as dwf_hops.h, so the same bits. */
#ifndef KILN_GPU_DWF_TILES_H
#define KILN_GPU_DWF_TILES_H

#include "gpu/slab_vectors.h"
#include "gpu/tile_links.h"
#include "gpu/dwf_fifth.h"

/* A thread's site: what a slab takes, where the site is in it and where its neighbours are, in bytes; its links. */
typedef struct {
    uint32_t slab;
    size_t offset, ghost_bytes;
    const real *links;
    const uint32_t *neighbours;                           /* [direction, forward and backward][SITES], from the first
                                                           * even ghost on */
    int at, lane;                                         /* in the tile of the block; in a tile of memory */
    bool first, last;                                     /* in t, of the whole lattice */
    real boundary;
    uint32_t low_bits;
} dwf_site;

/* In int30 the low bits of a neighbour's place have its lane. */
template <class WAY>
static __device__ __forceinline__ spinor neighbour_at(const dwf_site &x, const char *slice, int direction)
{
    constexpr vector_format F = WAY::FORMAT;
    const uint32_t offset = x.neighbours[direction * WAY::SITES + x.at];
    const int lane = F == VECTOR_INT30 ? (int)(offset % SITE_TILE) : 0;
    const char *from = slice + (offset - (uint32_t)lane);
    spinor v;
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        v.s[spin] = numbers_in<F>(raw_at<F>(from + (size_t)spin * x.slab, lane), x.low_bits);
    return v;
}

/* Both neighbours in a direction; slice: where that of the field begins. */
template <class WAY, bool DAGGER, int MU>
static __device__ __forceinline__ void dwf_direction(const dwf_site &x, const char *slice, spinor *sum)
{
    enum { AHEAD_PLUS = DAGGER ? 1 : 0, BEHIND_PLUS = DAGGER ? 0 : 1 };
    half_spinor h = spinor_project(MU, AHEAD_PLUS, neighbour_at<WAY>(x, slice, 2 * MU));
    h = half_spinor_carried(tile_links<WAY::SITES>::get(x.links, 2 * MU, x.at), h);
    if (MU == 3 && x.last)
        h = half_spinor_times(x.boundary, h);
    *sum = spinor_expand(MU, AHEAD_PLUS, h, *sum);
    h = spinor_project(MU, BEHIND_PLUS, neighbour_at<WAY>(x, slice, 2 * MU + 1));
    h = half_spinor_carried_back(tile_links<WAY::SITES>::get(x.links, 2 * MU + 1, x.at), h);
    if (MU == 3 && x.first)
        h = half_spinor_times(x.boundary, h);
    *sum = spinor_expand(MU, BEHIND_PLUS, h, *sum);
}

/* RUN x Z x T sites a block, COLUMNS as above; THREADS at most; RESIDENT blocks are to share a multiprocessor. */
template <vector_format FORMAT_, int RUN_, int Z_, int T_, int THREADS_, int RESIDENT_, int COLUMNS_>
struct dwf_way {
    static constexpr vector_format FORMAT = FORMAT_;
    enum { RUN = RUN_, Z = Z_, T = T_, SITES = RUN_ * Z_ * T_, THREADS = THREADS_, RESIDENT = RESIDENT_,
           COLUMNS = COLUMNS_ };

    static int threads(int Ls)
    {
        int most = THREADS / SITES, turns = (Ls + most - 1) / most;              /* as equal as can be */
        return SITES * ((Ls + turns - 1) / turns);
    }
    static hop_grid grid(const lattice_view *l, site_range range, int Ls)
    {
        return hop_grid_for(l, range, tile_shape{ RUN, Z, T }, SPINS * (size_t)Ls * vector_bytes<FORMAT>());
    }
    static __device__ __forceinline__ hop_place place(const lattice_view &l, const hop_grid &g, hop_block b)
    {
        return hop_place_of<RUN, Z, T>(l, g, b, (int)threadIdx.x % SITES);
    }
};

/* Shared memory of a block; what all slices have comes first. */
template <class WAY>
struct tile_room {
    enum { SITES = WAY::SITES, TABLES = 2, NEIGHBOURS = 8 };
    real *links, *sums;
    uint32_t *neighbours, *low_bits;
    fifth_row *table[TABLES];
    static constexpr size_t fixed = tile_links<SITES>::bytes + NEIGHBOURS * SITES * sizeof(uint32_t) + 16;

    static __device__ __forceinline__ tile_room in(double2 *memory, int Ls)
    {
        tile_room r;
        r.links = (real *)memory;
        r.neighbours = (uint32_t *)((char *)memory + tile_links<SITES>::bytes);
        r.low_bits = r.neighbours + NEIGHBOURS * SITES;
        r.table[0] = (fifth_row *)((char *)memory + fixed);
        r.table[1] = r.table[0] + 2 * Ls;
        r.sums = (real *)(r.table[1] + 2 * Ls);
        return r;
    }
    static size_t bytes(const fifth_table &k, int Ls)
    {
        return fixed + 2 * TABLES * (size_t)Ls * sizeof(fifth_row)
               + (k.diagonal ? 0 : (size_t)Ls * tile_sums<SITES>::SLICE * sizeof(real));
    }
};

/* The links of a thread's site, and where its neighbours are, shared among the threads that have it; to be followed by
 * a barrier. */
template <class WAY>
static __device__ __forceinline__ void take_neighbours(const tile_room<WAY> &room, const lattice_view &l,
                                                       const gauge_view *u, const hop_grid &g, const hop_place &p)
{
    const int at = (int)threadIdx.x % WAY::SITES, groups = (int)blockDim.x / WAY::SITES;
    if (threadIdx.x == 0)
        *room.low_bits = HALF_LOW_BITS;
    for (int link = (int)threadIdx.x / WAY::SITES; link < 8 && p.there; link += groups) {
        const int mu = link / 2, to = hop_from(l, g, p, mu, link % 2 ? -1 : 1);
        const int lane = WAY::FORMAT == VECTOR_INT30 ? place_in_tile(to) : 0;
        room.neighbours[link * WAY::SITES + at] = (uint32_t)offset_of<WAY::FORMAT>(to + l.ghosts) + (uint32_t)lane;
        tile_links<WAY::SITES>::put(room.links, link, at,
                                    load_link_as(LINK_12, u, site_at(link % 2 ? to : p.index), mu));
    }
}

/* What a hop does: out <- K S in + terms; where it `turns`, turned <- turn out.  (Not where `turned` is
 * not NULL: dwf_hops.h has why.) */
typedef struct {
    const vector_view *out, *in, *turned;
    const fifth_table *k, *turn;
    dwf_terms terms;
    uint32_t slab;                                        /* bytes of a slab: all these vectors lie alike */
    double boundary;
    int Ls;
    bool turns;
} tile_task;

/* A slice of y or z, as it lies in memory. */
template <vector_format F>
struct raw_spinor { raw_vector<F> s[SPINS]; };

template <vector_format F>
static __device__ __forceinline__ raw_spinor<F> raw_slice(const vector_view *v, const dwf_site &x, int slice)
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

/* o <- o + b z, as it is stored in `out` */
template <vector_format F>
static __device__ __forceinline__ void end_slice(spinor *o, const tile_task &task, const dwf_site &x, int slice)
{
    char *to = (char *)task.out->data + x.offset + (size_t)(SPINS * slice) * x.slab;
    if (task.terms.b != 0)
        add_slice<F>(o, task.terms.b, raw_slice<F>(task.terms.z, x, slice), x.low_bits);
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        o->s[spin] = put_vector<F>(to + (size_t)spin * x.slab, x.lane, o->s[spin], x.low_bits);
}

/* On the block's sites; all its threads take part. */
template <class WAY, bool DAGGER>
static __device__ __forceinline__ void dwf_tile(const tile_task &task, const lattice_view &l, const hop_place &p,
                                                 const tile_room<WAY> &room)
{
    constexpr vector_format F = WAY::FORMAT;
    typedef tile_sums<WAY::SITES> kept;
    const fifth_table &k = *task.k;
    const int Ls = task.Ls, t = (int)(p.coordinates >> 48);
    const int group = (int)threadIdx.x / WAY::SITES, groups = (int)blockDim.x / WAY::SITES;
    dwf_site x;
    x.slab = task.slab;
    x.offset = offset_of<F>(p.index);
    x.ghost_bytes = offset_of<F>(l.ghosts);
    x.links = room.links;
    x.neighbours = room.neighbours;
    x.at = (int)threadIdx.x % WAY::SITES;
    x.lane = p.index % SITE_TILE;
    x.first = l.origin[3] + t == 0;                      /* in a block of one time slice the compiler sees one branch */
    x.last = l.origin[3] + t == l.global[3] - 1;
    x.boundary = (real)task.boundary;
    x.low_bits = *room.low_bits;
    const bool with_y = task.terms.a != 0;
    for (int slice = group; slice < Ls && p.there; slice += groups) {
        const char *from = (const char *)task.in->data - x.ghost_bytes + (size_t)(SPINS * slice) * x.slab;
        spinor sum = spinor_zero();
        dwf_direction<WAY, DAGGER, 0>(x, from, &sum);
        dwf_direction<WAY, DAGGER, 1>(x, from, &sum);
        dwf_direction<WAY, DAGGER, 2>(x, from, &sum);
        dwf_direction<WAY, DAGGER, 3>(x, from, &sum);
        if (k.diagonal) {
            UNROLL_LOOP
            for (int spin = 0; spin < SPINS; spin++)
                sum.s[spin] = vector_scale(room.table[0][spin / 2 * Ls + slice].d, sum.s[spin]);
            if (with_y)
                add_slice<F>(&sum, task.terms.a, raw_slice<F>(task.terms.y, x, slice), x.low_bits);
            end_slice<F>(&sum, task, x, slice);
        } else
            kept::put(room.sums, slice, x.at, sum);
    }
    if (k.diagonal)
        return;
    raw_spinor<F> y = {};                                         /* of the next slice, asked for early */
    if (with_y && p.there)
        y = raw_slice<F>(task.terms.y, x, group);
    __syncthreads();
    fifth_of_tile<WAY::SITES, WAY::COLUMNS>(room.sums, room.table[0], k, Ls);
    __syncthreads();
    for (int slice = group; slice < Ls && p.there; slice += groups) {
        spinor sum;
        UNROLL_LOOP
        for (int spin = 0; spin < SPINS; spin++)
            sum.s[spin] = kept::get(room.sums, slice, spin, x.at);
        if (with_y) {
            add_slice<F>(&sum, task.terms.a, y, x.low_bits);
            if (slice + groups < Ls)
                y = raw_slice<F>(task.terms.y, x, slice + groups);
        }
        end_slice<F>(&sum, task, x, slice);
        if (task.turns)
            kept::put(room.sums, slice, x.at, sum);
    }
    if (!task.turns)
        return;
    __syncthreads();
    fifth_of_tile<WAY::SITES, WAY::COLUMNS>(room.sums, room.table[1], *task.turn, Ls);
    __syncthreads();
    for (int slice = group; slice < Ls && p.there; slice += groups) {
        char *to = (char *)task.turned->data + x.offset + (size_t)(SPINS * slice) * x.slab;
        UNROLL_LOOP
        for (int spin = 0; spin < SPINS; spin++)
            put_vector<F>(to + (size_t)spin * x.slab, x.lane, kept::get(room.sums, slice, spin, x.at), x.low_bits);
    }
}

template <class WAY, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
dwf_on_tiles(const __grid_constant__ dwf_hop_args a, const __grid_constant__ hop_grid g)
{
    extern __shared__ double2 memory[];
    const tile_room<WAY> room = tile_room<WAY>::in(memory, a.Ls);
    const hop_place p = WAY::place(a.l, g, this_block());
    tile_task task = {};
    task.out = &a.out;
    task.in = &a.in;
    task.k = &a.k;
    task.terms.y = &a.y;
    task.terms.z = &a.z;
    task.terms.a = a.a;
    task.terms.b = a.b;
    task.slab = (uint32_t)slab_bytes<WAY::FORMAT>(&a.out);
    task.boundary = a.boundary;
    task.Ls = a.Ls;
    take_table(room.table[0], a.k, a.Ls);
    take_neighbours<WAY>(room, a.l, &a.u, g, p);
    __syncthreads();
    dwf_tile<WAY, DAGGER>(task, a.l, p, room);
}

template <vector_format F>
static __device__ __forceinline__ tile_task task_of_system(const dwf_batch_hop_args &a, int n)
{
    tile_task task = {};
    task.out = &a.out[n];
    task.in = &a.in[n];
    task.k = &a.k;
    task.terms.y = &a.y[n];
    task.terms.z = &a.z[n];
    task.terms.a = a.a;
    task.terms.b = a.with_shift ? a.b.state->system[a.b.number[n]].shift : 0;
    task.slab = (uint32_t)slab_bytes<F>(&a.out[0]);       /* of the first: known to be the same in all threads */
    task.boundary = a.boundary;
    task.Ls = a.Ls;
    task.turns = a.turns;
    task.turned = &a.turned[n];
    task.turn = &a.turn;
    return task;
}

template <class WAY, bool DAGGER>
static __device__ __forceinline__ void dwf_batch_on_tile(const dwf_batch_hop_args &a, const hop_grid &g, hop_block b)
{
    extern __shared__ double2 memory[];
    if (!a.b.state->going)
        return;
    const tile_room<WAY> room = tile_room<WAY>::in(memory, a.Ls);
    const hop_place p = WAY::place(a.l, g, b);
    take_table(room.table[0], a.k, a.Ls);
    if (a.turns)
        take_table(room.table[1], a.turn, a.Ls);
    take_neighbours<WAY>(room, a.l, &a.u, g, p);
    for (int n = 0; n < a.b.count; n++) {
        const tile_task task = task_of_system<WAY::FORMAT>(a, n);
        __syncthreads();
        dwf_tile<WAY, DAGGER>(task, a.l, p, room);
    }
}

template <class WAY, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
dwf_batch_on_tiles(const __grid_constant__ dwf_batch_hop_args a, const __grid_constant__ hop_grid g)
{
    dwf_batch_on_tile<WAY, DAGGER>(a, g, this_block());
}

template <class WAY, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
dwf_batch_beside_exchange(const __grid_constant__ dwf_batch_hop_args a, const __grid_constant__ hop_grid g,
                          const __grid_constant__ peer_pack_args e, beside_shape s)
{
    hop_block b;
    if (tile_beside(e, g, s, &b))
        dwf_batch_on_tile<WAY, DAGGER>(a, g, b);
}

#endif
