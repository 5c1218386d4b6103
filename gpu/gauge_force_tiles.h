/* gauge_force_tiles.h - the gauge force on tiles, one thread for each link of the tile: a template that
 * gauge_force.cu instantiates, and gpu/bench/gauge_force_ladder.cu with other numbers. */
#ifndef KILN_GPU_GAUGE_FORCE_TILES_H
#define KILN_GPU_GAUGE_FORCE_TILES_H

#include "gpu/tiles.h"
#include "src/kernels/gauge_staples.h"

typedef enum { PLAQUETTES, RECTANGLES, PARALLELOGRAMS } loops;

/* Steps that a loop reaches from the links of its tile. */
static inline int reach_of(loops l)
{
    return l == PLAQUETTES ? 1 : 2;
}

/* The four links of a site work in step on the planes that staple_direction gives them: links mu and nu on one plane,
 * which finds both in the L1 cache.  SITES a tile, 4 SITES threads a block, at least MIN_BLOCKS of them resident. */
template <loops LOOPS, int SITES, int MIN_BLOCKS>
static __global__ void __launch_bounds__(4 * SITES, MIN_BLOCKS) force_on_tiles(const __grid_constant__ gauge_force_args f,
                                                                               const __grid_constant__ tiling tiles,
                                                                               double per_bound, sum_cell *cells)
{
    __shared__ real norm2_of[4][SITES];
    int i = threadIdx.x % SITES, mu = threadIdx.x / SITES;
    int index = tile_site(tiles, f.l, blockIdx.x, i);
    site x = site_at(index < 0 ? 0 : index), x_mu = site_up(&f.l, x, mu);
    su3 staples = su3_zero();
    KEEP_LOOP
    for (int n = 0; n < STAPLES; n++) {
        int nu = staple_direction(mu, n);
        site x_nu = site_step(&f.l, x, nu);
        if (LOOPS == PLAQUETTES)
            staples = su3_axpy((scalar)f.plaquette, plaquette_staple(&f, x_mu, x_nu, mu, nu), staples);
        else
            staples = su3_axpy(1, rectangle_staples(&f, x_mu, x_nu, mu, nu), staples);
        if (LOOPS == PARALLELOGRAMS)
            staples = su3_axpy((scalar)f.parallelogram, parallelogram_staples(&f, x, x_mu, mu, nu), staples);
        __syncthreads();
    }
    algebra minus_force = algebra_part(su3_mul(load_link(&f.u, x, mu), staples));
    norm2_of[mu][i] = algebra_norm2(minus_force);
    if (index >= 0)
        store_algebra(&f.p, x, mu, algebra_axpy((scalar)-f.weight, minus_force, load_algebra(&f.p, x, mu)));
    __syncthreads();

    sum_cell sum = {}, largest = {};
    if (index >= 0 && mu == 0) {
        real s[2] = { 0, 0 };
        for (int nu = 0; nu < 4; nu++) {
            s[0] += norm2_of[nu][i];
            s[1] = choose(is_above(norm2_of[nu][i], s[1]), norm2_of[nu][i], s[1]);
        }
        sum_cell_add(&sum, (double)s[0], per_bound);
        max_cell_add(&largest, (double)s[1]);
    }
    block_merge(sum, true, &cells[0]);
    block_merge(largest, false, &cells[1]);
}

template <loops LOOPS, int SITES, int MIN_BLOCKS>
static void launch_force(const gauge_force_args *f, void *stream, double per_bound, sum_cell *cells)
{
    tiling t = tile_lattice(&f->l, SITES, reach_of(LOOPS), sizeof(real));
    force_on_tiles<LOOPS, SITES, MIN_BLOCKS><<<t.blocks, 4 * SITES, 0, (cudaStream_t)stream>>>(*f, t, per_bound, cells);
}

#endif
