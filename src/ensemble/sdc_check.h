/* sdc_check.h - check for silent data corruption (SDC): evaluate a force, an action or sweeps twice, compare all bits.
 *
 * Results of Kiln do not depend on threads, places or time: different bits mean faulty hardware.  In a fraction
 * `sdc_check.rate` of the trajectories Kiln evaluates the force or the action of one term twice before one step of the
 * dynamics; without dynamics it repeats all sweeps over the links.  Whether, step and term are drawn from random
 * numbers with a purpose of their own, so a trajectory that is generated again is checked at the same step.
 *
 *     DIRECTORY/sdc.000007/sdc.json          trajectory, step, term, ranks, host, device, both values
 *     DIRECTORY/sdc.000007/first.npy, second.npy  both forces, eight reals a link; both links */
#ifndef KILN_ENSEMBLE_SDC_CHECK_H
#define KILN_ENSEMBLE_SDC_CHECK_H

#include "src/hmc/hmc.h"

/* The step and term of a trajectory that are checked; step < 0: none. */
typedef enum { SDC_CHECK_FORCE, SDC_CHECK_ACTION, SDC_CHECK_SWEEPS } sdc_check_what;
typedef struct { int64_t step; int term; sdc_check_what what; } sdc_check_choice;
sdc_check_choice sdc_check_choose(const run_params *p, const hmc *h, int64_t trajectory);

/* For tests: called with the first result before the second evaluation, to cause a mismatch. */
typedef struct {
    void (*disturb)(void *with, int64_t trajectory, field *force_or_links, double *action);      /* or NULL */
    void *with;
} sdc_check_hook;

/* SDC_CHECK_UNABLE: both evaluations failed; the trajectory will fail for the same reason. */
typedef enum { SDC_CHECK_SAME, SDC_CHECK_DIFFERS, SDC_CHECK_UNABLE } sdc_check_verdict;

/* One check; all pointers are borrowed. */
typedef struct {
    const sdc_check_choice *choice;
    int64_t trajectory;
    const sdc_check_hook *hook;         /* or NULL */
} sdc_check_task;

/* Check between two steps, or after sweeps.  The trajectory continues with the same bits as without the check.  If the
 * results differ, both are written to a folder, and `said` is the message, with step, term and device. */
sdc_check_verdict sdc_check_compare(const run_params *p, hmc *h, gauge *u, const sdc_check_task *t, failure *said);

/* The object "sdc_check" in the line of a trajectory: term, force or action, step, number of mismatches before. */
void sdc_check_to_json(json *j, const run_params *p, const hmc *h, const sdc_check_choice *c, int64_t trajectory);

/* The number of mismatches of a trajectory that the folder has. */
int sdc_check_mismatches(const char *directory, int64_t trajectory);

/* Remove unfinished folders of killed processes.  The caller holds the lock. */
void sdc_check_sweep(const char *directory);

#endif
