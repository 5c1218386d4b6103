/* job.h - what kiln submit was asked for, and how the ranks of a job lie on nodes. */
#ifndef KILN_CLI_SUBMIT_JOB_H
#define KILN_CLI_SUBMIT_JOB_H

#include "src/options/rank_options.h"

/* The strings are borrowed; a number of 0 and a NULL were not given.  Complete (cmd_submit.c): `name`, `ranks.count`,
 * `gpus` and `gpus_per_node` have values. */
typedef struct {
    int scheduler;                                  /* index into scheduler_table */
    double seconds;                                 /* time limit of a job */
    const char *partition, *account, *memory, *name, *output, *launcher;
    int64_t gpus, cpus, signal_seconds;             /* gpus < 0: one of each rank */
    int64_t gpus_per_node;
    rank_options ranks;
    double checkpoint_minutes;                      /* < 0: not given */
    text_refs sets, requests, setup;
} job_request;

/* As few nodes as possible for ranks with GPUs, with equally many ranks or one less; one node for one rank.  Without
 * GPUs, several ranks lie where the scheduler puts them: nodes is 0. */
typedef struct { int64_t nodes, ranks_per_node, gpus_per_node; } job_layout;
job_layout job_layout_of(const job_request *r);

#endif
