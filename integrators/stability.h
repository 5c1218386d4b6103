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

/* The largest omega dt below which a scheme is stable, to 0.01.  The oscillator is the gauge level of a two-level
 * scheme. */
double scheme_stability(const scheme *s, double lambda);

/* The longest step of each level of a trajectory of length 1, in an array with room for `count` of them; of uneven
 * drifts of an outer scheme the longest. */
void longest_steps(double *longest, const level_params *levels, int count);

#endif
