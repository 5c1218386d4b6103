/* staggered_batch.h - the staggered Dirac operator for a literal number of systems of a batch, in literal formats.
 *
 * The sums of all systems stay in registers, and each link is loaded once for all.  The stored bits are the same as
 * from staggered_hop_sites and staggered_normal for one system. */
#ifndef KILN_KERNELS_STAGGERED_BATCH_H
#define KILN_KERNELS_STAGGERED_BATCH_H

#include "src/kernels/krylov_site.h"
#include "src/kernels/staggered_hops.h"

/* out_n <- D in_n */
SITE_FN void batch_hop_as(vector_format f, link_format long_format, int systems, const batch_hop_args *a, site x)
{
    color_vector d[BATCH_MAX_RHS];
    hops_of(f, long_format, systems, &a->l, &a->fat, &a->long_links, a->unit, a->naik, a->in, x, d);
    UNROLL_LOOP
    for (int n = 0; n < systems; n++)
        store_vector_as(f, &a->out[n], x, d[n]);
}

/* out_n <- shift_n y_n - D in_n; s_n = Re y_n^+ out_n */
SITE_FN void batch_normal_as(vector_format f, link_format long_format, int systems, const batch_hop_args *a, site x,
                             real *s)
{
    color_vector d[BATCH_MAX_RHS];
    hops_of(f, long_format, systems, &a->l, &a->fat, &a->long_links, a->unit, a->naik, a->in, x, d);
    UNROLL_LOOP
    for (int n = 0; n < systems; n++) {
        double shift = a->b.state->system[a->b.number[n]].shift;
        normal_pair p = normal_end(f, &a->out[n], &a->y[n], shift, d[n], x);
        s[n] = vector_dot(p.y, p.out).re;
    }
}

#define BATCH_HOP(format, long_format, suffix, systems)                                                                \
    KRYLOV_MAP(staggered_batch_hop_##systems##suffix, batch_hop_args, a, x)                                            \
    {                                                                                                                  \
        batch_hop_as(format, long_format, systems, a, x);                                                              \
    }
#define BATCH_NORMAL(format, long_format, suffix, systems)                                                             \
    KRYLOV_SUM(staggered_batch_normal_##systems##suffix, systems, batch_hop_args, a, x, s, curvature_per_bound,        \
               curvature_finish)                                                                                       \
    {                                                                                                                  \
        batch_normal_as(format, long_format, systems, a, x, s);                                                        \
    }

#define FOR_1_2_4_8(kernel, format, long_format, suffix)                                                               \
    kernel(format, long_format, suffix, 1)                                                                             \
    kernel(format, long_format, suffix, 2)                                                                             \
    kernel(format, long_format, suffix, 4)                                                                             \
    kernel(format, long_format, suffix, 8)

#endif
