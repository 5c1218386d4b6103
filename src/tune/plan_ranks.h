/* plan_ranks.h - the smallest number of GPUs, with one rank on each, whose memory is sufficient for a run. */
#ifndef KILN_TUNE_PLAN_RANKS_H
#define KILN_TUNE_PLAN_RANKS_H

#include "src/hmc/run_params.h"

enum { PLAN_RANKS_MAX = 1024 };

typedef struct {
    int ranks;                     /* of a group of replicas (grid_groups_here); 0: no number up to PLAN_RANKS_MAX */
    int grid[4];                   /* of grid_choose */
    size_t bytes;                  /* of each rank */
} ranks_fit;

/* The smallest number of ranks of each group for which every rank needs at most `available` bytes on its device. */
ranks_fit plan_ranks_find(const run_params *p, size_t available);

#endif
