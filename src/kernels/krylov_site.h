/* krylov_site.h - kernels of a batch that also sum terms for each system and compute the scalars, in one launch.
 *
 *     KRYLOV_MAP(name, args_type, a, x) { ... }
 *     KRYLOV_SUM(name, systems, args_type, a, x, s, per_bound, finish) { s[n] = ...; }
 *     KRYLOV_EACH(name, sums, args_type, a, n, x, s, takes, per_bound, finish) { s[j] = ...; }
 * Each macro defines K(name)(args, range, stream); args_type has a krylov_batch `b`.  KRYLOV_SUM: the batch has
 * `systems` systems, which share the data that they read; the body fills one term for each.  KRYLOV_EACH: the batch has
 * any number of systems, which share nothing; the body fills `sums` terms for the n-th system, and runs only if
 * takes(system) is true.  The terms are summed under the bound in the member `per_bound` of their krylov_system.  After
 * the last site of the last of batch.sum_launches launches, finish(batch, going, thread, threads) is called: one of the
 * functions *_finish of krylov_finish.h.  If the state is not going, no body runs. */
#ifndef KILN_KERNELS_KRYLOV_SITE_H
#define KILN_KERNELS_KRYLOV_SITE_H

#include "src/kernels/krylov_finish.h"
#include "src/site/site.h"

/* KRYLOV_EACH_IN: a block has `threads` threads, and a multiprocessor of a GPU holds at least `resident` blocks, which
 * limits the registers of a thread. */
enum { EACH_BLOCK = 512 };

#define KRYLOV_EACH(name, sums, args_type, a, n, x, s, takes, per_bound, finish)                                       \
    KRYLOV_EACH_IN(EACH_BLOCK, 1, name, sums, args_type, a, n, x, s, takes, per_bound, finish)

/* The conditions `takes` of KRYLOV_EACH. */
KRYLOV_FN bool krylov_is_going(const krylov_system *s)
{
    return s->status == SYSTEM_GOING;
}

KRYLOV_FN bool krylov_has_stepped(const krylov_system *s)
{
    return s->stepped != 0;
}

#ifdef __CUDACC__

/* Adds COUNT words over the lanes of a warp, to `part`.  Lanes HALF apart exchange halves of their words: each
 * continues with half of them, from `first` on.  If COUNT is odd, both add all words, and only one writes (`tells`). */
template <int COUNT, int HALF>
static __device__ __forceinline__ void sum_words(long long *word, int first, bool tells, long long *part)
{
    const bool upper = (threadIdx.x & HALF) != 0;
    if constexpr (HALF == 0) {
        #pragma unroll
        for (int i = 0; i < COUNT; i++)
            if (tells)
                part[first + i] = word[i];
    } else if constexpr (COUNT % 2 == 0) {
        #pragma unroll
        for (int i = 0; i < COUNT / 2; i++) {
            long long given = upper ? word[i] : word[i + COUNT / 2];
            word[i] = (upper ? word[i + COUNT / 2] : word[i]) + __shfl_xor_sync(0xffffffffu, given, HALF);
        }
        sum_words<COUNT / 2, HALF / 2>(word, upper ? first + COUNT / 2 : first, tells, part);
    } else {
        #pragma unroll
        for (int i = 0; i < COUNT; i++)
            word[i] += __shfl_xor_sync(0xffffffffu, word[i], HALF);
        sum_words<COUNT, HALF / 2>(word, first, tells && !upper, part);
    }
}

/* Adds the cells of all threads of a block, EACH cells for each of SYSTEMS systems, and then adds the result to the
 * cells of the state.  One lane adds one word, so that the words of a cell go to memory together. */
