/* gauge_force_tiles.h - the gauge force on tiles: templates that gauge_force.cu instantiates, and
 * gpu/bench/gauge_force_ladder.cu with other parameters.
 *
 * RUN, Z and T are the shape of a tile.  IN_STEP keeps the warps of a block together, on the same links.  MIN_BLOCKS is
 * the number of resident blocks of a multiprocessor, which sets the registers of a thread. */
#ifndef KILN_GPU_GAUGE_FORCE_TILES_H
#define KILN_GPU_GAUGE_FORCE_TILES_H

#include "gpu/tiles.h"
#include "src/kernels/gauge_staples.h"

typedef struct {
    tile_shape tile;
    int runs, z, t;           /* tiles along x and y, in z, in t; the last may extend beyond the lattice */
    int slab_runs, slab_z;    /* tiles of a slab along x and y, and in z, for each slice in t */
    int blocks;
} tiling;

/* Links of one slice in t of a slab: several slices are in use at once and should fit the L2 cache. */
enum { SLICE_LINK_BYTES = 5 << 20 };

static inline tiling tile_lattice(const lattice_view *l, tile_shape tile, size_t real_bytes)
{
    int row = l->local[0], rows = (int)(SLICE_LINK_BYTES / (4 * LINK_REALS * real_bytes) / (size_t)row), side = 1;
    tiling t = {};
    while ((side + 1) * (side + 1) <= rows)
        side++;
    t.tile = tile;
    t.runs = divide_up(slice_sites(*l), tile.run);
    t.z = divide_up(l->local[2], tile.z);
    t.t = divide_up(l->local[3], tile.t);
    t.slab_runs = divide_up(t.runs, divide_up(l->local[1], side));
    t.slab_z = divide_up(t.z, divide_up(l->local[2], side));
    t.blocks = t.runs * t.z * t.t;
    return t;
}

/* The i-th site of a tile: even sites before odd ones; among them the run is fastest, then z, then t.  -1 for sites
 * beyond the lattice. */
static __device__ __forceinline__ int site_in_tile(const tiling &tiles, const lattice_view &l, int block, int i)
{
    const tile_shape &s = tiles.tile;
    int each = s.run * s.z * s.t, parity = i / each;
    i %= each;

    /* Block numbers count, from the slowest: slabs in z, slabs along x and y, tiles in t; in a slab, tiles in z, then
     * along x and y.  The last slab of a direction may be narrower. */
    int z_slab = tiles.runs * tiles.slab_z * tiles.t;
    int z = block / z_slab * tiles.slab_z, slab_z = min(tiles.slab_z, tiles.z - z);
    block %= z_slab;
    int slab = tiles.slab_runs * slab_z * tiles.t;
    int run = block / slab * tiles.slab_runs, slab_runs = min(tiles.slab_runs, tiles.runs - run);
    block %= slab;
    run += block % slab_runs;
    z += block / slab_runs % slab_z;
    int t = block / slab_runs / slab_z;

    int slice = slice_sites(l), at = run * s.run + i % s.run;
    z = z * s.z + i / s.run % s.z;
    t = t * s.t + i / s.run / s.z;
    return is_in_slice(l, slice, at, z, t) ? site_of_parity(&l, parity, number_in_parity(l, slice, at, z, t)) : -1;
}

/* P <- P + weight F for one link; returns Tr F^+F. */
static __device__ __forceinline__ real kick_link(const gauge_force_args *f, int index, int mu, const su3 &staples)
{
    site x = site_at(index < 0 ? 0 : index);
    algebra minus_force = algebra_part(su3_mul(load_link(&f->u, x, mu), staples));
    if (index >= 0)
        store_algebra(&f->p, x, mu, algebra_axpy((scalar)-f->weight, minus_force, load_algebra(&f->p, x, mu)));
    return algebra_norm2(minus_force);
}

/* Adds the size of the force, site by site as in kernels/gauge_force.c.  Threads with index < 0 have no site. */
static __device__ __forceinline__ void merge_sizes(const real *norm2_of, int stride, int index, double per_bound,
                                                   sum_cells cells)
{
    sum_cell sum = {};
    max_cell largest = {};
    if (index >= 0) {
        real s[2] = { 0, 0 };
        for (int mu = 0; mu < 4; mu++) {
            real norm2 = norm2_of[mu * stride];
            s[0] += norm2;
            s[1] = larger_or_nan(norm2, s[1]);
        }
        sum_cell_add(&sum, (double)s[0], per_bound);
        max_cell_add(&largest, (double)s[1]);
    }
    block_merge(sum, cells.sum);
    block_merge(largest, cells.largest);
}

