/* heat_bath.h - pure gauge updates link by link: pseudo heat bath and overrelaxation (kernels/heat_bath_links.c).
 *
 * The weight of the links is exp(-S), S = sum over loops of w_loop (3 - Re Tr W).  A sweep goes over directions and
 * colours (link_colors.h), an update of a link over three SU(2) subgroups.  Both updates leave the weight stationary;
 * overrelaxation leaves S as it is, too, and draws nothing. */
#ifndef KILN_LATTICE_HEAT_BATH_H
#define KILN_LATTICE_HEAT_BATH_H

#include "src/kernels/heat_bath_args.h"
#include "src/lattice/gauge.h"
#include "src/lattice/link_colors.h"

typedef struct heat_bath heat_bath;

/* For links like `u`, on a lattice for which link_colors_are_possible. */
heat_bath *heat_bath_create(const gauge *u, const loop_weights *w);
void heat_bath_free(heat_bath *h);

/* Heat-bath sweep number `sweep` (below HEAT_BATH_SWEEPS) with the random numbers of `key`.  Links come off SU(3) by
 * rounding only; gauge_reunitarize brings them back. */
void heat_bath_sweep(heat_bath *h, gauge *u, rng_key key, int64_t sweep);
void heat_bath_overrelax(heat_bath *h, gauge *u);

/* The same for the links of one direction and colour. */
int heat_bath_colors(const heat_bath *h, int mu);
void heat_bath_links(heat_bath *h, gauge *u, int mu, int color, rng_key key, int64_t sweep);
void heat_bath_overrelax_links(heat_bath *h, gauge *u, int mu, int color);

#endif
