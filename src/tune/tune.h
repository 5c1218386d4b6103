/* tune.h - the integrator of an input, chosen by measurement: warm up, learn, choose, prove.
 *
 *     warm up   trajectories without Metropolis test, with steps that follow dH, where links are not thermalised
 *     learn     trajectories with brackets at both ends; one start again with other steps
 *     masses    Hasenbusch masses moved one at a time: forces, second derivatives and seconds on the same links
 *     solvers   every fixed kind of solver of a monomial timed on the same links
 *     choose    the cheapest setting whose predicted acceptance reaches the target (tune_model.h)
 *     prove     trajectories with it, learnt from too; where they are not as predicted, choose and prove again
 *
 * Everything happens on links in memory. */
#ifndef KILN_TUNE_TUNE_H
#define KILN_TUNE_TUNE_H

#include "src/ensemble/links_at_hand.h"
#include "src/hmc/run_input.h"
#include "src/tune/tune_result.h"

/* What is tuned, on which links, and how; all borrowed. */
typedef struct {
    const run_input *in;
    const tune_source *source;         /* that `in` was read from */
    gauge *u;                          /* the links to begin with; overwritten */
    bool thermalised;                  /* they are: nothing to warm up */
    const state_memory *memory;        /* that goes with them */
    const tune_request *request;
    const volatile sig_atomic_t *stop; /* set: tuning ends early; NULL: never */
} tune_task;

/* Progress is told as log_progress does.  False with the reason where a term could not go on or `*stop` was set. */
bool tune_run(tune_result *r, const tune_task *task, failure *f);

/* Whether an input can be tuned; if not, why. */
bool tune_check(const run_params *p, failure *f);

#endif
