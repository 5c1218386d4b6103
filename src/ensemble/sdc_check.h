/* sdc_check.h - the same force, action, or sweeps twice: what comes of it must have the same bits.
 *
 * Kiln's numbers do not depend on threads, places or time, so that a difference is the machine's: memory, a core, a
 * link between them.  In a trajectory in `sdc_check.rate` of them one term of the action is asked for its force (or
 * value) on the links as they are at some step, links are handed out anew, and it is asked again; where there is no
 * dynamics, all sweeps over the links are made again.  Trajectory, step and term are drawn with random numbers of their
 * own, so that a trajectory that is made again is looked at where it was.
 *
 *     DIRECTORY/sdc.000007/sdc.json          trajectory, step, term, host, device, both values
 *     DIRECTORY/sdc.000007/first.npy, second.npy  both forces, eight reals a link; both links */
#ifndef KILN_ENSEMBLE_SDC_CHECK_H
#define KILN_ENSEMBLE_SDC_CHECK_H

#include "src/hmc/hmc.h"

/* Where a trajectory is looked at, and at what; step < 0: it is not. */
typedef enum { SDC_CHECK_FORCE, SDC_CHECK_ACTION, SDC_CHECK_SWEEPS } sdc_check_what;
typedef struct { int64_t step; int term; sdc_check_what what; } sdc_check_choice;
sdc_check_choice sdc_check_choose(const run_params *p, const hmc *h, int64_t trajectory);

/* Called with the first result before the second one is made; for tests, which are the trouble they look for. */
typedef struct {
    void (*disturb)(void *with, int64_t trajectory, field *force_or_links, double *action);      /* or NULL */
    void *with;
} sdc_check_hook;

/* SDC_CHECK_UNABLE: the term could not go on either time; the trajectory will tell why. */
typedef enum { SDC_CHECK_SAME, SDC_CHECK_DIFFERS, SDC_CHECK_UNABLE } sdc_check_verdict;

/* One look; all pointers are borrowed. */
typedef struct {
    const sdc_check_choice *choice;
    int64_t trajectory;
    const sdc_check_hook *hook;         /* or NULL */
} sdc_check_task;

/* Look, between two steps, or after sweeps; whatever the trajectory depends on is afterwards as it was.  Where results
 * differ both are kept, and `said` tells where, of what, and on which device. */
sdc_check_verdict sdc_check_look(const run_params *p, hmc *h, gauge *u, const sdc_check_task *t, failure *said);

/* The line's object of a trajectory that was looked at: the term, what of it, the step, and how often there was a
 * mismatch before. */
void sdc_check_to_json(json *j, const run_params *p, const hmc *h, const sdc_check_choice *c, int64_t trajectory);

/* How many mismatches of a trajectory lie in the folder. */
int sdc_check_mismatches(const char *directory, int64_t trajectory);

/* Remove what a process that was killed has left half written.  The lock is held. */
void sdc_check_sweep(const char *directory);

#endif
