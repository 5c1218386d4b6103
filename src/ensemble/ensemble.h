/* ensemble.h - the folder of an ensemble: start it, continue it, generate trajectories.
 *
 *     DIRECTORY/parameters.yaml             the complete parameters, written when the ensemble is created
 *     DIRECTORY/segments.jsonl              which parameters made which trajectories (segments.h)
 *     DIRECTORY/run.jsonl, run.log          the record, for programs and for people
 *     DIRECTORY/lock                        held by the process that runs the ensemble
 *     DIRECTORY/NAME.000010.lime            configurations: permanent, never overwritten
 *     DIRECTORY/NAME.checkpoint.000013.lime checkpoints: the newest states between configurations
 *     DIRECTORY/NAME.fields.000013          with a checkpoint: momenta and pseudofermions of SMD, or links of the
 *                                           other replicas of tempering (state_fields.h)
 *     DIRECTORY/failure.000014              a trajectory that failed, for kiln replay (failure_folder.h)
 *     DIRECTORY/midtrajectory.000014.000123 a trajectory that is not finished (midtrajectory.h)
 *     DIRECTORY/sdc.000014                  a mismatch that the SDC check found (sdc_check.h)
 *
 * Every lime file is ILDG with the state of the stream (run_state).  A run continues from checkpoints and from
 * configurations of 64 bits; with SMD and with tempering from checkpoints only, together with their folder of fields.
 * Random numbers have no state: they depend on seed, stream, trajectory and purpose only.  A stream that continues from
 * trajectory n is the uninterrupted one to the last bit. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_H
#define KILN_ENSEMBLE_ENSEMBLE_H

#include "src/ensemble/ensemble_handle.h"
#include "src/ensemble/record.h"
#include "src/ensemble/run_limits.h"

/* Open the ensemble that `p` describes, with its links at `where`: take the lock, create the folder or find the newest
 * valid state in it.  States whose content is damaged are renamed to NAME.lime.corrupt with a warning.  NULL with the
 * reason: locked, other parameters, not writable, an unacceptable start file, a state that cannot be read or that
 * belongs to another stream; then nothing is touched.  NULL, too, if `limits` (NULL: none; borrowed) ended the sweeps
 * over the start links. */
ensemble *ensemble_open(const run_params *p, place where, const run_limits *limits, failure *f);

/* The same with new parameters, which apply from the next trajectory on (segments.h).  They may differ in what a stream
 * can change.  segments.jsonl records `reason` (NULL: none). */
ensemble *ensemble_open_segment(const run_params *p, place where, const char *reason, failure *f);

/* Release the lock and the memory.  Nothing is written. */
void ensemble_close(ensemble *e);

/* With groups of ranks (hmc/replica_groups.h): the signal that stopped ensemble_run, which a rank of any group got.  0:
 * none. */
int ensemble_signal(const ensemble *e);

int64_t ensemble_trajectory(const ensemble *e);       /* number of the last trajectory in the links */

/* From now on ensemble_run calls emit(to, ...) on this rank: when it knows the state from which it continues, and after
 * each newer state that it writes.  Each rank may have a function or none. */
void ensemble_emit_states(ensemble *e, void (*emit)(void *to, stream_point newest), void *to);

/* The number of trajectories that this run generates again: their lines, after the state from which it continues, were
 * cut from the record when the ensemble was opened. */
int64_t ensemble_repeats(const ensemble *e);

typedef enum { ENSEMBLE_DONE, ENSEMBLE_STOPPED, ENSEMBLE_FAILED } ensemble_end;

/* Values for a line of progress after a trajectory.  iterations: of the solves of its monomials, which took
 * solve_seconds; 0 if a part of the trajectory was generated before this process. */
typedef struct {
    int64_t number, until;
    const hmc_outcome *outcome;
    const record_observables *observables;
    double seconds;
    int64_t iterations;
    double solve_seconds;
} ensemble_progress;

/* Generate trajectories up to and including `until`, and call `emit` after each one.  The first one continues from its
 * mid-trajectory checkpoint if that exists.  After ENSEMBLE_DONE and ENSEMBLE_STOPPED (by a limit) the folder has the
 * state after ensemble_trajectory, and a mid-trajectory checkpoint of the next trajectory if that has begun.  After
 * ENSEMBLE_FAILED the reason is in `f`, and files that existed before still exist; if a monomial failed, the links are
 * those after ensemble_trajectory. */
ensemble_end ensemble_run(ensemble *e, int64_t until, const run_limits *limits,
                          void (*emit)(const ensemble_progress *progress), failure *f);

/* Whether the newest state that this run has read or written is still in the folder. */
bool ensemble_state_is_there(const ensemble *e);

/* Whether the run has made progress that is on disk: a trajectory, or a later mid-trajectory checkpoint. */
bool ensemble_advanced(const ensemble *e);

#endif
