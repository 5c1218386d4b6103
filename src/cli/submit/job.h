/* job.h - the request to kiln submit, and the distribution of the ranks of a job over nodes. */
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

/* For ranks with GPUs: as few nodes as possible, whose numbers of ranks differ by one at most; for one rank: one node.
 * For several ranks without GPUs the scheduler chooses the nodes, and nodes is 0. */
typedef struct { int64_t nodes, ranks_per_node, gpus_per_node; } job_layout;
job_layout job_layout_of(const job_request *r);

#endif
