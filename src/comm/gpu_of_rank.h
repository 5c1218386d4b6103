/* gpu_of_rank.h - which GPU of its node a rank takes. */
#ifndef KILN_COMM_GPU_OF_RANK_H
#define KILN_COMM_GPU_OF_RANK_H

#include "src/base/error.h"

/* The GPU of a rank among those that it sees: the launcher shows each rank all of the node, or one of its own. */
int gpu_of_rank(int local_rank, int visible);

/* A GPU, as the driver names it on every rank alike: the first rank of its node, and its place on the bus. */
typedef struct { int node; char bus[32]; } gpu_name;

/* The number of different GPUs of the ranks. */
int gpus_count(const gpu_name *of_rank, int ranks);

/* Whether no rank before this one has its GPU. */
bool gpu_is_first_here(const gpu_name *of_rank, int rank);

/* Whether each rank has one of its own; false with the first two that share one. */
bool gpus_are_distinct(const gpu_name *of_rank, int ranks, failure *f);

#endif
