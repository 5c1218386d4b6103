/* momentum_norms_plain.cu - the sum of kernels/momentum_norms.c in plain double arithmetic: the cost of the exact sum
 * is measured against it, and nothing else uses it.
 *
 * The same terms are added as doubles over thread, warp and block, then by an atomic; the last digits differ from
 * launch to launch.  The cells contain the bits of doubles; the sum is in the first word. */
#include "src/kernels/args.h"
#include "src/site/site.h"

static __global__ void __launch_bounds__(SITE_BLOCK) plain_norms(const __grid_constant__ momentum_args a,
                                                                 const __grid_constant__ site_range range,
                                                                 sum_cells cells)
{
    __shared__ double warp_sum[SITE_BLOCK / 32], warp_largest[SITE_BLOCK / 32];
    double sum = 0, largest = 0;
    for (int i = blockIdx.x * SITE_BLOCK + threadIdx.x; i < range_size(range); i += gridDim.x * SITE_BLOCK)
        for (int mu = 0; mu < 4; mu++) {
            double norm2 = algebra_norm2(load_algebra(&a.y, site_of_range(range, i), mu));
            sum += norm2;
            largest = fmax(norm2, largest);
        }
    for (int half = 16; half > 0; half /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, half);
        largest = fmax(__shfl_down_sync(0xffffffffu, largest, half), largest);
    }
    if (threadIdx.x % 32 == 0) {
        warp_sum[threadIdx.x / 32] = sum;
        warp_largest[threadIdx.x / 32] = largest;
    }
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int w = 1; w < SITE_BLOCK / 32; w++) {
        sum += warp_sum[w];
        largest = fmax(warp_largest[w], largest);
    }
    atomicAdd((double *)&cells.sum->word[0], sum);
    atomicMax(&cells.largest->bits, bits_of(largest));
}

extern "C" void K(momentum_norms_plain)(const void *args, site_range range, void *stream, double per_bound,
                                        sum_cells cells)
{
    int blocks = sum_blocks((const void *)plain_norms, SITE_BLOCK, range_size(range));
    (void)per_bound;
    plain_norms<<<blocks, SITE_BLOCK, 0, (cudaStream_t)stream>>>(*(const momentum_args *)args, range, cells);
}
