/* coarse_hop.cu - the product of src/kernels/mg_hat.c with preconditioned hops of multigrid, with the same bits: a warp
 * for each direction of 32 coarse sites and three rows.
 *
 * There are too few coarse sites to hide the latency of memory if a thread adds all directions: on an H200 a hop on
 * 6^3x12 with 48 components took 70.5 us with a thread for each row of a site, and 31.4 us with a warp for each
 * direction (docs/solvers.md). */
#define OVER_SLABS
#include "src/kernels/mg_hat_site.h"

enum { WARP = 32, DIRECTIONS = MG_DIAGONAL };
enum { BLOCKS = 5 };                       /* resident on a multiprocessor: it limits the registers of a thread */

static __global__ void __launch_bounds__(DIRECTIONS * WARP, BLOCKS)
hop_by_directions(const __grid_constant__ mg_hat_hop_args a, const __grid_constant__ site_range range)
{
    __shared__ real term[DIRECTIONS][2 * HAT_ROWS][WARP];
    const int lane = threadIdx.x % WARP, direction = threadIdx.x / WARP, i = blockIdx.x * WARP + lane;
    const int row = HAT_ROWS * blockIdx.y;
    const bool here = i < range.sites;
    const site x = in_first_slab(site_of_range(range, here ? i : 0));
    const color_vector own = hat_term(&a, direction, row, x);
    for (int r = 0; r < HAT_ROWS; r++) {
        term[direction][2 * r][lane] = own.c[r].re;
        term[direction][2 * r + 1][lane] = own.c[r].im;
    }
    __syncthreads();
    if (direction > 0 || !here)
        return;
    color_vector sum = vector_zero();
    for (int d = 0; d < DIRECTIONS; d++) {
        color_vector next;
        for (int r = 0; r < HAT_ROWS; r++) {
            next.c[r].re = term[d][2 * r][lane];
            next.c[r].im = term[d][2 * r + 1][lane];
        }
        sum = vector_axpy(1, next, sum);
    }
    store_hat_sum(&a, row, x, sum);
}

extern "C" void K(mg_hat_hop_tuned)(const void *args, site_range range, void *stream)
{
    const mg_hat_hop_args *a = (const mg_hat_hop_args *)args;
    const dim3 blocks((unsigned)(range.sites + WARP - 1) / WARP, (unsigned)range.parts);
    hop_by_directions<<<blocks, DIRECTIONS * WARP, 0, (cudaStream_t)stream>>>(*a, range);
}
