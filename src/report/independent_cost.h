/* independent_cost.h - the cost of an independent configuration: 2 tau trajectories.
 *
 *     cost = 2 tau seconds,   (error / cost)^2 = (tau_error / tau)^2 + (seconds_error / seconds)^2
 *
 * tau is the integrated autocorrelation time of an observable in trajectories (measure/autocorrelation.h).  A rejected
 * trajectory repeats a configuration, so tau contains the acceptance, and the cost is not divided by it again. */
#ifndef KILN_REPORT_INDEPENDENT_COST_H
#define KILN_REPORT_INDEPENDENT_COST_H

#include "src/base/text.h"
#include "src/measure/autocorrelation.h"

/* `value` in the unit of the cost of a trajectory, NaN without tau; `bound`: the series is too short, and tau, hence
 * also the value, is a lower bound. */
typedef struct { double value, error; bool bound; } independent_cost;

/* `of`: an observable, with tau in trajectories; `trajectory`: what a trajectory costs. */
independent_cost independent_cost_of(const correlated_mean *of, const correlated_mean *trajectory);

/* "410 +- 90", "> 410" for a lower bound, "-" without a value. */
void independent_cost_add(text *out, const independent_cost *c);

#endif
