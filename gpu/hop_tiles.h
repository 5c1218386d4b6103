/* hop_tiles.h - the staggered Dirac operator on tiles: templates that staggered_batch.cu instantiates, and
 * gpu/bench/hop_ladder.cu with other numbers.
 *
 * A site reads the vectors of 16 neighbours, and its sums go over them in one order, that of staggered_hops.h.  A block
 * holds a run of sites of one parity along x and y on a few slices in z and t, so that its neighbours overlap and are
 * found in the L1 cache.  Neighbours are counted from coordinates: tables of them are 64 bytes a site and hop, as much
 * as two vectors. */
#ifndef KILN_GPU_HOP_TILES_H
#define KILN_GPU_HOP_TILES_H

#include "gpu/tiles.h"
#include "src/kernels/staggered_batch.h"

/* Blocks: tiles of a slab (along x and y, then z), slices in t, slabs in z and parities.  Slabs keep the slices that
 * are in use at once in the L2 cache. */
typedef struct {
    dim3 blocks;
    int runs, slab_z;         /* tiles along x and y; in z, of a slab */
    int slabs, parity;        /* of one parity; the first parity */
    unsigned int per_row;     /* 2^32 / sites of a row, rounded up: to divide by them */
    int slice, stride[4];     /* sites of a parity along x and y; from a site of the lattice to the next */
} hop_grid;

/* What one slice in t of a slab may take of the L2 cache: seven are in use. */
enum { SLICE_VECTOR_BYTES = 3 << 20 };

static inline hop_grid hop_grid_for(const lattice_view *l, site_range range, tile_shape tile, size_t vector_bytes)
{
    hop_grid g = {};
    int row = l->local[0] / 2, tiles_z;
    g.slice = slice_sites(*l);
    g.runs = divide_up(g.slice, tile.run);
    tiles_z = divide_up(l->local[2], tile.z);
    const size_t slice_bytes = vector_bytes * (size_t)g.slice * (size_t)(tile.z * tiles_z);
    g.slabs = (int)((slice_bytes + SLICE_VECTOR_BYTES - 1) / SLICE_VECTOR_BYTES);
    g.slabs = g.slabs < tiles_z ? g.slabs : tiles_z;
    g.slab_z = divide_up(tiles_z, g.slabs);
    g.slabs = divide_up(tiles_z, g.slab_z);
    g.parity = site_parity(l, range.first);
    g.blocks = dim3((unsigned)(g.runs * g.slab_z), (unsigned)divide_up(l->local[3], tile.t),
                    (unsigned)(g.slabs * range.parts));
    g.per_row = (unsigned)(((1ull << 32) + (unsigned)row - 1) / (unsigned)row);
    for (int mu = 0, stride = 1; mu < 4; mu++) {
        g.stride[mu] = stride;
        stride *= l->local[mu];
    }
    return g;
}

/* A site: its index, that of the site beside it of the other parity, and coordinates, 16 bits each. */
typedef struct { int index, other; unsigned long long coordinates; bool there; } hop_place;

template <int RUN, int Z, int T>
static __device__ __forceinline__ hop_place hop_place_of(const lattice_view &l, const hop_grid &g, int i)
{
    hop_place p;
    const int row = l.local[0] / 2, parity = (g.parity + (int)blockIdx.z / g.slabs) & 1;
    const int tile_z = (int)blockIdx.z % g.slabs * g.slab_z + (int)blockIdx.x / g.runs;
    const int at = (int)blockIdx.x % g.runs * RUN + i % RUN, z = tile_z * Z + i / RUN % Z;
    const int t = (int)blockIdx.y * T + i / RUN / Z, y = (int)__umulhi((unsigned)at, g.per_row);
    const int x = 2 * (at - y * row) + ((y + z + t + parity) & 1), here = number_in_parity(l, g.slice, at, z, t);
    p.there = is_in_slice(l, g.slice, at, z, t);
    p.index = site_of_parity(&l, parity, here);
    p.other = site_of_parity(&l, 1 - parity, here);
    p.coordinates = (unsigned)(x | y << 16) | (unsigned long long)(unsigned)(z | t << 16) << 32;
    return p;
}

/* `hop` sites on, |hop| at most the extent. */
static __device__ __forceinline__ int hop_from(const lattice_view &l, const hop_grid &g, const hop_place &p, int mu,
                                               int hop)
{
    const int c = (int)(p.coordinates >> (16 * mu)) & 0xffff, extent = l.local[mu], stride = g.stride[mu];
    int to = c + hop;
    to += to < 0 ? extent : 0;
    to -= to >= extent ? extent : 0;
    return p.other + ((to * stride) >> 1) - ((c * stride) >> 1);
}

