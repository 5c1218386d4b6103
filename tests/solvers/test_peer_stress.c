/* test_peer_stress.c - ghosts and sums between GPUs arrive before they are read, however late a rank comes: with
 * random delays of the kernels that pack, wait and add (KILN_PEER_STRESS), many iterations of solvers of all families
 * give the bits of one rank, on every grid of 2 and 4 ranks.  Each rank needs a GPU of its own, because nothing
 * guarantees that kernels of ranks that share a GPU run at the same time: four ranks on two GPUs, and two on a GPU that
 * other programs used, waited 30 s for each other.  Where there is only one GPU, two ranks share it for staggered
 * quarks alone, which always ended.
 * Without a GPU: the same solves by ranks on the CPU, on small lattices.  A name of a row as an argument: this one. */
#include "gpu/device.h"
#include "src/base/text.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/solve_on_ranks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For the solves on one grid.  Each wait of a kernel for another GPU ends after 30 s. */
enum { SECONDS_TO_END = 60 };

static const int grids[][4] = {
    { 1, 1, 1, 2 }, { 1, 1, 2, 1 }, { 1, 2, 1, 1 }, { 2, 1, 1, 1 },
    { 1, 1, 1, 4 }, { 1, 1, 4, 1 }, { 1, 4, 1, 1 }, { 4, 1, 1, 1 },
    { 1, 1, 2, 2 }, { 1, 2, 1, 2 }, { 1, 2, 2, 1 }, { 2, 1, 1, 2 }, { 2, 1, 2, 1 }, { 2, 2, 1, 1 },
};
enum { GRIDS = sizeof grids / sizeof *grids };

/* Values of KILN_LOOPS: a graph of launches or a persistent kernel.  Ranks that share a GPU use graphs. */
static const char *const ways[] = { "graph", "persistent" };
enum { WAYS = sizeof ways / sizeof *ways };

/* Extents of the block of a rank: in a direction that is divided, and in another one. */
typedef struct { int divided[4], whole[4]; } blocks;

/* On GPUs: with x whole, hops of all formats have an interior of whole tiles, and make their exchange in their own
 * launch (gpu/hop_beside.h).  No larger: where ranks share a GPU, it must have room for all their blocks that wait. */
static const blocks large = { { 8, 24, 12, 8 }, { 16, 4, 4, 4 } }, small = { { 4, 4, 4, 4 }, { 4, 4, 4, 4 } };

typedef struct { int extents[4]; } lattice_extents;

static lattice_extents extents_for(const int grid[4], const blocks *b)
{
    lattice_extents l;
    for (int mu = 0; mu < 4; mu++)
        l.extents[mu] = grid[mu] > 1 ? grid[mu] * b->divided[mu] : b->whole[mu];
    return l;
}

static char late[256];                           /* the line that ends a test which hangs */

static void end_late(int number)
{
    (void)number;
    _exit(write(STDOUT_FILENO, late, strlen(late)) > 0 ? EXIT_FAILURE : EXIT_USAGE);
}

static void solve_in_time(solve_task *t, const char *words)
{
    snprintf(late, sizeof late, "Bail out! %s, %s, %s: no end within %d s\n", t->row->name,
             t->grid ? extents_to_text(t->grid).s : "one rank", words, SECONDS_TO_END);
    alarm(SECONDS_TO_END);
    solve_on_ranks(t);
    alarm(0);
}

static void same_bits_on_cpus(const solve_row *row)
{
    enum { SOLVES = 1, ITERATIONS = 8 };
    int different = 0;
    for (int g = 0; g < GRIDS; g++) {
        const lattice_extents l = extents_for(grids[g], &small);
        solve_task single = { .row = row, .where = PLACE_CPU, .extents = l.extents, .solves = SOLVES,
                              .iterations = ITERATIONS }, t = single;
        t.grid = grids[g];
        solve_in_time(&single, "CPU");
        solve_in_time(&t, "CPU");
        const int here = solve_differences(&t, &single.of[0]);
        if (here > 0)
            note("%s: differs on a grid of %s", row->name, extents_to_text(grids[g]).s);
        different += here;
    }
    fact(different == 0, "%s: on %d grids of CPUs the solutions have the bits of one rank", row->name, GRIDS);
}

