/* scheduler.h - the schedulers for which kiln submit writes scripts: one row each.
 *
 * To add one, write a function that prints its requests, and its name and row in scheduler.c. */
#ifndef KILN_CLI_SUBMIT_SCHEDULER_H
#define KILN_CLI_SUBMIT_SCHEDULER_H

#include "src/cli/submit/job.h"

typedef struct {
    const char *title;
    const char *command;            /* that submits: searched on PATH, to choose a scheduler */
    const char *prefix;           /* begins a line of requests: "#SBATCH " */
    /* Append the requests of a job, a line each. */
    void (*requests)(text *t, const char *prefix, const job_request *r);
    /* Append what starts the ranks, with a blank at the end; --launcher replaces it. */
    void (*launcher)(text *t, const job_request *r);

    /* In the shell.  A job submits $script: itself, as the scheduler has copied it, or the file of --output if
     * `needs_file` (then --output is required). */
    const char *first, *next;       /* submits a script: "sbatch", before its quoted name; "sbatch \"$script\"" */
    bool needs_file;
    const char *end_variable;       /* kiln run reads the end of the job from this variable; NULL: from none */
    const char *signal_ranks;       /* sends SIGUSR1 to all ranks, which run under the launcher in process $run */
    bool requests_memory;
} scheduler;

extern const char *const scheduler_names[];         /* in the order of the table; NULL at the end */
const scheduler *scheduler_row(int index);

/* The first scheduler whose command is on PATH; the first of the table if none is. */
int scheduler_of_machine(void);

#endif
