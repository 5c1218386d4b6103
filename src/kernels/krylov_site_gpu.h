/* krylov_site_gpu.h - kernels of a batch on a GPU: the last block to finish computes the scalars.  Included by
 * krylov_site.h only. */
#ifndef KILN_KERNELS_KRYLOV_SITE_GPU_H
#define KILN_KERNELS_KRYLOV_SITE_GPU_H

/* part[i] <- the sum of word[i] over the lanes of a warp, i < COUNT.  Two lanes with numbers HALF apart exchange words:
 * each continues with half of the words, from number `first` on.  If COUNT is odd, both continue with all words, and
 * only one of them `writes`. */
template <int COUNT, int HALF>
SITE_FN void sum_words(long long *word, int first, bool writes, long long *part)
{
    const bool upper = (THREAD_INDEX & HALF) != 0;
    if constexpr (HALF == 0) {
        UNROLL_LOOP
        for (int i = 0; i < COUNT; i++)
            if (writes)
                part[first + i] = word[i];
    } else if constexpr (COUNT % 2 == 0) {
        UNROLL_LOOP
        for (int i = 0; i < COUNT / 2; i++) {
            long long given = upper ? word[i] : word[i + COUNT / 2];
            word[i] = (upper ? word[i + COUNT / 2] : word[i]) + WARP_XOR(given, HALF);
        }
        sum_words<COUNT / 2, HALF / 2>(word, upper ? first + COUNT / 2 : first, writes, part);
    } else {
        UNROLL_LOOP
        for (int i = 0; i < COUNT; i++)
            word[i] += WARP_XOR(word[i], HALF);
        sum_words<COUNT, HALF / 2>(word, first, writes && !upper, part);
    }
}

/* Adds the cells of all threads of a block, EACH cells for each of SYSTEMS systems, and then adds the result to the
 * cells of the state.  One lane adds one word, so that the words of a cell go to memory together. */
template <int SYSTEMS, int EACH, int THREADS>
SITE_FN void merge_cells(krylov_state *state, const int *number, const sum_cell *mine)
{
    enum { TERMS = SYSTEMS * EACH, WARPS = THREADS / WARP_LANES, WORDS = 3 * TERMS };
    BLOCK_MEMORY long long part[WARPS][WORDS];
    long long word[WORDS];
    bool refused = false;
    UNROLL_LOOP
    for (int t = 0; t < WORDS; t++)
        word[t] = mine[t / 3].word[t % 3];
    UNROLL_LOOP
    for (int n = 0; n < TERMS; n++)
        refused = refused || mine[n].refused != 0;
    sum_words<WORDS, WARP_HALF>(word, 0, true, part[THREAD_INDEX / WARP_LANES]);
    BLOCK_BARRIER();
    static_assert(WORDS <= WARP_LANES, "one warp carries");
    if (THREAD_INDEX < WARP_LANES) {
        const int t = (int)THREAD_INDEX;
        long long sum = 0;
        for (int w = 0; w < WARPS && t < WORDS; w++)
            sum += part[w][t];
        for (int from = 2; from > 0; from--) {                /* as sum_cell_carry; carries have 28 bits */
            const int carry = WARP_DOWN((int)(sum >> SUM_WIDTH), 1);
            sum += t % 3 == from - 1 ? carry : 0;
        }
        sum &= t % 3 > 0 ? (1LL << SUM_WIDTH) - 1 : -1;
        if (t < WORDS)
            ATOMIC_ADD((unsigned long long *)&state->cell[number[t / 3 / EACH]][t / 3 % EACH].word[t % 3],
                      (unsigned long long)sum);
    }
    if (!refused)
        return;
    UNROLL_LOOP
    for (int n = 0; n < TERMS; n++)
        if (mine[n].refused)
            ATOMIC_ADD((unsigned long long *)&state->cell[number[n / EACH]][n % EACH].refused, 1ull);
}

/* Adds one term for each system; each thread has one site. */
template <int SYSTEMS, int THREADS = SITE_BLOCK>
SITE_FN void batch_merge(const krylov_batch &b, const real *s, const double *per_bound)
{
    sum_cell mine[SYSTEMS] = {};
    UNROLL_LOOP
    for (int n = 0; n < SYSTEMS; n++)
        sum_cell_add(&mine[n], (double)s[n], per_bound[n]);
    merge_cells<SYSTEMS, 1, THREADS>(b.state, b.number, mine);
}

/* The blocks of a launch, (blocks for the sites) x systems.  There are no more than fit on the device at once (unless a
 * block had more than SUM_TERMS sites), so a thread handles several sites: all blocks of a system add to the same few
 * words, one after another. */
static inline target_blocks each_blocks(const void *kernel, int threads, int sites, int systems)
{
    const int processors = target_processors(), resident = target_resident_blocks(kernel, threads);
    const int needed = (sites - 1) / threads + 1, most = processors * resident / systems;
    int rounds = most > 0 ? (needed - 1) / most + 1 : needed;
    rounds = rounds < SUM_TERMS / threads ? rounds : SUM_TERMS / threads;
    return target_blocks((unsigned)((needed + rounds - 1) / rounds), (unsigned)systems);
}

/* Whether this block is the last to arrive here, among all blocks of all launches of the sum.  The last block sees
 * everything that the others wrote before they arrived. */
SITE_FN bool is_last_block(const krylov_batch &b)
{
    BLOCK_MEMORY bool last;
    MEMORY_FENCE();
    BLOCK_BARRIER();
    if (THREAD_INDEX == 0) {
        const bool is_first = IS_FIRST_BLOCK;
        const unsigned long long blocks = ALL_BLOCKS;
        const unsigned long long shown = is_first ? TICKET_LAUNCH - blocks + 1 : 1;
        last = b.sum_launches > 0 && ticket_is_complete(ATOMIC_ADD(&b.state->ticket, shown) + shown, &b);
        if (last)
            b.state->ticket = 0;
    }
    BLOCK_BARRIER();
    MEMORY_FENCE();
    return last;
}

