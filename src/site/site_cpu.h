/* site_cpu.h - the sites of a range in groups of LANES, divided among threads of a CPU.  Included by site.h only. */
#ifndef KILN_SITE_SITE_CPU_H
#define KILN_SITE_SITE_CPU_H

/* The number of groups of LANES sites in a part of a range, and in all parts; group g, and how many sites it has. */
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

/* Adds the terms of group g, without those of padding. */
static inline void add_lanes(sum_cell *cell, real s, site_range range, int g, double per_bound)
{
    const int size = range_group_size(range, g);
    for (int lane = 0; lane < size; lane++)
        sum_cell_add(cell, (double)lane_of(s, lane), per_bound);
    if (g % (SUM_TERMS / LANES) == 0)            /* a thread has consecutive groups: at most SUM_TERMS terms apart */
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

#define ONE_BLOCK(name, args_type, a, thread, threads)                                                                 \
    SITE_FN void name##_thread(const args_type *a, int thread, int threads);                                           \
    void K(name)(const args_type *a, void *stream);                                                                    \
    void K(name)(const args_type *a, void *stream)                                                                     \
    {                                                                                                                  \
        (void)stream;                                                                                                  \
        name##_thread(a, 0, 1);                                                                                        \
    }                                                                                                                  \
    SITE_FN void name##_thread(const args_type *a, int thread, int threads)

#endif
