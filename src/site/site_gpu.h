/* site_gpu.h - one thread of a GPU for each site of a range.  Included by site.h only. */
#ifndef KILN_SITE_SITE_GPU_H
#define KILN_SITE_SITE_GPU_H

#ifndef SITE_BLOCK
#define SITE_BLOCK 128                    /* threads a block */
#endif

/* The least number of blocks that a multiprocessor must hold; 0: the compiler decides.  A file of kernels that memory
 * limits defines the smallest number that suffices: a thread may then have more registers, for more loads in flight. */
#ifndef SITE_RESIDENT
#define SITE_RESIDENT 0
#endif

/* The i-th site of a range. */
SITE_FN site site_of_range(const site_range &r, int i)
{
    int part = r.parts > 2 ? i / r.sites : i >= r.sites;
    return site_of_part(r, part, r.first + part * r.step + i - part * r.sites);
}

/* The number of blocks for a sum over `sites`: as many as the device holds at once, each with the same number of sites,
 * or more blocks if a block would have more than SUM_TERMS sites.  At the end all blocks add to the same words, one
 * after another; therefore at most SUM_RESIDENT blocks on a multiprocessor. */
enum { SUM_RESIDENT = 12 };
static inline int sum_blocks(const void *kernel, int threads, int sites)
{
    const int needed = (sites - 1) / threads + 1, processors = target_processors();
    int resident = target_resident_blocks(kernel, threads);
    resident = resident < SUM_RESIDENT ? resident : SUM_RESIDENT;
    int rounds = (needed - 1) / (processors * resident) + 1, most = SUM_TERMS / threads;
    rounds = rounds < most ? rounds : most;
    return (needed + rounds - 1) / rounds;
}

/* Shared memory for the words of one cell of each warp; all merges of a block use it in turn. */
SITE_FN long long (*warp_sum_words())[3]
{
    BLOCK_MEMORY long long word[WARP_LANES][3];
    return word;
}

/* Merges the cells of all threads of a block, then adds the result to *global.  All threads of the block call it. */
SITE_FN void block_merge(sum_cell cell, sum_cell *global)
{
    long long(*of_warp)[3] = warp_sum_words();
    for (int half = WARP_HALF; half > 0; half /= 2)
        for (int i = 0; i < 3; i++)
            cell.word[i] += WARP_DOWN(cell.word[i], half);
    int refused = BLOCK_COUNT(cell.refused > 0);      /* a barrier: of_warp is free again */
    for (int i = 0; i < 3 && THREAD_INDEX % WARP_LANES == 0; i++)
        of_warp[THREAD_INDEX / WARP_LANES][i] = cell.word[i];
    BLOCK_BARRIER();
    if (THREAD_INDEX > 0)
        return;
    for (int w = 1; w < (int)(BLOCK_THREADS + WARP_LANES - 1) / WARP_LANES; w++)
        for (int i = 0; i < 3; i++)
            cell.word[i] += of_warp[w][i];
    sum_cell_carry(&cell);
    for (int i = 0; i < 3; i++)
        ATOMIC_ADD((unsigned long long *)&global->word[i], (unsigned long long)cell.word[i]);
    if (refused)
        ATOMIC_ADD((unsigned long long *)&global->refused, (unsigned long long)refused);
}

SITE_FN void block_merge(max_cell cell, max_cell *global)
{
    long long(*of_warp)[3] = warp_sum_words();
    for (int half = WARP_HALF; half > 0; half /= 2)
        max_cell_merge(&cell, max_cell{ WARP_DOWN(cell.bits, half), 0 });
    int refused = BLOCK_COUNT(cell.refused > 0);      /* a barrier: of_warp is free again */
    if (THREAD_INDEX % WARP_LANES == 0)
        of_warp[THREAD_INDEX / WARP_LANES][0] = cell.bits;
    BLOCK_BARRIER();
    if (THREAD_INDEX > 0)
        return;
    for (int w = 1; w < (int)(BLOCK_THREADS + WARP_LANES - 1) / WARP_LANES; w++)
        max_cell_merge(&cell, max_cell{ of_warp[w][0], 0 });
    ATOMIC_MAX(&global->bits, cell.bits);
    if (refused)
        ATOMIC_ADD((unsigned long long *)&global->refused, (unsigned long long)refused);
}