template <int SYSTEMS, int EACH, int THREADS>
static __device__ __forceinline__ void merge_cells(krylov_state *state, const int *number, const sum_cell *mine)
{
    enum { TERMS = SYSTEMS * EACH, WARPS = THREADS / 32, WORDS = 3 * TERMS };
    __shared__ long long part[WARPS][WORDS];
    long long word[WORDS];
    bool refused = false;
    #pragma unroll
    for (int t = 0; t < WORDS; t++)
        word[t] = mine[t / 3].word[t % 3];
    #pragma unroll
    for (int n = 0; n < TERMS; n++)
        refused = refused || mine[n].refused != 0;
    sum_words<WORDS, 16>(word, 0, true, part[threadIdx.x / 32]);
    __syncthreads();
    static_assert(WORDS <= 32, "one warp carries");
    if (threadIdx.x < 32) {
        const int t = (int)threadIdx.x;
        long long sum = 0;
        for (int w = 0; w < WARPS && t < WORDS; w++)
            sum += part[w][t];
        for (int from = 2; from > 0; from--) {                /* as sum_cell_carry; carries have 28 bits */
            const int carry = __shfl_down_sync(0xffffffffu, (int)(sum >> SUM_WIDTH), 1);
            sum += t % 3 == from - 1 ? carry : 0;
        }
        sum &= t % 3 > 0 ? (1LL << SUM_WIDTH) - 1 : -1;
        if (t < WORDS)
            atomicAdd((unsigned long long *)&state->cell[number[t / 3 / EACH]][t / 3 % EACH].word[t % 3],
                      (unsigned long long)sum);
    }
    if (!refused)
        return;
    #pragma unroll
    for (int n = 0; n < TERMS; n++)
        if (mine[n].refused)
            atomicAdd((unsigned long long *)&state->cell[number[n / EACH]][n % EACH].refused, 1ull);
}

/* Adds one term for each system; each thread has one site. */
template <int SYSTEMS, int THREADS = SITE_BLOCK>
static __device__ __forceinline__ void batch_merge(const krylov_batch &b, const real *s, const double *per_bound)
{
    sum_cell mine[SYSTEMS] = {};
    #pragma unroll
    for (int n = 0; n < SYSTEMS; n++)
        sum_cell_add(&mine[n], (double)s[n], per_bound[n]);
    merge_cells<SYSTEMS, 1, THREADS>(b.state, b.number, mine);
}

/* Blocks of `threads` threads for each of the systems.  All blocks together fit on the device at once, so a thread
 * handles several sites: blocks add to the same few words, one after another. */
static inline dim3 each_blocks(const void *kernel, int threads, int sites, int systems)
{
    int device = 0, processors = 1, resident = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0);
    const int needed = (sites - 1) / threads + 1, most = processors * resident / systems;
    int rounds = most > 0 ? (needed - 1) / most + 1 : needed;
    rounds = rounds < SUM_TERMS / threads ? rounds : SUM_TERMS / threads;
    return dim3((unsigned)((needed + rounds - 1) / rounds), (unsigned)systems);
}

/* Whether this block is the last to arrive here, among all blocks of all launches of the sum.  The last block sees
 * everything that the others wrote before they arrived. */
static __device__ __forceinline__ bool is_last_block(const krylov_batch &b)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        const bool is_first = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
        const unsigned long long blocks = gridDim.x * gridDim.y * gridDim.z;
        const unsigned long long shown = is_first ? TICKET_LAUNCH - blocks + 1 : 1;
        last = b.sum_launches > 0 && ticket_is_complete(atomicAdd(&b.state->ticket, shown) + shown, &b);
        if (last)
            b.state->ticket = 0;
    }
    __syncthreads();
    __threadfence();
    return last;
}

