/* stability.h - the longest step with which an integrator is stable.
 *
 * For a harmonic oscillator of frequency omega every step is a linear map of determinant 1.  Trajectories stay bounded
 * if the absolute value of its trace is at most 2; beyond, they grow exponentially.  Leapfrog is stable up to
 * omega dt = 2, omelyan with OMELYAN_LAMBDA up to 2.554.
 *
 * R. G. Edwards, I. Horvath, A. D. Kennedy, Nucl. Phys. B 484 (1997) 375; B. Joo, B. Pendleton, A. D. Kennedy,
 * A. C. Irving, J. C. Sexton, S. M. Pickles, S. P. Booth, Phys. Rev. D 62 (2000) 114501. */
#ifndef KILN_INTEGRATORS_STABILITY_H
#define KILN_INTEGRATORS_STABILITY_H

#include "integrators/schedule.h"

/* The largest omega dt up to which a scheme is stable, with a resolution of 0.01.  For a two-level scheme, the
 * oscillator is in the force of its gauge level. */
double scheme_stability(const scheme *s, double lambda);

/* longest[e] <- the step of level e < count in a trajectory of length 1.  If the drifts of the level outside are not
 * all equal, that in the longest drift. */
void longest_steps(double *longest, const level_params *levels, int count);

#endif
