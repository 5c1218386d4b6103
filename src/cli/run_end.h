/* run_end.h - how a run ended: the JSON object of kiln run --json. */
#ifndef KILN_CLI_RUN_END_H
#define KILN_CLI_RUN_END_H

#include <stdbool.h>
#include <stdint.h>

/* Texts are borrowed; NULL, and a trajectory below 0, are written as null. */
typedef struct {
    const char *directory;             /* of the ensemble */
    const char *end;                   /* "complete", "stopped", "failed" */
    const char *by;                    /* the signal, or "walltime" */
    const char *reason;                /* of a failure */
    int64_t trajectory, until;         /* the last complete one; the last requested one */
    bool advanced;                     /* more is on disk than before the command */
    int restarts;                      /* of its process (run_restarts.h) */
} run_end;

/* A line on stdout. */
void run_end_print(const run_end *e);

#endif
