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

/* The largest omega dt, dt one step of the scheme, up to which the scheme is stable, with a resolution of 0.01.  For a
 * two-level scheme the force of the oscillator belongs to the gauge level. */
double scheme_stability(const scheme *s, double lambda);

/* longest[e] <- the step size of level e < count in a trajectory of length 1.  If the drifts of the next outer level
 * have different lengths, the step size in the longest one. */
void longest_steps(double *longest, const level_params *levels, int count);

#endif