/* How: links past the L1 cache, which is left to vectors; what is next is loaded while this is multiplied; neighbours
 * from tables. */
enum { PLAIN = 0, STREAMED = 1, AHEAD = 2, BY_TABLES = 4 };

/* Links and vectors as they lie in memory. */
template <link_format LINKS>
struct raw_link {
    enum {
        NATIVE = LINKS == LINK_NATIVE || LINKS == LINK_13,
        COUNT = LINKS == LINK_NATIVE ? LINK_REALS : LINKS == LINK_13 ? 13 : LINKS == LINK_FIXED16 ? FIXED16_WORDS
              : LINKS == LINK_FIXED32 ? FIXED32_WORDS : LINKS == LINK_FIXED16_13 ? FIXED16_13_WORDS : FIXED32_13_WORDS
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
        return link_of_words(LINKS, r.word);
    else if constexpr (LINKS == LINK_13)
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

/* Compilers divide by the size of a tile with fewer instructions what has no sign. */
static __device__ __forceinline__ site counted_site(int x)
{
    __builtin_assume(x >= 0);
    return site_at(x);
}

template <int REACH, int HOW>
static __device__ __forceinline__ site neighbour(const lattice_view *l, const hop_grid &g, const hop_place &p, int mu,
                                                 bool up)
{
    const int *table = REACH == 3 ? (up ? l->up3[mu] : l->down3[mu]) : (up ? l->up[mu] : l->down[mu]);
    return counted_site(HOW & BY_TABLES ? table[p.index] : hop_from(*l, g, p, mu, up ? REACH : -REACH));
}

/* N of the systems, the hops of one length: as both_ways of staggered_hops.h, and with the same bits. */
template <vector_format F, link_format LINKS, int N, int REACH, int HOW>
static __device__ __forceinline__ void hops_over(const lattice_view *l, const hop_grid &g, const hop_place &p,
                                                 const gauge_view *u, const vector_view *v, color_vector *s)
{
    const site x = counted_site(p.index);
    site forward;
    raw_link<LINKS> link;
    raw_vector<F> next[N];
    if (HOW & AHEAD) {
        forward = neighbour<REACH, HOW>(l, g, p, 0, true);
        link = fetch_link<LINKS, HOW>(u, x, 0);
    }
    UNROLL_LOOP
    for (int n = 0; n < N && (HOW & AHEAD); n++)
        next[n] = fetch_vector<F>(&v[n], forward);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        const site backward = neighbour<REACH, HOW>(l, g, p, mu, false);
        if (!(HOW & AHEAD)) {
            forward = neighbour<REACH, HOW>(l, g, p, mu, true);
            link = fetch_link<LINKS, HOW>(u, x, mu);
        }
        su3 m = link_of<LINKS>(link);
        if (HOW & AHEAD)
            link = fetch_link<LINKS, HOW>(u, backward, mu);
        UNROLL_LOOP
        for (int n = 0; n < N; n++) {
            color_vector there = vector_of<F>(HOW & AHEAD ? next[n] : fetch_vector<F>(&v[n], forward));
            if (HOW & AHEAD)
                next[n] = fetch_vector<F>(&v[n], backward);
            s[n] = su3_mul_vector(m, there, s[n]);
        }
        if (!(HOW & AHEAD))
            link = fetch_link<LINKS, HOW>(u, backward, mu);
        m = link_of<LINKS>(link);
        if ((HOW & AHEAD) && mu < 3) {
            forward = neighbour<REACH, HOW>(l, g, p, mu + 1, true);
            link = fetch_link<LINKS, HOW>(u, x, mu + 1);
        }
        UNROLL_LOOP
        for (int n = 0; n < N; n++) {
            color_vector there = vector_of<F>(HOW & AHEAD ? next[n] : fetch_vector<F>(&v[n], backward));
            if ((HOW & AHEAD) && mu < 3)
                next[n] = fetch_vector<F>(&v[n], forward);
            s[n] = su3_dagger_mul_vector_minus(m, there, s[n]);
        }
    }
}

/* A block works on a tile, a thread on N systems at a site.  FORMAT of vectors, LONG of Naik's links.  RESIDENT blocks
 * are to share a multiprocessor: this sets the registers of a thread. */
template <vector_format FORMAT, link_format LONG, int N, int RUN, int Z, int T, int HOW, int RESIDENT>
struct hop_way {
    enum { SYSTEMS = N, THREADS = RUN * Z * T, BLOCKS = RESIDENT };
    static constexpr vector_format format = FORMAT;
    static constexpr link_format fat = FORMAT == VECTOR_NATIVE ? LINK_NATIVE
                                     : FORMAT == VECTOR_INT30 ? LINK_FIXED32 : LINK_FIXED16;

