/* gpu_of_rank.h - which GPU of its node a rank uses. */
#ifndef KILN_COMM_GPU_OF_RANK_H
#define KILN_COMM_GPU_OF_RANK_H

#include "src/base/error.h"

/* The index of the GPU of a rank among the `visible` GPUs: a launcher lets each rank see all GPUs of the node, or
 * one of them. */
int gpu_of_rank(int local_rank, int visible);

/* A name of a GPU that is the same on every rank: the first rank of its node (comm_node), and its PCI bus address. */
typedef struct { int node; char bus[32]; } gpu_name;

/* The number of different GPUs of the ranks; of_rank[ranks]. */
int gpus_count(const gpu_name *of_rank, int ranks);

/* Whether no rank before `rank` uses the same GPU; of_rank: the GPUs of all ranks. */
bool gpu_is_first_here(const gpu_name *of_rank, int rank);

/* Whether each rank has a GPU to itself; false with the first two ranks that share one. */
bool gpus_are_distinct(const gpu_name *of_rank, int ranks, failure *f);

#endif
