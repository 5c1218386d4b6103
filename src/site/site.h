/* site.h - run a kernel, written for one site, over the sites of a range.
 *
 *     SITE_MAP(name, args_type, a, x) { ... }
 * defines K(name)(args, range, stream): the body runs once for every site x and writes fields.
 *
 *     SITE_SUM(name, sums, maxima, args_type, a, x, s) { s[0] = ...; }
 * defines K(name)(args, range, stream, per_bound, cells): the body may write fields too, and fills
 * s[0 .. sums-1] with terms to be summed (exact_sum.h) and s[sums .. sums+maxima-1] with numbers >= 0
 * whose maximum is wanted; they are merged into cells.sum[0 .. sums-1] and cells.largest[0 .. maxima-1],
 * which the caller has zeroed (or not, to accumulate).  The value of a cell does not depend on threads, blocks or
 * order; its words do, until they are in normal form.
 *
 * A file of kernels that run over ranges of several slabs defines OVER_SLABS first; in all others sites are in slab 0.
 *
 * On the CPU the body runs for LANES sites at once; lanes beyond the last site of a parity work on
 * padding and are left out of the sums. */
#ifndef KILN_SITE_SITE_H
#define KILN_SITE_SITE_H

#include "src/site/exact_sum.h"
#include "src/site/load.h"

/* The site of an index in a part of a range. */
SITE_FN site site_of_part(site_range r, int part, int index)
{
    site x = site_at(index);
    (void)r, (void)part;
#ifdef OVER_SLABS
    x.before = part * r.slab_sites;
#endif
    return x;
}

#ifdef __CUDACC__

#ifndef SITE_BLOCK
#define SITE_BLOCK 128                    /* threads a block */
#endif

/* Blocks per multiprocessor; 0: the compiler decides.  A file of kernels that wait for memory states the smallest
 * sufficient number, so that the compiler may give each thread more registers, for more loads at the same time. */
#ifndef SITE_RESIDENT
#define SITE_RESIDENT 0
#endif

/* The i-th site of a range. */
static __device__ __forceinline__ site site_of_range(const site_range &r, int i)
{
    int part = r.parts > 2 ? i / r.sites : i >= r.sites;
    return site_of_part(r, part, r.first + part * r.step + i - part * r.sites);
}

/* Blocks for a sum over `sites`: as many as are on the device at once, and equally many sites for each, at most
 * SUM_TERMS.  All blocks add to the same words, one after another: SUM_RESIDENT on a multiprocessor are enough. */
enum { SUM_RESIDENT = 12 };
static inline int sum_blocks(const void *kernel, int threads, int sites)
{
    int device = 0, processors = 1, resident = 1, needed = (sites - 1) / threads + 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0);
    resident = resident < SUM_RESIDENT ? resident : SUM_RESIDENT;
    int rounds = (needed - 1) / (processors * resident) + 1, most = SUM_TERMS / threads;
    rounds = rounds < most ? rounds : most;
    return (needed + rounds - 1) / rounds;
}

/* Room for the words of a cell of each warp: one for all that a block merges. */
static __device__ __forceinline__ long long (*words_of_warps())[3]
{
    __shared__ long long word[32][3];
    return word;
}

/* Merge one cell a thread over the block, then into *global. */
static __device__ __forceinline__ void block_merge(sum_cell cell, sum_cell *global)
{
    long long(*of_warp)[3] = words_of_warps();
    for (int half = 16; half > 0; half /= 2)
        for (int i = 0; i < 3; i++)
            cell.word[i] += __shfl_down_sync(0xffffffffu, cell.word[i], half);
    int refused = __syncthreads_count(cell.refused > 0);      /* also: of_warp is free again */
    for (int i = 0; i < 3 && threadIdx.x % 32 == 0; i++)
        of_warp[threadIdx.x / 32][i] = cell.word[i];
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int w = 1; w < (int)(blockDim.x + 31) / 32; w++)
        for (int i = 0; i < 3; i++)
            cell.word[i] += of_warp[w][i];
    sum_cell_carry(&cell);
    for (int i = 0; i < 3; i++)
        atomicAdd((unsigned long long *)&global->word[i], (unsigned long long)cell.word[i]);
    if (refused)
        atomicAdd((unsigned long long *)&global->refused, (unsigned long long)refused);
}

static __device__ __forceinline__ void block_merge(max_cell cell, max_cell *global)
{
    long long(*of_warp)[3] = words_of_warps();
    for (int half = 16; half > 0; half /= 2)
        max_cell_merge(&cell, max_cell{ __shfl_down_sync(0xffffffffu, cell.bits, half), 0 });
    int refused = __syncthreads_count(cell.refused > 0);      /* also: of_warp is free again */
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32][0] = cell.bits;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int w = 1; w < (int)(blockDim.x + 31) / 32; w++)
        max_cell_merge(&cell, max_cell{ of_warp[w][0], 0 });
    atomicMax(&global->bits, cell.bits);
    if (refused)
        atomicAdd((unsigned long long *)&global->refused, (unsigned long long)refused);
}

