/* wall_tiles.h - the hop of domain-wall quarks on tiles: templates that wall_hop.cu instantiates, and
 * gpu/bench/wall_ladder.cu with other numbers.
 *
 * A block holds a tile of sites (hop_tiles.h) and all slices, whose links it keeps in shared memory: a thread makes the
 * sum over neighbours of one site for PAIR slices at a time; the sums go to shared memory too, where the matrix in the
 * fifth dimension is applied number by number, and come back to be stored.  The same operations in the same order as
 * wall_hops.h, so the same bits. */
#ifndef KILN_GPU_WALL_TILES_H
#define KILN_GPU_WALL_TILES_H

#include "gpu/hop_tiles.h"
#include "src/kernels/wall_hops.h"

/* Vectors where a site begins in a slab, and how far it is to the same site in the next one: counted once for all slabs
 * of a neighbour. */
template <vector_format F>
static __device__ __forceinline__ const char *site_address(const vector_view *v, int x)
{
    const int at = x - v->first, lane = at % SITE_TILE;
    if (F == VECTOR_NATIVE)
        return (const char *)((const real *)v->data + (size_t)(at - lane) * VECTOR_REALS + lane);
    return (const char *)v->data + (F == VECTOR_INT30 ? (size_t)(at - lane) * 4 * INT30_WORDS : (size_t)at * 16);
}

template <vector_format F>
static __device__ __forceinline__ size_t slab_bytes(int padded)
{
    return (size_t)padded * (F == VECTOR_NATIVE ? VECTOR_REALS * sizeof(real)
                                                : F == VECTOR_INT30 ? 4 * INT30_WORDS : 4 * HALF_WORDS);
}

template <vector_format F>
static __device__ __forceinline__ color_vector vector_at(const char *address, int lane)
{
    color_vector v;
    bits w[INT30_WORDS];
    if (F == VECTOR_NATIVE) {
        UNROLL_LOOP
        for (int i = 0; i < VECTOR_REALS; i++)
            *component(&v, i) = ((const real *)address)[i * SITE_TILE];
        return v;
    }
    words_from(w, (const uint32_t *)address + (F == VECTOR_INT30 ? 4 * lane : 0), 4);
    if (F == VECTOR_INT30)
        words_from(w + 4, (const uint32_t *)address + 4 * SITE_TILE + 2 * lane, 2);
    return F == VECTOR_HALF ? unpack_half(w) : F == VECTOR_INT20 ? unpack_int20(w) : unpack_int30(w);
}

template <vector_format F>
static __device__ __forceinline__ spinor spinor_at(const char *address, size_t slab, int lane)
{
    spinor a;
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        a.s[spin] = vector_at<F>(address + (size_t)spin * slab, lane);
    return a;
}

/* The table in the precision of the arithmetic, for one chirality after the other. */
typedef struct { real d[SLICES_MAX], e[SLICES_MAX], h[SLICES_MAX], g[SLICES_MAX], a[SLICES_MAX], r[SLICES_MAX]; } rows;

static __device__ __forceinline__ void take_table(rows *to, const fifth_table &k, int slices)
{
    for (int i = (int)threadIdx.x; i < 2 * slices; i += (int)blockDim.x) {
        const int c = i / slices, s = i % slices;
        to[c].d[s] = (real)k.d[c][s];
        to[c].e[s] = (real)k.e[c][s];
        to[c].h[s] = (real)k.h[c][s];
        to[c].g[s] = (real)k.g[c][s];
        to[c].a[s] = (real)k.a[c][s];
        to[c].r[s] = (real)k.r[c][s];
    }
}

/* The eight links of each site of a tile, in shared memory for all slices: in single precision whole matrices in five
 * units of 16 bytes, in double the two rows that are stored, in six; unit[link][unit][SITES]. */
template <int SITES>
struct tile_links {
    enum { WHOLE = sizeof(real) == 4, UNITS = WHOLE ? 5 : 6, EACH = 16 / sizeof(real), LINKS = 8 };
    static constexpr size_t bytes = (size_t)LINKS * UNITS * SITES * 16;

