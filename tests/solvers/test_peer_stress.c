/* test_peer_stress.c - ghosts and sums between GPUs arrive before they are read, however late a rank comes: with
 * random delays of the kernels that pack, wait and add (KILN_PEER_STRESS), thousands of iterations of a solver give the
 * bits of one rank.  Ranks share a GPU where there are fewer GPUs than ranks. */
#include "gpu/device.h"
#include "src/base/text.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/solve_on_ranks.h"

#include <stdlib.h>

enum { SOLVES = 2, ITERATIONS = 2000 };

/* With an interior in t, in z, and without one. */
static const int grids[][4] = { { 1, 1, 1, 2 }, { 1, 1, 2, 1 }, { 1, 2, 1, 1 }, { 1, 1, 2, 2 } };
enum { GRIDS = sizeof grids / sizeof *grids };

/* Values of KILN_LOOPS: a graph of launches or a persistent kernel.  Ranks that share a GPU use graphs. */
static const char *const ways[] = { "graph", "persistent" };
enum { WAYS = sizeof ways / sizeof *ways };

static void same_bits_under_stress(const char *seed, const solve_digest *single)
{
    setenv("KILN_PEER_STRESS", seed, 1);
    for (int g = 0; g < GRIDS; g++)
        for (int w = 0; w < WAYS; w++) {
            const int ranks = grids[g][0] * grids[g][1] * grids[g][2] * grids[g][3];
            solve_task t = { .where = PLACE_GPU, .grid = grids[g], .solves = SOLVES, .iterations = ITERATIONS };
            setenv("KILN_LOOPS", ways[w], 1);
            solve_on_ranks(&t);
            fact(solve_differences(&t, single) == 0, "seed %s, %s: the solutions on a grid of %s have the bits of one "
                 "rank", seed, ways[w], extents_to_text(grids[g]).s);
            fact(t.persistent == (w == 1 && device_count(NULL) >= ranks), "seed %s, %s, %s: the loop is %s", seed,
                 ways[w], extents_to_text(grids[g]).s, t.persistent ? "a persistent kernel" : "a graph");
        }
    unsetenv("KILN_LOOPS");
}

static void solve_under_stress(void)
{
    solve_task single = { .where = PLACE_GPU, .solves = SOLVES, .iterations = ITERATIONS };
    solve_on_ranks(&single);
    fact(single.of[0].iterations > 2000, "there are thousands of iterations (%lld)",
         (long long)single.of[0].iterations);
    same_bits_under_stress("1", &single.of[0]);
    same_bits_under_stress("20261123", &single.of[0]);
}

int main(void)
{
    /* Threads that share a GPU: no kernel is loaded, and none waits for its turn, while another waits for it. */
    setenv("KILN_TRANSPORT", "peer", 1);
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    if (place_is_there(PLACE_GPU))
        solve_under_stress();
    return facts_end();
}