static void same_bits_as_cpu(const solve_row *row)
{
    enum { SOLVES = 1, ITERATIONS = 8 };
    solve_task t[PLACES];
    for (place where = PLACE_CPU; where <= PLACE_GPU; where = (place)(where + 1)) {
        t[where] = (solve_task){ .row = row, .where = where, .extents = small.whole, .solves = SOLVES,
                                 .iterations = ITERATIONS };
        solve_in_time(&t[where], place_name(where));
    }
    fact(solve_differences(&t[PLACE_GPU], &t[PLACE_CPU].of[0]) == 0, "%s: one GPU has the bits of the CPU", row->name);
}

static int ranks_of(const int grid[4])
{
    return grid[0] * grid[1] * grid[2] * grid[3];
}

/* Each grid and way has delays of its own. */
static void same_bits_under_stress(const solve_row *row, int g, const solve_task *single)
{
    const bool staggered = row == &solve_rows[SOLVE_STAGGERED];
    for (int w = 0; w < (staggered ? WAYS : 1); w++) {
        solve_task t = *single;
        char seed[32];
        snprintf(seed, sizeof seed, "%d", 20261123 + g * WAYS + w);
        setenv("KILN_PEER_STRESS", seed, 1);
        setenv("KILN_LOOPS", ways[w], 1);
        t.grid = grids[g];
        solve_in_time(&t, ways[w]);
        unsetenv("KILN_PEER_STRESS");
        unsetenv("KILN_LOOPS");
        fact(solve_differences(&t, &single->of[0]) == 0, "%s, %s, seed %s: the solutions on a grid of %s have the bits "
             "of one rank (iterations: %lld)", row->name, ways[w], seed, extents_to_text(grids[g]).s,
             (long long)t.of[0].iterations);
        fact(t.persistent == (w == 1 && device_count(NULL) >= ranks_of(grids[g])), "the loop is %s",
             t.persistent ? "a persistent kernel" : "a graph");
        if (!staggered)
            fact((t.beside > 0) == (grids[g][0] == 1), "%s make their exchange in their own launch",
                 t.beside > 0 ? "hops" : "no hops");
    }
}

static void solve_under_stress(const solve_row *row)
{
    enum { ITERATIONS = 2000 };
    for (int g = 0; g < GRIDS; g++) {
        const int ranks = ranks_of(grids[g]);
        const bool may_share = ranks == 2 && row == &solve_rows[SOLVE_STAGGERED];
        if (device_count(NULL) < ranks && !may_share) {
            skip(row->name, ranks == 2 ? "two ranks need two GPUs" : "four ranks need four GPUs");
            continue;
        }
        const lattice_extents l = extents_for(grids[g], &large);
        solve_task single = { .row = row, .where = PLACE_GPU, .extents = l.extents, .iterations = ITERATIONS,
                              .solves = row == &solve_rows[SOLVE_STAGGERED] ? 1 : 3 };
        solve_in_time(&single, "GPU");
        same_bits_under_stress(row, g, &single);
    }
}

int main(int argc, char **argv)
{
    /* Threads that share a GPU: no kernel is loaded, and none waits for its turn, while another waits for it. */
    setenv("KILN_TRANSPORT", "peer", 1);
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    signal(SIGALRM, end_late);
    const bool gpu = place_is_there(PLACE_GPU);
    for (int i = 0; i < SOLVE_ROWS; i++) {
        if (argc > 1 && strcmp(argv[1], solve_rows[i].name) != 0)
            continue;
        same_bits_on_cpus(&solve_rows[i]);
        if (gpu) {
            same_bits_as_cpu(&solve_rows[i]);
            solve_under_stress(&solve_rows[i]);
        }
    }
    return facts_end();
}
