/* gpu_of_rank.c - GPUs by the number of a rank on its node, and GPUs that ranks share. */
#include "src/comm/gpu_of_rank.h"

#include <string.h>

int gpu_of_rank(int local_rank, int visible)
{
    return local_rank % visible;
}

static bool is_same(const gpu_name *a, const gpu_name *b)
{
    return a->node == b->node && strcmp(a->bus, b->bus) == 0;
}

/* The first rank with the GPU of this one. */
static int first_with(const gpu_name *of_rank, int rank)
{
    int r = 0;
    while (!is_same(&of_rank[r], &of_rank[rank]))
        r++;
    return r;
}

bool gpu_is_first_here(const gpu_name *of_rank, int rank)
{
    return first_with(of_rank, rank) == rank;
}

int gpus_count(const gpu_name *of_rank, int ranks)
{
    int count = 0;
    for (int r = 0; r < ranks; r++)
        count += gpu_is_first_here(of_rank, r);
    return count;
}

bool gpus_are_distinct(const gpu_name *of_rank, int ranks, failure *f)
{
    for (int r = 0; r < ranks; r++)
        if (!gpu_is_first_here(of_rank, r))
            return fail(f, "ranks %d and %d of one node share GPU %s; start as many ranks on a node as it has GPUs, "
                           "or give --share-gpu", first_with(of_rank, r), r, of_rank[r].bus);
    return true;
}
