/* time_slices.h - the time slice of a site, and the weights of loops by direction and slice.
 *
 * The weight of a loop depends on its number of steps in t: 0 within a slice, 1 for plaquettes and parallelograms with
 * t, 1 or 2 for rectangles with t; with open boundaries in time also on its lowest slice. */
#ifndef KILN_KERNELS_TIME_SLICES_H
#define KILN_KERNELS_TIME_SLICES_H

#include "src/kernels/weighted_args.h"
#include "src/site/load.h"

/* The slice of a site of this process, in the whole lattice. */
SITE_FN int slice_of_site(const lattice_view *l, int x)
{
    int slice = l->local[0] / 2 * l->local[1] * l->local[2];
    return l->origin[3] + (x - site_of_parity(l, site_parity(l, x), 0)) / slice;
}

/* With open boundaries: the factor of a loop with `steps` steps in t that begins `below` slices below slice t, on a
 * lattice of `times` slices.  It is `ends` for loops in space in the first and the last slice, and 0 for loops that
 * leave the lattice in t, because they have inactive links. */
SITE_FN double open_weight(double ends, int times, int t, int below, int steps)
{
    if (steps == 0)
        return t == 0 || t == times - 1 ? ends : 1;
    return t - below >= 0 && t - below + steps < times ? 1 : 0;
}

/* `of_steps`: the member of `w` for this kind of loop */
SITE_FN real loop_weight(const double *of_steps, const time_weights *w, const lattice_view *l, site x, int below,
                         int steps)
{
    real r = spread((scalar)of_steps[steps]);
    for (int lane = 0; w->open && lane < LANES; lane++) {
        const double active = open_weight(w->ends, l->global[3], slice_of_site(l, x.at[lane]), below, steps);
        set_lane(&r, lane, (scalar)(of_steps[steps] * active));
    }
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
