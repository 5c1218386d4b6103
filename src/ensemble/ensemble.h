/* ensemble.h - the folder an ensemble lives in: start, continue, go on trajectory by trajectory.
 *
 *     DIRECTORY/parameters.yaml             the complete parameters, written when the ensemble is created
 *     DIRECTORY/segments.jsonl                which parameters made which trajectories, if they changed (segments.h)
 *     DIRECTORY/run.jsonl, run.log          the record, for programs and for people
 *     DIRECTORY/lock                        held by the process that works here
 *     DIRECTORY/NAME.000010.lime            configurations, kept for good, never overwritten
 *     DIRECTORY/NAME.checkpoint.000013.lime the newest states between them
 *
 * Every lime file is ILDG with the state of the stream (run_state), and so a place to continue from.
 * A trajectory that cannot go on leaves DIRECTORY/failure.000014 (failure_folder.h), one that was left under way
 * DIRECTORY/midtrajectory.000014.000123 (midtrajectory.h).
 * What the SDC check found is in DIRECTORY/sdc.000014 (sdc_check.h).
 * There is no other state: random numbers are named, not generated, so that a stream continued from
 * trajectory n is the uninterrupted one to the last bit. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_H
#define KILN_ENSEMBLE_ENSEMBLE_H

#include "src/ensemble/record.h"
#include "src/ensemble/sdc_check.h"
#include "src/ensemble/walltime.h"

#include <signal.h>

typedef struct ensemble ensemble;

/* Open the ensemble that `p` describes, with its links at `where`: take the lock, create the folder or
 * find the newest valid state in it.  States whose content is damaged are set aside (NAME.lime.corrupt), which is
 * said.  NULL with the reason: locked, other parameters, not writable, a start file that is not acceptable; a
 * state that the system does not give, or another stream's under the name of one of these: nothing is touched. */
ensemble *ensemble_open(const run_params *p, place where, failure *f);

/* The same for parameters that differ from those of the ensemble, in what a stream may change: they hold from the
 * next trajectory on (segments.h).  `reason` is kept with that; NULL where none is given or nothing differs. */
ensemble *ensemble_open_segment(const run_params *p, place where, const char *reason, failure *f);

/* Release the lock and the memory.  Nothing is written. */
void ensemble_close(ensemble *e);

int64_t ensemble_trajectory(const ensemble *e);       /* number of the last trajectory in the links; 0: the start */
const gauge *ensemble_links(const ensemble *e);

typedef enum { ENSEMBLE_DONE, ENSEMBLE_STOPPED, ENSEMBLE_FAILED } ensemble_end;

/* What a progress line may say after a trajectory. */
typedef struct {
    int64_t number, until;
    const hmc_outcome *outcome;
    const record_observables *observables;
    double seconds;
} ensemble_progress;

/* Where a run ends before all is made, and what it keeps meanwhile. */
typedef struct {
    const volatile sig_atomic_t *stop;  /* set by a signal */
    walltime time;                      /* begun when the process was */
    double midtrajectory_every;         /* seconds between two mid-trajectory checkpoints; < 0: only at a stop */
    const sdc_check_hook *hook;          /* NULL but in tests */
} run_limits;

/* Go on up to and including trajectory `until`, telling each one; first the one that was left under way, if it has a
 * mid-trajectory checkpoint.  On ENSEMBLE_STOPPED (by a limit) and on ENSEMBLE_DONE the state on disk is that of
 * ensemble_trajectory, with a mid-trajectory checkpoint of the next one beside it if that was begun; on ENSEMBLE_FAILED
 * the reason is in `f` and what was on disk before still is; if a monomial could not go on, the links are those of
 * ensemble_trajectory. */
ensemble_end ensemble_run(ensemble *e, int64_t until, const run_limits *limits,
                          void (*tell)(const ensemble_progress *progress), failure *f);

/* Whether the newest state that this run knows of is still in the folder. */
bool ensemble_state_is_there(const ensemble *e);

/* Whether the run has left more on disk than it found: a trajectory, or a mid-trajectory checkpoint further on. */
bool ensemble_advanced(const ensemble *e);

#endif
