/* krylov_site_cpu.h - kernels of a batch on a CPU: the host calls them one after another, and the last one computes the
 * scalars.  Included by krylov_site.h only. */
#ifndef KILN_KERNELS_KRYLOV_SITE_CPU_H
#define KILN_KERNELS_KRYLOV_SITE_CPU_H

/* For launches that run one after another: whether this is the last one of the sum. */
KRYLOV_FN bool is_last_launch(const krylov_batch *b)
{
    if (b->sum_launches == 0)
        return false;
    b->state->ticket += TICKET_LAUNCH;
    if (!ticket_is_complete(b->state->ticket, b))
        return false;
    b->state->ticket = 0;
    return true;
}

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

#define KRYLOV_EACH(name, sums, args_type, a, n, x, s, takes, per_bound, finish)                                       \
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