#define KRYLOV_MAP(name, args_type, a, here)                                                                           \
    SITE_FN void name##_site(const args_type *a, site here);                                                           \
    TARGET_KERNEL(SITE_BLOCK) name##_all(TARGET_ARGS(args_type) a, TARGET_ARGS(site_range) range)                      \
    {                                                                                                                  \
        int i = BLOCK_INDEX * SITE_BLOCK + THREAD_INDEX;                                                               \
        if (a.b.state->going && i < range_size(range))                                                                 \
            name##_site(&a, site_of_range(range, i));                                                                  \
    }                                                                                                                  \
    TARGET_ENTRY K(name)(const void *args, site_range range, void *stream)                                             \
    {                                                                                                                  \
        int blocks = (range_size(range) + SITE_BLOCK - 1) / SITE_BLOCK;                                                \
        TARGET_LAUNCH(name##_all, blocks, SITE_BLOCK, stream, *(const args_type *)args, range);                        \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site here)

#define KRYLOV_SUM(name, systems, args_type, a, here, s, per_bound, finish)                                            \
    SITE_FN void name##_site(const args_type *a, site here, real *s);                                                  \
    TARGET_KERNEL(SITE_BLOCK) name##_all(TARGET_ARGS(args_type) a, TARGET_ARGS(site_range) range)                      \
    {                                                                                                                  \
        krylov_state *state = a.b.state;                                                                               \
        const bool going = state->going != 0;                                                                          \
        if (going) {                                                                                                   \
            int i = BLOCK_INDEX * SITE_BLOCK + THREAD_INDEX;                                                           \
            real s[systems] = {};                                                                                      \
            double scale[systems];                                                                                     \
            if (i < range_size(range))                                                                                 \
                name##_site(&a, site_of_range(range, i), s);                                                           \
            UNROLL_LOOP                                                                                                \
            for (int n = 0; n < (systems); n++)                                                                        \
                scale[n] = state->system[a.b.number[n]].per_bound;                                                     \
            batch_merge<systems>(a.b, s, scale);                                                                       \
        }                                                                                                              \
        if (is_last_block(a.b))                                                                                        \
            finish(&a.b, going, THREAD_INDEX, SITE_BLOCK);                                                             \
    }                                                                                                                  \
    TARGET_ENTRY K(name)(const void *args, site_range range, void *stream)                                             \
    {                                                                                                                  \
        int blocks = (range_size(range) + SITE_BLOCK - 1) / SITE_BLOCK;                                                \
        TARGET_LAUNCH(name##_all, blocks, SITE_BLOCK, stream, *(const args_type *)args, range);                        \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, site here, real *s)

/* The blocks of KRYLOV_EACH: the number of their threads, and how many a multiprocessor holds at least, which limits
 * the registers of a thread.  A thread with many sums needs so many registers that large blocks do not fit. */
enum { FEW_SUMS = 3 };

#define EACH_THREADS(sums) ((sums) > FEW_SUMS ? 256 : 512)
#define EACH_RESIDENT(sums) ((sums) > FEW_SUMS ? 3 : 1)

#define KRYLOV_EACH(name, sums, args_type, a, n, here, s, takes, per_bound, finish)                                    \
    SITE_FN void name##_site(const args_type *a, int n, site here, real *s);                                           \
    TARGET_KERNEL(EACH_THREADS(sums), EACH_RESIDENT(sums))                                                             \
    name##_all(TARGET_ARGS(args_type) a, TARGET_ARGS(site_range) range)                                                \
    {                                                                                                                  \
        krylov_state *state = a.b.state;                                                                               \
        const int n = (int)BLOCK_INDEX_Y;                                                                              \
        const krylov_system *system = &state->system[a.b.number[n]];                                                   \
        const bool going = state->going != 0;                                                                          \
        if (going && takes(system)) {                                                                                  \
            const double scale = system->per_bound;                                                                    \
            sum_cell mine[sums] = {};                                                                                  \
            for (int i = BLOCK_INDEX * EACH_THREADS(sums) + THREAD_INDEX; i < range_size(range);                       \
                 i += GRID_BLOCKS * EACH_THREADS(sums)) {                                                              \
                real s[sums];                                                                                          \
                name##_site(&a, n, site_of_range(range, i), s);                                                        \
                UNROLL_LOOP                                                                                            \
                for (int j = 0; j < (sums); j++)                                                                       \
                    sum_cell_add(&mine[j], (double)s[j], scale);                                                       \
            }                                                                                                          \
            merge_cells<1, sums, EACH_THREADS(sums)>(state, &a.b.number[n], mine);                                     \
        }                                                                                                              \
        if (is_last_block(a.b))                                                                                        \
            finish(&a.b, going, THREAD_INDEX, EACH_THREADS(sums));                                                     \
    }                                                                                                                  \
    TARGET_ENTRY K(name)(const void *args, site_range range, void *stream)                                             \
    {                                                                                                                  \
        const args_type *of = (const args_type *)args;                                                                 \
        const void *kernel = (const void *)name##_all;                                                                 \
        target_blocks blocks = each_blocks(kernel, EACH_THREADS(sums), range_size(range), of->b.count);                \
        TARGET_LAUNCH(name##_all, blocks, EACH_THREADS(sums), stream, *of, range);                                     \
    }                                                                                                                  \
    SITE_FN void name##_site(const args_type *a, int n, site here, real *s)

#endif
