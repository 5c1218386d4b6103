/* test_gpu_of_rank.c - each rank of a node takes a GPU of its own, however many the launcher shows it. */
#include "src/comm/gpu_of_rank.h"
#include "tests/facts.h"

#include <stdio.h>
#include <string.h>

enum { NODES = 2, EACH = 4, RANKS = NODES * EACH };

/* The GPUs that the ranks of two nodes take, where the launcher shows each rank so many of its node: all four, two for
 * a pair of ranks, or one. */
static void take(gpu_name *of, int visible)
{
    for (int r = 0; r < RANKS; r++) {
        const int local = r % EACH, first = local / visible * visible;
        of[r] = (gpu_name){ .node = r - local };
        snprintf(of[r].bus, sizeof of[r].bus, "0000:%02x:00.0", first + gpu_of_rank(local, visible));
    }
}

int main(void)
{
    gpu_name of[RANKS];
    failure why = { .why = "" };
    for (int visible = 1; visible <= EACH; visible *= 2) {
        take(of, visible);
        fact(gpus_are_distinct(of, RANKS, &why) && gpus_count(of, RANKS) == RANKS,
             "ranks that see %d of the four GPUs of their node take all of them: %s", visible, why.why);
    }
    take(of, EACH);
    fact(gpu_of_rank(5, EACH) == 1, "with more ranks than GPUs they begin again");
    snprintf(of[6].bus, sizeof of[6].bus, "%s", of[5].bus);
    fact(!gpus_are_distinct(of, RANKS, &why), "two ranks that share a GPU are refused");
    fact(strstr(why.why, "ranks 5 and 6 of one node share GPU 0000:01:00.0") != NULL, "by name: %s", why.why);
    fact(gpus_count(of, RANKS) == RANKS - 1, "and share it in the count");
    take(of, EACH);
    fact(strcmp(of[1].bus, of[5].bus) == 0 && gpus_are_distinct(of, RANKS, &why),
         "GPUs in the same place of two nodes are two");
    return facts_end();
}
