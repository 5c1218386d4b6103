/* sentinel.h - the same force, action, or sweeps twice: what comes of it must have the same bits.
 *
 * Kiln's numbers do not depend on threads, places or time, so that a difference is the machine's: memory, a core, a
 * link between them.  In a trajectory in `sentinel.rate` of them one term of the action is asked for its force (or
 * value) on the links as they are at some step, links are handed out anew, and it is asked again; where there is no
 * dynamics, all sweeps over the links are made again.  Trajectory, step and term are drawn with random numbers of their
 * own, so that a trajectory that is made again is looked at where it was.
 *
 *     DIRECTORY/mismatch.000007/mismatch.json          trajectory, step, term, host, device, both values
 *     DIRECTORY/mismatch.000007/first.npy, second.npy  both forces, eight reals a link; both links */
#ifndef KILN_ENSEMBLE_SENTINEL_H
#define KILN_ENSEMBLE_SENTINEL_H

#include "src/hmc/hmc.h"

/* Where a trajectory is looked at, and at what; step < 0: it is not. */
typedef enum { SENTINEL_FORCE, SENTINEL_ACTION, SENTINEL_SWEEPS } sentinel_what;
typedef struct { int64_t step; int term; sentinel_what what; } sentinel_choice;
sentinel_choice sentinel_choose(const run_params *p, const hmc *h, int64_t trajectory);

/* Called with the first result before the second one is made; for tests, which are the trouble they look for. */
typedef struct {
    void (*disturb)(void *with, int64_t trajectory, field *force_or_links, double *action);      /* or NULL */
    void *with;
} sentinel_hook;

/* SENTINEL_UNABLE: the term could not go on either time; the trajectory will tell why. */
typedef enum { SENTINEL_SAME, SENTINEL_DIFFERS, SENTINEL_UNABLE } sentinel_verdict;

/* Look, between two steps, or after sweeps; whatever the trajectory depends on is afterwards as it was.  Where results
 * differ both are kept, and `said` tells where, of what, and on which device. */
sentinel_verdict sentinel_look(const run_params *p, hmc *h, gauge *u, const sentinel_choice *c, int64_t trajectory,
                               const sentinel_hook *hook, failure *said);

/* The line's object of a trajectory that was looked at: the term, what of it, the step, and how often there was a
 * mismatch before. */
void sentinel_to_json(json *j, const run_params *p, const hmc *h, const sentinel_choice *c, int64_t trajectory);

/* How many mismatches of a trajectory lie in the folder. */
int sentinel_mismatches(const char *directory, int64_t trajectory);

/* Remove what a process that was killed has left half written.  The lock is held. */
void sentinel_sweep(const char *directory);

#endif