    static __device__ __forceinline__ void put(real *room, int link, int at, su3 m)
    {
        UNROLL_LOOP
        for (int i = 0; i < UNITS * EACH; i++) {
            real *unit = room + ((link * UNITS + i / EACH) * SITES + at) * EACH;
            const cplx z = m.e[i / 6 < 3 ? i / 6 : 0][i / 2 % 3];
            unit[i % EACH] = i % 2 ? z.im : z.re;
        }
    }
    static __device__ __forceinline__ su3 get(const real *room, int link, int at)
    {
        real n[UNITS * EACH];
        UNROLL_LOOP
        for (int j = 0; j < UNITS; j++) {
            const real *unit = room + ((link * UNITS + j) * SITES + at) * EACH;
            if constexpr (WHOLE) {
                float4 q = *(const float4 *)unit;
                n[4 * j] = q.x;
                n[4 * j + 1] = q.y;
                n[4 * j + 2] = q.z;
                n[4 * j + 3] = q.w;
            } else {
                double2 q = *(const double2 *)unit;
                n[2 * j] = q.x;
                n[2 * j + 1] = q.y;
            }
        }
        if constexpr (WHOLE) {
            su3 m;
            UNROLL_LOOP
            for (int k = 0; k < 9; k++) {
                m.e[k / 3][k % 3].re = n[2 * k];
                m.e[k / 3][k % 3].im = n[2 * k + 1];
            }
            return m;
        } else
            return link_of_numbers(LINK_12, n);
    }
};

/* K on the sums in shared memory, real[slab][6][SITES], in place: a thread has COLUMNS numbers of one chirality. */
template <int SITES>
static __device__ __forceinline__ void fifth_of_tile(real *sums, const rows *table, const fifth_table &k, int slices)
{
    enum { COLUMNS = 2, SLICE = SPINS * VECTOR_REALS * SITES, EACH = SLICE / COLUMNS / 2 };
    for (int task = (int)threadIdx.x; task < 2 * EACH; task += (int)blockDim.x) {
        const int c = task / EACH;
        const rows &t = table[c];
        const bool up = k.up[c];
        real *v = sums + c * (SLICE / 2) + task % EACH, w[COLUMNS], p[COLUMNS];
        UNROLL_LOOP
        for (int j = 0; j < COLUMNS; j++)
            w[j] = p[j] = 0;
        for (int s = 0; s < slices; s++) {
            const real g = t.g[s];
            UNROLL_LOOP
            for (int j = 0; j < COLUMNS; j++)
                w[j] = mad(g, v[s * SLICE + j * EACH], w[j]);
        }
        for (int i = 0; i < slices; i++) {
            const int s = up ? i : slices - 1 - i;
            const real d = t.d[s], e = t.e[s], h = t.h[s], a = t.a[s], r = t.r[s];
            UNROLL_LOOP
            for (int j = 0; j < COLUMNS; j++) {
                const real in = v[s * SLICE + j * EACH];
                real o = d * in;
                o = mad(e, p[j], o);
                o = mad(h, w[j], o);
                p[j] = mad(a, in, r * p[j]);
                v[s * SLICE + j * EACH] = o;
            }
        }
    }
}

