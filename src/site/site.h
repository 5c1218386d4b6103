/* site.h - run a kernel, written for one site, over the sites of a range.
 *
 *     SITE_MAP(name, args_type, a, x) { ... }
 * defines K(name)(args, range, stream): the body runs once for every site x and writes fields.
 *
 *     SITE_SUM(name, sums, maxima, args_type, a, x, s) { s[0] = ...; }
 * defines K(name)(args, range, stream, per_bound, cells): the body may write fields too, and fills
 * s[0 .. sums-1] with terms to be summed (exact_sum.h) and s[sums .. sums+maxima-1] with numbers >= 0
 * whose maximum is wanted; both are merged into cells[0 .. sums+maxima-1], which the caller has zeroed
 * (or not, to accumulate).  The result does not depend on threads, blocks or the order of anything.
 *
 * On the CPU the body runs for LANES sites at once; lanes beyond the last site of a parity work on
 * padding and are left out of the sums. */
#ifndef KILN_SITE_SITE_H
#define KILN_SITE_SITE_H

#include "src/site/exact_sum.h"
#include "src/site/load.h"

#ifdef __CUDACC__

#ifndef SITE_BLOCK
#define SITE_BLOCK 128                    /* threads a block */
#endif

/* The i-th site of a range. */
static __device__ __forceinline__ site site_of_range(const site_range &r, int i)
{
    int part = r.parts > 2 ? i / r.sites : i >= r.sites;
    return site_in_slab(site_at(r.first + part * r.step + i - part * r.sites), part * r.slab_step);
}

/* Blocks for a sum over `sites`: as many as are on the device at once, and equally many sites for each. */
static inline int sum_blocks(const void *kernel, int threads, int sites)
{
    int device = 0, processors = 1, resident = 1, needed = (sites + threads - 1) / threads;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0);
    int rounds = (needed + processors * resident - 1) / (processors * resident);
    return (needed + rounds - 1) / rounds;
}

/* Merge one cell a thread over the block, then into *global. */
static __device__ __forceinline__ void block_merge(sum_cell cell, bool is_sum, sum_cell *global)
{
    __shared__ sum_cell warp_cell[32];
    for (int half = 16; half > 0; half /= 2) {
        sum_cell other;
        for (int i = 0; i < (is_sum ? 3 : 1); i++)
            other.word[i] = __shfl_down_sync(0xffffffffu, cell.word[i], half);
        other.refused = 0;
        if (is_sum)
            sum_cell_merge(&cell, &other);
        else
            max_cell_merge(&cell, &other);
    }
    int refused = __syncthreads_count(cell.refused > 0);      /* also: warp_cell is free again */
    if (threadIdx.x % 32 == 0)
        warp_cell[threadIdx.x / 32] = cell;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int w = 1; w < (int)(blockDim.x + 31) / 32; w++) {
        warp_cell[w].refused = 0;
        if (is_sum)
            sum_cell_merge(&cell, &warp_cell[w]);
        else
            max_cell_merge(&cell, &warp_cell[w]);
    }
    if (is_sum)
        for (int i = 0; i < 3; i++)
            atomicAdd((unsigned long long *)&global->word[i], (unsigned long long)cell.word[i]);
    else
        atomicMax(&global->word[0], cell.word[0]);
    if (refused)
        atomicAdd((unsigned long long *)&global->refused, (unsigned long long)refused);
}

