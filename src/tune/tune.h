/* tune.h - choose the integrator of an input by measurement: thermalize, learn, choose, prove.
 *
 *     thermalize  if needed: trajectories without Metropolis test, with the number of steps adapted to dH
 *     learn       trajectories with brackets at both ends; one start repeated with another number of steps
 *     masses      Hasenbusch masses changed one at a time: forces, second derivatives and seconds on the same links
 *     solvers     every fixed kind of solver of a monomial timed on the same links
 *     schemes     other integrators for the levels, each learned from trajectories with it
 *     residuals   the change of dH by the residuals of forces, from the same starts
 *     longer      a few trajectories with longer steps, if a setting with them may be cheaper (tune_longer.c)
 *     choose      the cheapest setting whose predicted acceptance reaches the target (tune_model.h)
 *     prove       trajectories with this setting, also used for learning; if they disagree with the prediction, choose
 *                 and prove again (tune_choose.c)
 *
 * Nothing is written, except the checkpoint if the request names a folder (tune_checkpoint.h). */
#ifndef KILN_TUNE_TUNE_H
#define KILN_TUNE_TUNE_H

#include "src/ensemble/latest_links.h"
#include "src/ensemble/run_limits.h"
#include "src/hmc/run_input.h"
#include "src/tune/tune_result.h"

/* The input, the links and the request; all borrowed. */
typedef struct {
    const run_input *in;
    const tune_source *source;         /* that `in` was read from */
    gauge *u;                          /* the first links; overwritten */
    const char *origin;                /* theirs, in words, for the checkpoint; NULL: unknown */
    bool thermalized;                  /* no thermalization is needed */
    const state_memory *memory;        /* of the state with these links */
    const tune_request *request;
    const run_limits *limits;          /* their signal ends tuning early; NULL: none */
} tune_task;

/* Report progress with log_progress.  False with the reason if a term fails, or at a signal
 * (the `stopped` of the limits is then true). */
bool tune_run(tune_result *r, const tune_task *task, failure *f);

/* Whether an input can be tuned; false with the reason. */
bool tune_check(const run_params *p, failure *f);

#endif