    static hop_grid grid(const batch_hop_args *a, site_range range)
    {
        const size_t vector_bytes = FORMAT == VECTOR_NATIVE ? VECTOR_REALS * sizeof(real)
                                  : FORMAT == VECTOR_INT30 ? 4 * INT30_WORDS : 4 * HALF_WORDS;
        return hop_grid_for(&a->l, range, tile_shape{ RUN, Z, T }, N * vector_bytes);
    }
    static __device__ __forceinline__ hop_place place(const batch_hop_args &a, const hop_grid &g)
    {
        return hop_place_of<RUN, Z, T>(a.l, g, (int)threadIdx.x);
    }

    /* As hops_of: the same operations in the same order. */
    static __device__ __forceinline__ void hops(const batch_hop_args &a, const hop_grid &g, const hop_place &p,
                                                color_vector *s)
    {
        UNROLL_LOOP
        for (int n = 0; n < N; n++)
            s[n] = vector_zero();
        if (a.naik != 0) {
            const scalar coefficient = (scalar)(FORMAT == VECTOR_NATIVE ? a.naik : a.naik / a.unit);
            hops_over<FORMAT, LONG, N, 3, HOW>(&a.l, g, p, &a.long_links, a.in, s);
            UNROLL_LOOP
            for (int n = 0; n < N; n++)
                s[n] = vector_scale(coefficient, s[n]);
        }
        hops_over<FORMAT, fat, N, 1, HOW>(&a.l, g, p, &a.fat, a.in, s);
        UNROLL_LOOP
        for (int n = 0; n < N && FORMAT != VECTOR_NATIVE; n++)
            s[n] = vector_scale((scalar)a.unit, s[n]);
    }
};

/* out_n <- D in_n */
template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::BLOCKS)
hop_on_tiles(const __grid_constant__ batch_hop_args a, const __grid_constant__ hop_grid g)
{
    const hop_place p = WAY::place(a, g);
    color_vector d[WAY::SYSTEMS];
    if (!a.b.state->going || !p.there)
        return;
    WAY::hops(a, g, p, d);
    UNROLL_LOOP
    for (int n = 0; n < WAY::SYSTEMS; n++)
        store_vector_as(WAY::format, &a.out[n], counted_site(p.index), d[n]);
}

/* out_n <- shift_n y_n - D in_n, and Re y_n^+ out_n: as batch_normal_as. */
template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::BLOCKS)
normal_on_tiles(const __grid_constant__ batch_hop_args a, const __grid_constant__ hop_grid g)
{
    krylov_state *state = a.b.state;
    const bool going = state->going != 0;
    if (going) {
        const hop_place p = WAY::place(a, g);
        real s[WAY::SYSTEMS] = {};
        double scale[WAY::SYSTEMS];
        if (p.there) {
            color_vector d[WAY::SYSTEMS];
            WAY::hops(a, g, p, d);
            UNROLL_LOOP
            for (int n = 0; n < WAY::SYSTEMS; n++) {
                double shift = state->system[a.b.number[n]].shift;
                normal_pair pair = normal_end(WAY::format, &a.out[n], &a.y[n], shift, d[n], counted_site(p.index));
                s[n] = vector_dot(pair.y, pair.out).re;
            }
        }
        UNROLL_LOOP
        for (int n = 0; n < WAY::SYSTEMS; n++)
            scale[n] = state->system[a.b.number[n]].curvature_per_bound;
        batch_merge<WAY::SYSTEMS, WAY::THREADS>(a.b, s, scale);
    }
    if (is_last_block(a.b))
        curvature_finish(&a.b, going, threadIdx.x, WAY::THREADS);
}

template <class WAY>
static void launch_hop(const void *args, site_range range, void *stream)
{
    const batch_hop_args *a = (const batch_hop_args *)args;
    const hop_grid g = WAY::grid(a, range);
    hop_on_tiles<WAY><<<g.blocks, WAY::THREADS, 0, (cudaStream_t)stream>>>(*a, g);
}

template <class WAY>
static void launch_normal(const void *args, site_range range, void *stream)
{
    const batch_hop_args *a = (const batch_hop_args *)args;
    const hop_grid g = WAY::grid(a, range);
    normal_on_tiles<WAY><<<g.blocks, WAY::THREADS, 0, (cudaStream_t)stream>>>(*a, g);
}

/* A hop of three sites may go around once, not twice; and a row is divided by without error. */
static inline bool tiles_fit(const lattice_view *l)
{
    bool fit = (long long)l->local[0] * l->local[0] / 4 * l->local[1] < 1ll << 32;
    for (int mu = 0; mu < 4; mu++)
        fit = fit && l->local[mu] >= 4;
    return fit;
}

#endif