#define KRYLOV_MAP(name, args_type, a, here)                                                                           \
    SITE_FN void name##_site(const args_type *a, site here);                                                           \
    static __global__ void __launch_bounds__(SITE_BLOCK) name##_all(const __grid_constant__ args_type a,               \
                                                                    const __grid_constant__ site_range range)          \
    {                                                                                                                  \
        int i = blockIdx.x * SITE_BLOCK + threadIdx.x;                                                                 \
        if (a.b.state->going && i < range_size(range))                                                                 \
            name##_site(&a, site_of_range(range, i));                                                                  \
    }                                                                                                                  \
    extern "C" void K(name)(const void *args, site_range range, void *stream)                                          \
    {                                                                                                                  \
        int blocks = (range_size(range) + SITE_BLOCK - 1) / SITE_BLOCK;                                                \
        name##_all<<<blocks, SITE_BLOCK, 0, (cudaStream_t)stream>>>(*(const args_type *)args, range);                  \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site here)

#define KRYLOV_SUM(name, systems, args_type, a, here, s, per_bound, finish)                                            \
    SITE_FN void name##_site(const args_type *a, site here, real *s);                                                  \
    static __global__ void __launch_bounds__(SITE_BLOCK) name##_all(const __grid_constant__ args_type a,               \
                                                                    const __grid_constant__ site_range range)          \
    {                                                                                                                  \
        krylov_state *state = a.b.state;                                                                               \
        const bool going = state->going != 0;                                                                          \
        if (going) {                                                                                                   \
            int i = blockIdx.x * SITE_BLOCK + threadIdx.x;                                                             \
            real s[systems] = {};                                                                                      \
            double scale[systems];                                                                                     \
            if (i < range_size(range))                                                                                 \
                name##_site(&a, site_of_range(range, i), s);                                                           \
            _Pragma("unroll")                                                                                          \
            for (int n = 0; n < (systems); n++)                                                                        \
                scale[n] = state->system[a.b.number[n]].per_bound;                                                     \
            batch_merge<systems>(a.b, s, scale);                                                                       \
        }                                                                                                              \
        if (is_last_block(a.b))                                                                                        \
            finish(&a.b, going, threadIdx.x, SITE_BLOCK);                                                              \
    }                                                                                                                  \
    extern "C" void K(name)(const void *args, site_range range, void *stream)                                          \
    {                                                                                                                  \
        int blocks = (range_size(range) + SITE_BLOCK - 1) / SITE_BLOCK;                                                \
        name##_all<<<blocks, SITE_BLOCK, 0, (cudaStream_t)stream>>>(*(const args_type *)args, range);                  \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site here, real *s)

#define KRYLOV_EACH_IN(threads, resident, name, sums, args_type, a, n, here, s, takes, per_bound, finish)              \
    SITE_FN void name##_site(const args_type *a, int n, site here, real *s);                                           \
    static __global__ void __launch_bounds__(threads, resident)                                                        \
    name##_all(const __grid_constant__ args_type a, const __grid_constant__ site_range range)                          \
    {                                                                                                                  \
        krylov_state *state = a.b.state;                                                                               \
        const int n = (int)blockIdx.y;                                                                                 \
        const krylov_system *system = &state->system[a.b.number[n]];                                                   \
        const bool going = state->going != 0;                                                                          \
        if (going && takes(system)) {                                                                                  \
            const double scale = system->per_bound;                                                                    \
            sum_cell mine[sums] = {};                                                                                  \
            for (int i = blockIdx.x * (threads) + threadIdx.x; i < range_size(range);                                  \
                 i += gridDim.x * (threads)) {                                                                         \
                real s[sums];                                                                                          \
                name##_site(&a, n, site_of_range(range, i), s);                                                        \
                _Pragma("unroll")                                                                                      \
                for (int j = 0; j < (sums); j++)                                                                       \
                    sum_cell_add(&mine[j], (double)s[j], scale);                                                       \
            }                                                                                                          \
            merge_cells<1, sums, threads>(state, &a.b.number[n], mine);                                                \
        }                                                                                                              \
        if (is_last_block(a.b))                                                                                        \
            finish(&a.b, going, threadIdx.x, threads);                                                                 \
    }                                                                                                                  \
    extern "C" void K(name)(const void *args, site_range range, void *stream)                                          \
    {                                                                                                                  \
        const args_type *of = (const args_type *)args;                                                                 \
        dim3 blocks = each_blocks((const void *)name##_all, threads, range_size(range), of->b.count);                  \
        name##_all<<<blocks, threads, 0, (cudaStream_t)stream>>>(*of, range);                                          \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, int n, site here, real *s)

#else

#define KRYLOV_MAP(name, args_type, a, x)                                                                              \
    SITE_FN void name##_site(const args_type *a, site x);                                                              \
    void K(name)(const void *args, site_range range, void *stream);                                                    \
    void K(name)(const void *args, site_range range, void *stream)                                                     \
    {                                                                                                                  \
        const bool going = ((const args_type *)args)->b.state->going != 0;                                             \
        (void)stream;                                                                                                  \
        _Pragma("omp parallel for schedule(static) if (going)")                                                        \
        for (int g = 0; g < (going ? range_groups(range) : 0); g++)                                                    \
            name##_site((const args_type *)args, range_group(range, g));                                               \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site x)

#define KRYLOV_SUM(name, systems, args_type, a, x, s, per_bound, finish)                                               \
    SITE_FN void name##_site(const args_type *a, site x, real *s);                                                     \
    void K(name)(const void *args, site_range range, void *stream);                                                    \
    void K(name)(const void *args, site_range range, void *stream)                                                     \
    {                                                                                                                  \
        const krylov_batch *b = &((const args_type *)args)->b;                                                         \
        const bool going = b->state->going != 0;                                                                       \
        (void)stream;                                                                                                  \
        if (going) {                                                                                                   \
            _Pragma("omp parallel")                                                                                    \
            {                                                                                                          \
                sum_cell mine[systems];                                                                                \
                memset(mine, 0, sizeof mine);                                                                          \
                _Pragma("omp for schedule(static)")                                                                    \
                for (int g = 0; g < range_groups(range); g++) {                                                        \
                    real s[systems];                                                                                   \
                    name##_site((const args_type *)args, range_group(range, g), s);                                    \
                    for (int n = 0; n < (systems); n++)                                                                \
                        add_lanes(&mine[n], s[n], range, g, b->state->system[b->number[n]].per_bound);                 \
                }                                                                                                      \
                _Pragma("omp critical")                                                                                \
                for (int n = 0; n < (systems); n++)                                                                    \
                    sum_cell_merge(&b->state->cell[b->number[n]][0], mine[n]);                                         \
            }                                                                                                          \
        }                                                                                                              \
        if (is_last_launch(b))                                                                                         \
            finish(b, going, 0, 1);                                                                                    \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site x, real *s)

#define KRYLOV_EACH_IN(threads, resident, name, sums, args_type, a, n, x, s, takes, per_bound, finish)                 \
    SITE_FN void name##_site(const args_type *a, int n, site x, real *s);                                              \
    void K(name)(const void *args, site_range range, void *stream);                                                    \
    void K(name)(const void *args, site_range range, void *stream)                                                     \
    {                                                                                                                  \
        const krylov_batch *b = &((const args_type *)args)->b;                                                         \
        const bool going = b->state->going != 0;                                                                       \
        (void)stream;                                                                                                  \
        _Pragma("omp parallel if (going)")                                                                             \
        for (int n = 0; n < (going ? b->count : 0); n++) {                                                             \
            const krylov_system *system = &b->state->system[b->number[n]];                                             \
            sum_cell mine[sums];                                                                                       \
            memset(mine, 0, sizeof mine);                                                                              \
            _Pragma("omp for schedule(static) nowait")                                                                 \
            for (int g = 0; g < (takes(system) ? range_groups(range) : 0); g++) {                                      \
                real s[sums];                                                                                          \
                name##_site((const args_type *)args, n, range_group(range, g), s);                                     \
                for (int j = 0; j < (sums); j++)                                                                       \
                    add_lanes(&mine[j], s[j], range, g, system->per_bound);                                            \
            }                                                                                                          \
            _Pragma("omp critical")                                                                                    \
            for (int j = 0; j < (sums); j++)                                                                           \
                sum_cell_merge(&b->state->cell[b->number[n]][j], mine[j]);                                             \
        }                                                                                                              \
        if (is_last_launch(b))                                                                                         \
            finish(b, going, 0, 1);                                                                                    \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, int n, site x, real *s)

#endif

#endif
