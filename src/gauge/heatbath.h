/* heatbath.h - pure gauge updates link by link: pseudo heat bath and overrelaxation (kernels/heatbath_links.c).
 *
 * The weight of the links is exp(-S), S = sum over loops of w_loop (3 - Re Tr W) (loop_weights.h).  A sweep goes over
 * directions and colors (link_colors.h); an update of a link goes over three SU(2) subgroups.  Both updates leave the
 * weight stationary.  Overrelaxation also leaves S unchanged, and uses no random numbers. */
#ifndef KILN_GAUGE_HEATBATH_H
#define KILN_GAUGE_HEATBATH_H

#include "src/gauge/gauge.h"
#include "src/gauge/link_colors.h"
#include "src/kernels/heatbath_args.h"

typedef struct heatbath heatbath;

/* For links with the lattice and the place of `u`; link_colors_are_possible must hold.  Copies the weights. */
heatbath *heatbath_create(const gauge *u, const loop_weights *w);
void heatbath_free(heatbath *h);

/* Heat-bath sweep number `sweep` (below HEATBATH_SWEEPS) with the random numbers of `key`.  Links leave SU(3)
 * only by rounding; gauge_reunitarize corrects this. */
void heatbath_sweep(heatbath *h, gauge *u, rng_key key, int64_t sweep);
void heatbath_overrelax(heatbath *h, gauge *u);

/* The same for the links of one direction and one color, 0 <= color < heatbath_colors. */
int heatbath_colors(const heatbath *h, int mu);
void heatbath_links(heatbath *h, gauge *u, int mu, int color, rng_key key, int64_t sweep);
void heatbath_overrelax_links(heatbath *h, gauge *u, int mu, int color);

#endif
