/* dwf_tiles.h - the hop of domain-wall quarks on tiles: templates that dwf_hop.cu instantiates, and
 * gpu/bench/dwf_ladder.cu with other parameters.
 *
 * A block holds a tile of sites (hop_tiles.h) and all slices.  Shared memory has what slices share: links and offsets
 * of neighbors.  A thread computes the sum over neighbors for one site and slice; the sums go to shared memory too,
 * are multiplied there by the matrix in the fifth dimension (dwf_fifth.h), and are read back and stored.  Operations
 * and their order are as in dwf_hops.h, so the bits are the same. */
#ifndef KILN_GPU_DWF_TILES_H
#define KILN_GPU_DWF_TILES_H

#include "gpu/dwf_fifth.h"
#include "gpu/spinor_tiles.h"

/* A block has RUN x Z x T sites, at most THREADS threads; COLUMNS: dwf_fifth.h; RESIDENT blocks share a
 * multiprocessor. */
template <vector_format FORMAT_, int RUN_, int Z_, int T_, int THREADS_, int RESIDENT_, int COLUMNS_>
struct dwf_way {
    static constexpr vector_format FORMAT = FORMAT_;
    static constexpr link_format LINKS = LINK_12;
    enum { RUN = RUN_, Z = Z_, T = T_, SITES = RUN_ * Z_ * T_, THREADS = THREADS_, RESIDENT = RESIDENT_,
           COLUMNS = COLUMNS_ };

