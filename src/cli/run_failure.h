/* run_failure.h - what a failed run has lost, and what the user can do. */
#ifndef KILN_CLI_RUN_FAILURE_H
#define KILN_CLI_RUN_FAILURE_H

#include "src/base/error.h"

#include <stdint.h>

/* For an ensemble that cannot be opened: log the reason `why`, and advice if one of its files cannot be written.
 * `fresh`: it has no state yet. */
void run_failure_log_opening(const char *directory, bool fresh, const failure *why);

/* The run has failed after the trajectory `reached`. */
typedef struct {
    const char *directory;
    bool has_state;                    /* the newest state still exists */
    int64_t newest;                    /* its trajectory */
    const char *within;                /* "", or for a mid-trajectory checkpoint its step (run_restarts_step_words) */
    int64_t reached;
} run_failure;
void run_failure_log(const run_failure *r, const failure *why);

#endif
