/* open_times.h - the time slice of a site, and the weights of loops with open boundaries in time.
 *
 * A loop is weighted by its lowest slice and by the number of its steps in t: 0 steps within a slice, 1 for plaquettes
 * with t and for bent loops, 1 or 2 for rectangles. */
#ifndef KILN_KERNELS_OPEN_TIMES_H
#define KILN_KERNELS_OPEN_TIMES_H

#include "src/kernels/open_args.h"
#include "src/site/load.h"

/* The slice of a site of this process, in the whole lattice. */
SITE_FN int slice_of_site(const lattice_view *l, int x)
{
    int slice = l->local[0] / 2 * l->local[1] * l->local[2];
    return l->origin[3] + (x - site_of_parity(l, site_parity(l, x), 0)) / slice;
}

/* The weight of loops that begin `below` slices below slice t; below slice 0 they go through inactive links. */
SITE_FN double weight_of_loop(const time_weights *w, int times, int t, int below, int steps)
{
    if (steps == 0)
        return t == 0 || t == times - 1 ? w->space * w->ends : w->space;
    return t - below >= 0 && t - below + steps < times ? w->time : 0;
}

SITE_FN real loop_weight(const time_weights *w, const lattice_view *l, site x, int below, int steps)
{
    real r = spread(0);
    for (int lane = 0; lane < LANES; lane++)
        set_lane(&r, lane, (scalar)weight_of_loop(w, l->global[3], slice_of_site(l, x.at[lane]), below, steps));
    return r;
}

/* 1 in the slices between the first and the last, 0 in these */
SITE_FN real is_between_ends(const lattice_view *l, site x)
{
    real r = spread(0);
    for (int lane = 0; lane < LANES; lane++) {
        int t = slice_of_site(l, x.at[lane]);
        set_lane(&r, lane, t > 0 && t < l->global[3] - 1 ? (scalar)1 : (scalar)0);
    }
    return r;
}

#endif
