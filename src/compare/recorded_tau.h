/* recorded_tau.h - what the record of an ensemble says of the cost of its independent configurations: 2 tau of its
 * slowest quantity. */
#ifndef KILN_COMPARE_RECORDED_TAU_H
#define KILN_COMPARE_RECORDED_TAU_H

#include "src/base/json.h"
#include "src/hmc/run_params.h"
#include "src/report/independent_cost.h"

typedef struct { bool known; char title[64]; correlated_mean of; } recorded_tau;

/* Of the ensemble in the folder of the input; not `known` without an ensemble, or if its series give no tau.
 * Reads as the calling rank alone. */
recorded_tau recorded_tau_read(const run_params *p);

/* What 2 tau trajectories of these seconds cost, before a tuning and after it: a line, and an object. */
void recorded_tau_to_text(text *out, const recorded_tau *t, double before, double tuned);
void recorded_tau_to_json(json *j, const char *key, const recorded_tau *t, double before, double tuned);

#endif