#define SITE_MAP(name, args_type, a, here)                                                                             \
    SITE_FN void name##_site(const args_type *a, site here);                                                           \
    TARGET_KERNEL(SITE_BLOCK, SITE_RESIDENT) name##_all(TARGET_ARGS(args_type) a, TARGET_ARGS(site_range) range)       \
    {                                                                                                                  \
        int i = BLOCK_INDEX * SITE_BLOCK + THREAD_INDEX;                                                               \
        if (i < range_size(range))                                                                                     \
            name##_site(&a, site_of_range(range, i));                                                                  \
    }                                                                                                                  \
    TARGET_ENTRY K(name)(const void *args, site_range range, void *stream)                                             \
    {                                                                                                                  \
        int blocks = (range_size(range) + SITE_BLOCK - 1) / SITE_BLOCK;                                                \
        TARGET_LAUNCH(name##_all, blocks, SITE_BLOCK, stream, *(const args_type *)args, range);                        \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site here)

#define SITE_SUM(name, sums, maxima, args_type, a, here, s)                                                            \
    SITE_FN void name##_site(const args_type *a, site here, real *s);                                                  \
    TARGET_KERNEL(SITE_BLOCK, SITE_RESIDENT)                                                                           \
    name##_all(TARGET_ARGS(args_type) a, TARGET_ARGS(site_range) range, double per_bound, sum_cells cells)             \
    {                                                                                                                  \
        sum_cell sum[(sums) + !(sums)] = {};                                                                           \
        max_cell largest[(maxima) + !(maxima)] = {};                                                                   \
        for (int i = BLOCK_INDEX * SITE_BLOCK + THREAD_INDEX; i < range_size(range); i += GRID_BLOCKS * SITE_BLOCK) {  \
            real s[(sums) + (maxima)];                                                                                 \
            name##_site(&a, site_of_range(range, i), s);                                                               \
            UNROLL_LOOP                                                                                                \
            for (int n = 0; n < (sums); n++)                                                                           \
                sum_cell_add(&sum[n], (double)s[n], per_bound);                                                        \
            UNROLL_LOOP                                                                                                \
            for (int n = 0; n < (maxima); n++)                                                                         \
                max_cell_add(&largest[n], (double)s[(sums) + n]);                                                      \
        }                                                                                                              \
        UNROLL_LOOP                                                                                                    \
        for (int n = 0; n < (sums); n++)                                                                               \
            block_merge(sum[n], &cells.sum[n]);                                                                        \
        UNROLL_LOOP                                                                                                    \
        for (int n = 0; n < (maxima); n++)                                                                             \
            block_merge(largest[n], &cells.largest[n]);                                                                \
    }                                                                                                                  \
    TARGET_ENTRY K(name)(const void *args, site_range range, void *stream, double per_bound, sum_cells cells)          \
    {                                                                                                                  \
        int blocks = sum_blocks((const void *)name##_all, SITE_BLOCK, range_size(range));                              \
        TARGET_LAUNCH(name##_all, blocks, SITE_BLOCK, stream, *(const args_type *)args, range, per_bound, cells);      \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site here, real *s)

#define ONE_BLOCK(name, args_type, a, thread, threads)                                                                 \
    SITE_FN void name##_thread(const args_type *a, int thread, int threads);                                           \
    TARGET_KERNEL(SITE_BLOCK) name##_block(TARGET_ARGS(args_type) a)                                                   \
    {                                                                                                                  \
        name##_thread(&a, (int)THREAD_INDEX, SITE_BLOCK);                                                              \
    }                                                                                                                  \
    TARGET_ENTRY K(name)(const args_type *a, void *stream)                                                             \
    {                                                                                                                  \
        TARGET_LAUNCH(name##_block, 1, SITE_BLOCK, stream, *a);                                                        \
    }                                                                                                                  \
    SITE_FN void name##_thread(const args_type *a, int thread, int threads)

#endif