template <class WAY, bool DAGGER, int MU>
static __device__ __forceinline__ void wall_direction(const real *links, int site_here, const hop_grid &g,
                                                      const hop_place &p, const vector_view *in, double boundary,
                                                      int slice, int slices, spinor *sum)
{
    enum { AHEAD_PLUS = DAGGER ? 1 : 0, BEHIND_PLUS = DAGGER ? 0 : 1, PAIR = WAY::PAIR };
    constexpr vector_format FORMAT = WAY::FORMAT;
    const int t = (int)(p.coordinates >> 48);
    const size_t slab = slab_bytes<FORMAT>(g.padded);
    const int up = hop_from(g, p, MU, 1), down = hop_from(g, p, MU, -1);
    const char *ahead = site_address<FORMAT>(in, up) + (size_t)(SPINS * slice) * slab;
    const char *behind = site_address<FORMAT>(in, down) + (size_t)(SPINS * slice) * slab;
    su3 m = tile_links<WAY::SITES>::get(links, 2 * MU, site_here);
    UNROLL_LOOP
    for (int i = 0; i < PAIR; i++)
        if (PAIR == 1 || slice + i < slices) {
            spinor v = spinor_at<FORMAT>(ahead + (size_t)(SPINS * i) * slab, slab, up % SITE_TILE);
            half_spinor h = half_spinor_carried(m, spinor_project(MU, AHEAD_PLUS, v));
            if (MU == 3 && t == g.extents[3] - 1)
                h = half_spinor_times((real)boundary, h);
            sum[i] = spinor_expand(MU, AHEAD_PLUS, h, sum[i]);
        }
    m = tile_links<WAY::SITES>::get(links, 2 * MU + 1, site_here);
    UNROLL_LOOP
    for (int i = 0; i < PAIR; i++)
        if (PAIR == 1 || slice + i < slices) {
            spinor v = spinor_at<FORMAT>(behind + (size_t)(SPINS * i) * slab, slab, down % SITE_TILE);
            half_spinor h = half_spinor_carried_back(m, spinor_project(MU, BEHIND_PLUS, v));
            if (MU == 3 && t == 0)
                h = half_spinor_times((real)boundary, h);
            sum[i] = spinor_expand(MU, BEHIND_PLUS, h, sum[i]);
        }
}

/* RUN x Z x T sites a block; THREADS at most; RESIDENT blocks are to share a multiprocessor. */
template <vector_format FORMAT_, int PAIR_, int RUN_, int Z_, int T_, int THREADS_, int RESIDENT_>
struct wall_way {
    static constexpr vector_format FORMAT = FORMAT_;
    enum { PAIR = PAIR_, RUN = RUN_, Z = Z_, T = T_, SITES = RUN_ * Z_ * T_, THREADS = THREADS_, RESIDENT = RESIDENT_ };

    static size_t shared_bytes(const fifth_table &k, int slices)
    {
        const size_t sums = k.diagonal ? 0 : (size_t)(slices * SPINS * VECTOR_REALS * SITES) * sizeof(real);
        return tile_links<SITES>::bytes + sums;
    }
    static int threads(int slices)
    {
        int groups = (slices + PAIR - 1) / PAIR, most = THREADS / SITES;
        int turns = (groups + most - 1) / most;              /* as equal as can be */
        return SITES * ((groups + turns - 1) / turns);
    }
    static hop_grid grid(const lattice_view *l, site_range range, int slices)
    {
        const size_t vector_bytes = FORMAT == VECTOR_NATIVE ? VECTOR_REALS * sizeof(real)
                                  : FORMAT == VECTOR_INT30 ? 4 * INT30_WORDS : 4 * HALF_WORDS;
        return hop_grid_for(l, range, hop_tile{ RUN, Z, T }, SPINS * (size_t)slices * vector_bytes);
    }
};

/* The block's links, to the beginning of `room`; to be followed by a barrier. */
template <class WAY>
static __device__ __forceinline__ void take_links(real *room, const gauge_view *u, const hop_grid &g)
{
    for (int i = (int)threadIdx.x; i < 8 * WAY::SITES; i += (int)blockDim.x) {
        const int link = i / WAY::SITES, at = i % WAY::SITES, mu = link / 2;
        const hop_place p = hop_place_of<WAY::RUN, WAY::Z, WAY::T>(g, at);
        if (p.there) {
            const int from = link % 2 ? hop_from(g, p, mu, -1) : p.index;
            tile_links<WAY::SITES>::put(room, link, at, load_link_as(LINK_12, u, counted_site(from), mu));
        }
    }
}

/* A vector of the block's sums in shared memory, of a site and slab. */
template <int SITES>
static __device__ __forceinline__ void put_sum(real *sums, int slab, int at, color_vector v)
{
    UNROLL_LOOP
    for (int j = 0; j < VECTOR_REALS; j++)
        sums[(slab * VECTOR_REALS + j) * SITES + at] = *component(&v, j);
}
template <int SITES>
static __device__ __forceinline__ color_vector sum_at(const real *sums, int slab, int at)
{
    color_vector v;
    UNROLL_LOOP
    for (int j = 0; j < VECTOR_REALS; j++)
        *component(&v, j) = sums[(slab * VECTOR_REALS + j) * SITES + at];
    return v;
}

