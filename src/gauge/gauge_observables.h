/* gauge_observables.h - loops and traces of the gauge field, normalized to 1 for unit links. */
#ifndef KILN_GAUGE_GAUGE_OBSERVABLES_H
#define KILN_GAUGE_GAUGE_OBSERVABLES_H

#include "src/gauge/gauge.h"
#include "src/gauge/loop_weights.h"

/* Means over sites and planes (or orientations) of Re Tr W / 3.  With open boundaries in t, these are means over the
 * active loops (kernels/open_args.h) with equal weights; a Polyakov loop in t does not exist, and its mean is 0.  All
 * functions that take links are collective. */
typedef struct { double average, spatial, temporal; } plaquette_means;
plaquette_means gauge_plaquette(const gauge *u);
plaquette_means gauge_plaquette_of_all(const gauge *u);     /* including inactive links, for the metadata of files */
double gauge_rectangle(const gauge *u);             /* the 12 orientations of 2x1 */
double gauge_parallelogram(const gauge *u);         /* the 16 bent loops (mu, nu, rho, -mu, -nu, -rho) */

/* Mean over the sites of a slice of Tr prod U_mu / 3. */
typedef struct { double re, im; } polyakov_mean;
polyakov_mean gauge_polyakov(const gauge *u, int direction);

typedef struct {
    double link_trace;      /* mean of Re Tr U / 3 */
    double unitarity;       /* the largest |(U^+U - 1)_ij| or |det U - 1|; NaN if a link is not finite */
} link_quality_means;
link_quality_means gauge_link_quality(const gauge *u);

/* The same means from sums over all sites: sums[0], sums[1]: of Re Tr of spatial and of temporal plaquettes; sum: of
 * Re Tr of links. */
plaquette_means plaquette_means_of(const double sums[2], double volume);
double link_trace_of(double sum, double volume);

/* Observables of the field strength F of the four-leaf clover (docs/conventions.md).  energy: -Tr F F summed over
 * planes, per site; charge: -(1/4 pi^2) sum over sites of Tr (F_01 F_23 - F_02 F_13 + F_03 F_12). */
/* energy = spatial + temporal planes.  With open boundaries `energy` is a mean over the slices 1 to T - 2. */
typedef struct { double energy, spatial, temporal, charge; } field_strength_means;
field_strength_means gauge_field_strength(const gauge *u);

/* The largest |U - V| (Frobenius: sqrt of the sum of |(U - V)_ij|^2) of a link; NaN if a link is not finite.  Both
 * fields are at the same place and in the same precision. */
double gauge_distance(const gauge *u, const gauge *v);

/* Sums over loops of f (1 - Re Tr W / 3), f: the factor in `w` of a loop with its number of steps in t, and of its time
 * slice (loop_weights.h).  The sums that are not requested are 0. */
typedef struct { double plaquette, rectangle, parallelogram; } loop_sums;
loop_sums gauge_weighted_loops(const gauge *u, const time_weights *w, bool with_rectangles, bool with_parallelograms);
/* Sums of f alone. */
loop_sums gauge_loop_counts(const lattice *l, const time_weights *w);

/* Open boundaries in t: a new field with DENSITIES reals per site (kernels/open_args.h), which the caller frees. */
field gauge_open_densities(const gauge *u);

/* The energy from plaquettes: 2 sum over planes of Re Tr (1 - P), per site. */
double gauge_plaquette_energy(const gauge *u);

#endif
