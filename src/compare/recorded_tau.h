/* recorded_tau.h - the cost of an independent configuration, 2 tau trajectories of the slowest quantity in the record
 * of an ensemble. */
#ifndef KILN_COMPARE_RECORDED_TAU_H
#define KILN_COMPARE_RECORDED_TAU_H

#include "src/base/json.h"
#include "src/hmc/run_params.h"
#include "src/report/independent_cost.h"

typedef struct { bool known; char title[64]; correlated_mean of; } recorded_tau;

/* For the ensemble in the folder of the input. `known` is false without an ensemble, or if no tau can be estimated.
 * Not collective. */
recorded_tau recorded_tau_read(const run_params *p);

/* The cost, with `before` and `tuned` seconds a trajectory, as a line or as a JSON object (null if tau is not
 * known). */
void recorded_tau_to_text(text *out, const recorded_tau *t, double before, double tuned);
void recorded_tau_to_json(json *j, const char *key, const recorded_tau *t, double before, double tuned);

#endif