    static int threads(int Ls)
    {
        int most = THREADS / SITES, turns = (Ls + most - 1) / most;           /* turns of equal size but for the last */
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

/* Shared memory of a block; data that all slices share come first. */
template <class WAY>
struct tile_storage {
    enum { SITES = WAY::SITES, TABLES = 2 };
    hop_storage<WAY> hop;
    real *sums;
    fifth_row *table[TABLES];

    static __device__ __forceinline__ tile_storage in(double2 *memory, int Ls)
    {
        tile_storage r;
        r.hop = hop_storage<WAY>::in(memory);
        r.table[0] = (fifth_row *)((char *)memory + hop_storage<WAY>::bytes);
        r.table[1] = r.table[0] + 2 * Ls;
        r.sums = (real *)(r.table[1] + 2 * Ls);
        return r;
    }
    static size_t bytes(const fifth_table &k, int Ls)
    {
        return hop_storage<WAY>::bytes + 2 * TABLES * (size_t)Ls * sizeof(fifth_row)
               + (k.diagonal ? 0 : (size_t)Ls * tile_sums<SITES>::SLICE * sizeof(real));
    }
};

/* A hop: out <- K S in + terms; if `has_second`, also second <- K' out, with the table `k2` of K'.  (`has_second` is a
 * separate flag, because a test of `second` for NULL would need its address: see dwf_hops.h.) */
typedef struct {
    const vector_view *out, *in, *second;
    const fifth_table *k, *k2;
    dwf_terms terms;
    uint32_t slab;                                        /* bytes of a slab, the same for all these vectors */
    double boundary;
    int Ls;
    bool has_second;
} tile_task;

/* Stores o + b z in a slice of out; o becomes the stored value. */
template <vector_format F>
static __device__ __forceinline__ void end_slice(spinor *o, const tile_task &task, const tile_site &x, int slice)
{
    char *to = (char *)task.out->data + x.offset + (size_t)(SPINS * slice) * x.slab;
    if (task.terms.b != 0)
        add_slice<F>(o, task.terms.b, raw_slice<F>(task.terms.z, x, slice), x.low_bits);
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        o->s[spin] = put_vector<F>(to + (size_t)spin * x.slab, x.lane, o->s[spin], x.low_bits);
}

/* The hop on the sites of a block; all its threads must call it. */
template <class WAY, bool DAGGER>
static __device__ __forceinline__ void dwf_tile(const tile_task &task, const lattice_view &l, const hop_place &p,
                                                 const tile_storage<WAY> &storage)
{
    constexpr vector_format F = WAY::FORMAT;
    typedef tile_sums<WAY::SITES> kept;
    const fifth_table &k = *task.k;
    const int Ls = task.Ls;
    const int group = (int)threadIdx.x / WAY::SITES, groups = (int)blockDim.x / WAY::SITES;
    const tile_site x = site_on_tile<WAY>(l, p, storage.hop, task.slab, task.boundary);
    const bool with_y = task.terms.a != 0;
    for (int slice = group; slice < Ls && p.there; slice += groups) {
        const char *from = (const char *)task.in->data - x.ghost_bytes + (size_t)(SPINS * slice) * x.slab;
        spinor sum = spinor_zero();
        neighbors_along<WAY, DAGGER, 0>(x, from, &sum);
        neighbors_along<WAY, DAGGER, 1>(x, from, &sum);
        neighbors_along<WAY, DAGGER, 2>(x, from, &sum);
        neighbors_along<WAY, DAGGER, 3>(x, from, &sum);
        if (k.diagonal) {
            UNROLL_LOOP
            for (int spin = 0; spin < SPINS; spin++)
                sum.s[spin] = vector_scale(storage.table[0][spin / 2 * Ls + slice].d, sum.s[spin]);
            if (with_y)
                add_slice<F>(&sum, task.terms.a, raw_slice<F>(task.terms.y, x, slice), x.low_bits);
            end_slice<F>(&sum, task, x, slice);
        } else
            kept::put(storage.sums, slice, x.at, sum);
    }
    if (k.diagonal)
        return;
    raw_spinor<F> y = {};                                         /* of the next slice, loaded early */
    if (with_y && p.there)
        y = raw_slice<F>(task.terms.y, x, group);
    __syncthreads();
    fifth_of_tile<WAY::SITES, WAY::COLUMNS>(storage.sums, storage.table[0], k, Ls);
    __syncthreads();
    for (int slice = group; slice < Ls && p.there; slice += groups) {
        spinor sum;
        UNROLL_LOOP
        for (int spin = 0; spin < SPINS; spin++)
            sum.s[spin] = kept::get(storage.sums, slice, spin, x.at);
        if (with_y) {
            add_slice<F>(&sum, task.terms.a, y, x.low_bits);
            if (slice + groups < Ls)
                y = raw_slice<F>(task.terms.y, x, slice + groups);
        }
        end_slice<F>(&sum, task, x, slice);
        if (task.has_second)
            kept::put(storage.sums, slice, x.at, sum);
    }
    if (!task.has_second)
        return;
    __syncthreads();
    fifth_of_tile<WAY::SITES, WAY::COLUMNS>(storage.sums, storage.table[1], *task.k2, Ls);
    __syncthreads();
    for (int slice = group; slice < Ls && p.there; slice += groups) {
        char *to = (char *)task.second->data + x.offset + (size_t)(SPINS * slice) * x.slab;
        UNROLL_LOOP
        for (int spin = 0; spin < SPINS; spin++)
            put_vector<F>(to + (size_t)spin * x.slab, x.lane, kept::get(storage.sums, slice, spin, x.at), x.low_bits);
    }
}

template <class WAY, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
dwf_on_tiles(const __grid_constant__ dwf_hop_args a, const __grid_constant__ hop_grid g)
{
    extern __shared__ double2 memory[];
    const tile_storage<WAY> storage = tile_storage<WAY>::in(memory, a.Ls);
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
    load_table(storage.table[0], a.k, a.Ls);
    load_neighbors<WAY>(storage.hop, a.l, &a.u, g, p);
    __syncthreads();
    dwf_tile<WAY, DAGGER>(task, a.l, p, storage);
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
    task.slab = (uint32_t)slab_bytes<F>(&a.out[0]);       /* of system 0, so the compiler knows it is uniform */
    task.boundary = a.boundary;
    task.Ls = a.Ls;
    task.has_second = a.has_second;
    task.second = &a.second[n];
    task.k2 = &a.k2;
    return task;
}

template <class WAY, bool DAGGER>
static __device__ __forceinline__ void dwf_batch_on_tile(const dwf_batch_hop_args &a, const hop_grid &g, hop_block b)
{
    extern __shared__ double2 memory[];
    if (!a.b.state->going)
        return;
    const tile_storage<WAY> storage = tile_storage<WAY>::in(memory, a.Ls);
    const hop_place p = WAY::place(a.l, g, b);
    load_table(storage.table[0], a.k, a.Ls);
    if (a.has_second)
        load_table(storage.table[1], a.k2, a.Ls);
    load_neighbors<WAY>(storage.hop, a.l, &a.u, g, p);
    for (int n = 0; n < a.b.count; n++) {
        const tile_task task = task_of_system<WAY::FORMAT>(a, n);
        __syncthreads();
        dwf_tile<WAY, DAGGER>(task, a.l, p, storage);
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
    if (tile_beside<pack_of<WAY, DAGGER>>(e, g, s, &b))
        dwf_batch_on_tile<WAY, DAGGER>(a, g, b);
}

#endif