/* One thread for each link of the tile; links mu and nu work on the same plane at the same time. */
template <loops LOOPS, int RUN, int Z, int T, bool IN_STEP>
struct by_links {
    enum { SITES = 2 * RUN * Z * T, THREADS = 4 * SITES, SHARED = 4 * SITES * sizeof(real) };

    static __device__ __forceinline__ void body(const gauge_force_args &f, const tiling &tiles, double per_bound,
                                                sum_cells cells, real *shared)
    {
        int i = threadIdx.x % SITES, mu = axis_of(threadIdx.x / SITES), index = site_in_tile(tiles, f.l, blockIdx.x, i);
        site x = site_at(index < 0 ? 0 : index), x_mu = site_up(&f.l, x, mu);
        su3 staples = su3_zero();
        KEEP_LOOP
        for (int step = 0; step < STEPS; step++) {
            int nu = staple_axis(mu, step);
            staples = add_staples(&f, LOOPS, x, x_mu, mu, nu, staples);
            if (IN_STEP)
                __syncthreads();
            staples = add_staples(&f, LOOPS, x, x_mu, mu, nu | BACKWARD, staples);
            if (IN_STEP)
                __syncthreads();
        }
        shared[mu * SITES + i] = kick_link(&f, index, mu, staples);
        __syncthreads();
        merge_sizes(shared + i, SITES, mu == 0 ? index : -1, per_bound, cells);
    }
};

/* One plane at a time, with one thread for each of the two links of a site in it; the partial sums of the staples of
 * the four links are kept in shared memory. */
template <loops LOOPS, int RUN, int Z, int T, bool IN_STEP>
struct by_planes {
    enum { SITES = 2 * RUN * Z * T, THREADS = 2 * SITES, SHARED = 4 * (1 + LINK_REALS) * SITES * sizeof(real) };

    static __device__ __forceinline__ void body(const gauge_force_args &f, const tiling &tiles, double per_bound,
                                                sum_cells cells, real *shared)
    {
        int i = threadIdx.x % SITES, second = threadIdx.x / SITES, index = site_in_tile(tiles, f.l, blockIdx.x, i);
        site x = site_at(index < 0 ? 0 : index);
        KEEP_LOOP
        for (int plane = 0; plane < 6; plane++) {
            int step = plane / 2, first = plane % 2 == 0 ? 0 : step == 0 ? 2 : 1;
            int mu = second ? staple_axis(first, step) : first, nu = staple_axis(mu, step);
            real *waiting = shared + (size_t)mu * LINK_REALS * SITES + i;
            site x_mu = site_up(&f.l, x, mu);
            su3 staples = su3_zero();
            if (step > 0)
                for (int e = 0; e < 9; e++) {
                    staples.e[e / 3][e % 3].re = waiting[2 * e * SITES];
                    staples.e[e / 3][e % 3].im = waiting[(2 * e + 1) * SITES];
                }
            staples = add_staples(&f, LOOPS, x, x_mu, mu, nu, staples);
            if (IN_STEP)
                __syncthreads();
            staples = add_staples(&f, LOOPS, x, x_mu, mu, nu | BACKWARD, staples);
            if (step < STEPS - 1)
                for (int e = 0; e < 9; e++) {
                    waiting[2 * e * SITES] = staples.e[e / 3][e % 3].re;
                    waiting[(2 * e + 1) * SITES] = staples.e[e / 3][e % 3].im;
                }
            else
                shared[(4 * LINK_REALS + mu) * SITES + i] = kick_link(&f, index, mu, staples);
            __syncthreads();
        }
        merge_sizes(shared + 4 * LINK_REALS * SITES + i, SITES, second ? -1 : index, per_bound, cells);
    }
};

template <class WAY, int MIN_BLOCKS>
static __global__ void __launch_bounds__(WAY::THREADS, MIN_BLOCKS)
force_on_tiles(const __grid_constant__ gauge_force_args f, const __grid_constant__ tiling tiles, double per_bound,
               sum_cells cells)
{
    extern __shared__ real shared[];
    WAY::body(f, tiles, per_bound, cells, shared);
}

template <template <loops, int, int, int, bool> class WAY, loops LOOPS, int RUN, int Z, int T, bool IN_STEP,
          int MIN_BLOCKS>
static void launch_force(const void *args, site_range, void *stream, double per_bound, sum_cells cells)
{
    typedef WAY<LOOPS, RUN, Z, T, IN_STEP> way;
    const gauge_force_args *f = (const gauge_force_args *)args;
    tiling t = tile_lattice(&f->l, tile_shape{ RUN, Z, T }, sizeof(real));
    auto kernel = force_on_tiles<way, MIN_BLOCKS>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, way::SHARED);
    kernel<<<t.blocks, way::THREADS, way::SHARED, (cudaStream_t)stream>>>(*f, t, per_bound, cells);
}

#endif