#define SITE_MAP(name, args_type, a, here)                                                                             \
    SITE_FN void name##_site(const args_type *a, site here);                                                           \
    static __global__ void __launch_bounds__(SITE_BLOCK) name##_all(const __grid_constant__ args_type a,               \
                                                                    const __grid_constant__ site_range range)          \
    {                                                                                                                  \
        int i = blockIdx.x * SITE_BLOCK + threadIdx.x;                                                                 \
        if (i < range_size(range))                                                                                     \
            name##_site(&a, site_of_range(range, i));                                                                  \
    }                                                                                                                  \
    extern "C" void K(name)(const void *args, site_range range, void *stream)                                          \
    {                                                                                                                  \
        int blocks = (range_size(range) + SITE_BLOCK - 1) / SITE_BLOCK;                                                \
        name##_all<<<blocks, SITE_BLOCK, 0, (cudaStream_t)stream>>>(*(const args_type *)args, range);                  \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site here)

#define SITE_SUM(name, sums, maxima, args_type, a, here, s)                                                            \
    SITE_FN void name##_site(const args_type *a, site here, real *s);                                                  \
    static __global__ void __launch_bounds__(SITE_BLOCK) name##_all(const __grid_constant__ args_type a,               \
                                                                    const __grid_constant__ site_range range,          \
                                                                    double per_bound, sum_cell *cells)                 \
    {                                                                                                                  \
        sum_cell mine[(sums) + (maxima)] = {};                                                                         \
        for (int i = blockIdx.x * SITE_BLOCK + threadIdx.x; i < range_size(range);                                     \
             i += gridDim.x * SITE_BLOCK) {                                                                            \
            real s[(sums) + (maxima)];                                                                                 \
            name##_site(&a, site_of_range(range, i), s);                                                               \
            _Pragma("unroll")                                                                                          \
            for (int n = 0; n < (sums); n++)                                                                           \
                sum_cell_add(&mine[n], (double)s[n], per_bound);                                                       \
            _Pragma("unroll")                                                                                          \
            for (int n = (sums); n < (sums) + (maxima); n++)                                                           \
                max_cell_add(&mine[n], (double)s[n]);                                                                  \
        }                                                                                                              \
        _Pragma("unroll")                                                                                              \
        for (int n = 0; n < (sums) + (maxima); n++)                                                                    \
            block_merge(mine[n], n < (sums), &cells[n]);                                                               \
    }                                                                                                                  \
    extern "C" void K(name)(const void *args, site_range range, void *stream, double per_bound, sum_cell *cells)       \
    {                                                                                                                  \
        int blocks = sum_blocks((const void *)name##_all, SITE_BLOCK, range_size(range));                              \
        name##_all<<<blocks, SITE_BLOCK, 0, (cudaStream_t)stream>>>(*(const args_type *)args, range, per_bound,        \
                                                                    cells);                                            \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site here, real *s)

#else

/* Groups of LANES sites in a part of a range and in all of it; the g-th of these, and how many are not padding. */
static inline int part_groups(site_range r) { return (r.sites + LANES - 1) / LANES; }
static inline int range_groups(site_range r) { return r.parts * part_groups(r); }
SITE_FN site range_group(site_range r, int g)
{
    int groups = part_groups(r), part = g / groups;
    return site_in_slab(site_at(r.first + part * r.step + g % groups * LANES), part * r.slab_step);
}
static inline int range_group_size(site_range r, int g)
{
    int left = r.sites - g % part_groups(r) * LANES;
    return left < LANES ? left : LANES;
}

#define SITE_MAP(name, args_type, a, x)                                                                                \
    SITE_FN void name##_site(const args_type *a, site x);                                                              \
    void K(name)(const void *args, site_range range, void *stream);                                                    \
    void K(name)(const void *args, site_range range, void *stream)                                                     \
    {                                                                                                                  \
        (void)stream;                                                                                                  \
        _Pragma("omp parallel for schedule(static)")                                                                   \
        for (int g = 0; g < range_groups(range); g++)                                                                  \
            name##_site((const args_type *)args, range_group(range, g));                                               \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site x)

#define SITE_SUM(name, sums, maxima, args_type, a, x, s)                                                               \
    SITE_FN void name##_site(const args_type *a, site x, real *s);                                                     \
    void K(name)(const void *args, site_range range, void *stream, double per_bound, sum_cell *cells);                 \
    void K(name)(const void *args, site_range range, void *stream, double per_bound, sum_cell *cells)                  \
    {                                                                                                                  \
        (void)stream;                                                                                                  \
        _Pragma("omp parallel")                                                                                        \
        {                                                                                                              \
            sum_cell mine[(sums) + (maxima)];                                                                          \
            memset(mine, 0, sizeof mine);                                                                              \
            _Pragma("omp for schedule(static)")                                                                        \
            for (int g = 0; g < range_groups(range); g++) {                                                            \
                real s[(sums) + (maxima)];                                                                             \
                int size = range_group_size(range, g);                                                                 \
                name##_site((const args_type *)args, range_group(range, g), s);                                        \
                for (int n = 0; n < (sums) + (maxima); n++)                                                            \
                    for (int lane = 0; lane < size; lane++) {                                                          \
                        if (n < (sums))                                                                                \
                            sum_cell_add(&mine[n], (double)lane_of(s[n], lane), per_bound);                            \
                        else                                                                                           \
                            max_cell_add(&mine[n], (double)lane_of(s[n], lane));                                       \
                    }                                                                                                  \
            }                                                                                                          \
            _Pragma("omp critical")                                                                                    \
            for (int n = 0; n < (sums) + (maxima); n++) {                                                              \
                if (n < (sums))                                                                                        \
                    sum_cell_merge(&cells[n], &mine[n]);                                                               \
                else                                                                                                   \
                    max_cell_merge(&cells[n], &mine[n]);                                                               \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site x, real *s)

#endif

#endif