#define SITE_MAP(name, args_type, a, here)                                                                             \
    SITE_FN void name##_site(const args_type *a, site here);                                                           \
    static __global__ void __launch_bounds__(SITE_BLOCK, SITE_RESIDENT)                                                \
    name##_all(const __grid_constant__ args_type a, const __grid_constant__ site_range range)                          \
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
    static __global__ void __launch_bounds__(SITE_BLOCK, SITE_RESIDENT)                                                \
    name##_all(const __grid_constant__ args_type a, const __grid_constant__ site_range range, double per_bound,        \
               sum_cells cells)                                                                                        \
    {                                                                                                                  \
        sum_cell sum[(sums) + !(sums)] = {};                                                                           \
        max_cell largest[(maxima) + !(maxima)] = {};                                                                   \
        for (int i = blockIdx.x * SITE_BLOCK + threadIdx.x; i < range_size(range);                                     \
             i += gridDim.x * SITE_BLOCK) {                                                                            \
            real s[(sums) + (maxima)];                                                                                 \
            name##_site(&a, site_of_range(range, i), s);                                                               \
            _Pragma("unroll")                                                                                          \
            for (int n = 0; n < (sums); n++)                                                                           \
                sum_cell_add(&sum[n], (double)s[n], per_bound);                                                        \
            _Pragma("unroll")                                                                                          \
            for (int n = 0; n < (maxima); n++)                                                                         \
                max_cell_add(&largest[n], (double)s[(sums) + n]);                                                      \
        }                                                                                                              \
        _Pragma("unroll")                                                                                              \
        for (int n = 0; n < (sums); n++)                                                                               \
            block_merge(sum[n], &cells.sum[n]);                                                                        \
        _Pragma("unroll")                                                                                              \
        for (int n = 0; n < (maxima); n++)                                                                             \
            block_merge(largest[n], &cells.largest[n]);                                                                \
    }                                                                                                                  \
    extern "C" void K(name)(const void *args, site_range range, void *stream, double per_bound, sum_cells cells)       \
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
    return site_of_part(r, part, r.first + part * r.step + g % groups * LANES);
}
static inline int range_group_size(site_range r, int g)
{
    int left = r.sites - g % part_groups(r) * LANES;
    return left < LANES ? left : LANES;
}

/* The terms of the g-th group of sites, but not those of padding. */
static inline void add_lanes(sum_cell *cell, real s, site_range range, int g, double per_bound)
{
    const int size = range_group_size(range, g);
    for (int lane = 0; lane < size; lane++)
        sum_cell_add(cell, (double)lane_of(s, lane), per_bound);
    if (g % (SUM_TERMS / LANES) == 0)            /* threads take groups that follow each other */
        sum_cell_carry(cell);
}

static inline void add_lanes_largest(max_cell *cell, real s, site_range range, int g)
{
    const int size = range_group_size(range, g);
    for (int lane = 0; lane < size; lane++)
        max_cell_add(cell, (double)lane_of(s, lane));
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
    void K(name)(const void *args, site_range range, void *stream, double per_bound, sum_cells cells);                 \
    void K(name)(const void *args, site_range range, void *stream, double per_bound, sum_cells cells)                  \
    {                                                                                                                  \
        (void)stream;                                                                                                  \
        _Pragma("omp parallel")                                                                                        \
        {                                                                                                              \
            sum_cell sum[(sums) + !(sums)];                                                                            \
            max_cell largest[(maxima) + !(maxima)];                                                                    \
            memset(sum, 0, sizeof sum);                                                                                \
            memset(largest, 0, sizeof largest);                                                                        \
            _Pragma("omp for schedule(static)")                                                                        \
            for (int g = 0; g < range_groups(range); g++) {                                                            \
                real s[(sums) + (maxima)];                                                                             \
                name##_site((const args_type *)args, range_group(range, g), s);                                        \
                for (int n = 0; n < (sums); n++)                                                                       \
                    add_lanes(&sum[n], s[n], range, g, per_bound);                                                     \
                for (int n = 0; n < (maxima); n++)                                                                     \
                    add_lanes_largest(&largest[n], s[(sums) + n], range, g);                                           \
            }                                                                                                          \
            _Pragma("omp critical")                                                                                    \
            {                                                                                                          \
                for (int n = 0; n < (sums); n++)                                                                       \
                    sum_cell_merge(&cells.sum[n], sum[n]);                                                             \
                for (int n = 0; n < (maxima); n++)                                                                     \
                    max_cell_merge(&cells.largest[n], largest[n]);                                                     \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site x, real *s)

#endif

#endif
