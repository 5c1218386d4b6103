/* weighted_loops.c - weighted sums of Re Tr of loops by direction and time slice.
 *
 *     weighted_plaquette        s0: planes in space, s1: with t
 *     weighted_rectangle        s0: in space, s1: one step in t, s2: two steps in t
 *     weighted_parallelogram    s0: in space, s1: with t */
#include "src/kernels/loops_of_site.h"
#include "src/kernels/time_slices.h"
#include "src/site/site.h"

SITE_SUM(weighted_plaquette, 2, 0, weighted_loop_args, a, x, s)
{
    const time_weights *w = &a->w;
    const real in_space = loop_weight(w->plaquette, w, &a->g.l, x, 0, 0);
    const real in_time = loop_weight(w->plaquette, w, &a->g.l, x, 0, 1);
    plane_traces(&a->g, x, s);
    s[0] = s[0] * in_space;
    s[1] = s[1] * in_time;
}

SITE_SUM(weighted_rectangle, 3, 0, weighted_loop_args, a, x, s)
{
    const gauge_args *g = &a->g;
    s[0] = s[1] = s[2] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 two = two_links(g, x, mu);
        KEEP_LOOP
        for (int nu = 0; nu < 4; nu++) {
            if (nu == mu)
                continue;
            int steps = mu == 3 ? 2 : nu == 3;
            real w = loop_weight(a->w.rectangle, &a->w, &g->l, x, 0, steps);
            s[steps] = mad(w, rectangle_trace(g, x, mu, nu, two), s[steps]);
        }
    }
}

SITE_SUM(weighted_parallelogram, 2, 0, weighted_loop_args, a, x, s)
{
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int left_out = 0; left_out < 4; left_out++) {
        KEEP_LOOP
        for (int signs = 0; signs < 4; signs++) {
            int in_time = left_out != 3, below = in_time && signs & 2;
            real w = loop_weight(a->w.parallelogram, &a->w, &a->g.l, x, below, in_time);
            s[in_time] = mad(w, parallelogram_trace(&a->g, x, left_out, signs), s[in_time]);
        }
    }
}