/* What a hop does: out <- K S in + terms; where `turned` is not NULL, turned <- turn out. */
typedef struct {
    const vector_view *out, *in, *turned;
    const fifth_table *k, *turn;
    wall_terms terms;
    double boundary;
    int slices;
} tile_task;

/* On the block's sites; all its threads take part.  table, turn_table: the tables in shared memory. */
template <class WAY, bool DAGGER>
static __device__ __forceinline__ void wall_tile(const tile_task &task, const hop_grid &g, const real *links,
                                                 real *sums, const rows *table, const rows *turn_table)
{
    constexpr vector_format F = WAY::FORMAT;
    const fifth_table &k = *task.k;
    const wall_terms *terms = &task.terms;
    const int slices = task.slices;
    const int site_here = (int)threadIdx.x % WAY::SITES, group = (int)threadIdx.x / WAY::SITES;
    const int groups = (int)blockDim.x / WAY::SITES;
    const hop_place p = hop_place_of<WAY::RUN, WAY::Z, WAY::T>(g, site_here);
    for (int slice = WAY::PAIR * group; slice < slices && p.there; slice += WAY::PAIR * groups) {
        spinor sum[WAY::PAIR];
        UNROLL_LOOP
        for (int i = 0; i < WAY::PAIR; i++)
            sum[i] = spinor_zero();
        wall_direction<WAY, DAGGER, 0>(links, site_here, g, p, task.in, task.boundary, slice, slices, sum);
        wall_direction<WAY, DAGGER, 1>(links, site_here, g, p, task.in, task.boundary, slice, slices, sum);
        wall_direction<WAY, DAGGER, 2>(links, site_here, g, p, task.in, task.boundary, slice, slices, sum);
        wall_direction<WAY, DAGGER, 3>(links, site_here, g, p, task.in, task.boundary, slice, slices, sum);
        UNROLL_LOOP
        for (int i = 0; i < WAY::PAIR; i++) {
            const int s = slice + i;
            if (WAY::PAIR > 1 && s >= slices)
                continue;
            UNROLL_LOOP
            for (int spin = 0; spin < SPINS; spin++) {
                const int slab = SPINS * s + spin;
                if (k.diagonal) {
                    const site here = counted_site(p.index + slab * g.padded);
                    color_vector o = vector_scale((scalar)k.d[spin / 2][s], sum[i].s[spin]);
                    store_with_terms(F, task.out, terms, o, here);
                } else
                    put_sum<WAY::SITES>(sums, slab, site_here, sum[i].s[spin]);
            }
        }
    }
    if (k.diagonal)
        return;
    __syncthreads();
    fifth_of_tile<WAY::SITES>(sums, table, k, slices);
    __syncthreads();
    for (int slab = group; slab < SPINS * slices && p.there; slab += groups) {
        const site here = counted_site(p.index + slab * g.padded);
        color_vector o = store_with_terms(F, task.out, terms, sum_at<WAY::SITES>(sums, slab, site_here), here);
        if (task.turned)
            put_sum<WAY::SITES>(sums, slab, site_here, o);
    }
    if (!task.turned)
        return;
    __syncthreads();
    fifth_of_tile<WAY::SITES>(sums, turn_table, *task.turn, slices);
    __syncthreads();
    for (int slab = group; slab < SPINS * slices && p.there; slab += groups)
        store_vector_as(F, task.turned, counted_site(p.index + slab * g.padded),
                        sum_at<WAY::SITES>(sums, slab, site_here));
}

template <class WAY>
static __device__ __forceinline__ real *sums_in(double2 *room)
{
    return (real *)room + tile_links<WAY::SITES>::bytes / sizeof(real);
}

template <class WAY, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
wall_on_tiles(const __grid_constant__ wall_hop_args a, const __grid_constant__ hop_grid g)
{
    extern __shared__ double2 room[];
    __shared__ rows table[2];
    tile_task task = {};
    task.out = &a.out;
    task.in = &a.in;
    task.k = &a.k;
    task.terms.y = &a.y;
    task.terms.z = &a.z;
    task.terms.a = a.a;
    task.terms.b = a.b;
    task.boundary = a.boundary;
    task.slices = a.slices;
    if (!a.k.diagonal)
        take_table(table, a.k, a.slices);
    take_links<WAY>((real *)room, &a.u, g);
    __syncthreads();
    wall_tile<WAY, DAGGER>(task, g, (real *)room, sums_in<WAY>(room), table, table);
}

