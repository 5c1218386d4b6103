/* run_failure.h - what a run that failed has lost, and what its user does. */
#ifndef KILN_CLI_RUN_FAILURE_H
#define KILN_CLI_RUN_FAILURE_H

#include "src/base/error.h"

#include <stdint.h>

/* The ensemble cannot be opened.  After the reason, advice is logged if a file of it cannot be written; `fresh`: it had
 * no state yet. */
void run_failure_log_opening(const char *directory, bool fresh, const failure *why);

/* The run has failed after the trajectory `reached`. */
typedef struct {
    const char *directory;
    bool has_state;                    /* the newest state is still there: */
    int64_t newest;                    /* the one after this trajectory, */
    const char *within;                /* or, unless this is "", at a step of the next one (run_restarts_step_words) */
    int64_t reached;
} run_failure;
void run_failure_log(const run_failure *r, const failure *why);

#endif
