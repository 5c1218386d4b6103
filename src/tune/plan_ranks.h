/* plan_ranks.h - from how many GPUs on the memory of a run suffices, one rank on each. */
#ifndef KILN_TUNE_PLAN_RANKS_H
#define KILN_TUNE_PLAN_RANKS_H

#include "src/hmc/run_params.h"

enum { PLAN_RANKS_MAX = 1024 };

typedef struct {
    int ranks;                     /* of a group of replicas (grid_groups_here); 0: no number up to PLAN_RANKS_MAX */
    int grid[4];                   /* of grid_choose */
    size_t bytes;                  /* of each rank */
} ranks_fit;

/* The smallest possible number of ranks of each group with at most `available` bytes on the device of each. */
ranks_fit plan_ranks_find(const run_params *p, size_t available);

#endif