static __device__ __forceinline__ tile_task task_of_system(const wall_batch_hop_args &a, int n)
{
    tile_task task = {};
    task.out = &a.out[n];
    task.in = &a.in[n];
    task.k = &a.k;
    task.terms.y = &a.y[n];
    task.terms.z = &a.z[n];
    task.terms.a = a.a;
    task.terms.b = a.with_shift ? a.b.state->system[a.b.number[n]].shift : 0;
    task.boundary = a.boundary;
    task.slices = a.slices;
    return task;
}

template <class WAY, bool DAGGER>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
wall_batch_on_tiles(const __grid_constant__ wall_batch_hop_args a, const __grid_constant__ hop_grid g)
{
    extern __shared__ double2 room[];
    __shared__ rows table[2], turn_table[2];
    if (!a.b.state->going)
        return;
    if (!a.k.diagonal)
        take_table(table, a.k, a.slices);
    if (a.turns)
        take_table(turn_table, a.turn, a.slices);
    take_links<WAY>((real *)room, &a.u, g);
    for (int n = 0; n < a.b.count; n++) {
        tile_task task = task_of_system(a, n);
        if (a.turns) {
            task.turned = &a.turned[n];
            task.turn = &a.turn;
        }
        __syncthreads();
        wall_tile<WAY, DAGGER>(task, g, (real *)room, sums_in<WAY>(room), table, turn_table);
    }
}

/* What shared memory holds beside links and sums: two tables, each for two chiralities. */
enum { TABLE_BYTES = 2 * 2 * sizeof(rows) };

static inline size_t device_bytes(cudaDeviceAttr of)
{
    int device = 0, bytes = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&bytes, of, device);
    return (size_t)bytes;
}

/* Whether a lattice has tiles, and the sums of all slices fit shared memory. */
template <class WAY>
static bool wall_fits(const lattice_view *l, const fifth_table &k, int slices)
{
    return tiles_fit(l)
           && WAY::shared_bytes(k, slices) + TABLE_BYTES <= device_bytes(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

/* Of what L1 cache and shared memory have between them, the latter gets what the resident blocks need, and no more;
 * SYSTEM_BYTES a block are the driver's. */
enum { SYSTEM_BYTES = 1024 };
template <class ARGS>
static void launch_wall_kernel(void (*kernel)(const ARGS, const hop_grid), dim3 blocks, int threads, size_t shared,
                               int resident, void *stream, const ARGS *a, const hop_grid &g)
{
    const size_t all = device_bytes(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    const int percent = (int)(100 * (size_t)resident * (shared + TABLE_BYTES + SYSTEM_BYTES) / all) + 1;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent < 100 ? percent : 100);
    kernel<<<blocks, threads, shared, (cudaStream_t)stream>>>(*a, g);
}

template <class WAY>
static void launch_wall(const void *args, site_range range, void *stream)
{
    const wall_hop_args *a = (const wall_hop_args *)args;
    const hop_grid g = WAY::grid(&a->l, range, a->slices);
    launch_wall_kernel(a->dagger ? wall_on_tiles<WAY, true> : wall_on_tiles<WAY, false>, g.blocks,
                       WAY::threads(a->slices), WAY::shared_bytes(a->k, a->slices), WAY::RESIDENT, stream, a, g);
}

template <class WAY>
static void launch_wall_batch(const void *args, site_range range, void *stream)
{
    const wall_batch_hop_args *a = (const wall_batch_hop_args *)args;
    const hop_grid g = WAY::grid(&a->l, range, a->slices);
    launch_wall_kernel(a->dagger ? wall_batch_on_tiles<WAY, true> : wall_batch_on_tiles<WAY, false>, g.blocks,
                       WAY::threads(a->slices), WAY::shared_bytes(a->k, a->slices), WAY::RESIDENT, stream, a, g);
}

#endif
