/* job_script.h - the script of a job, which runs an ensemble until the time is over and submits the next job. */
#ifndef KILN_CLI_SUBMIT_JOB_SCRIPT_H
#define KILN_CLI_SUBMIT_JOB_SCRIPT_H

#include "src/cli/submit/scheduler.h"

#define JOB_SCRIPT_MARK "# Written by kiln submit."               /* marks an older script, which may be replaced */

/* Absolute paths, but that of the input, which is relative to `folder`; `script` is NULL for standard output. */
typedef struct { const char *folder, *program, *input, *script; } job_paths;

void job_script_add(text *t, const scheduler *s, const job_request *r, const job_paths *paths);

#endif
