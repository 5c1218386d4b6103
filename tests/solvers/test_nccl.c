/* test_nccl.c - ghosts and sums by NCCL: a solver has the bits of one rank, and where NCCL fails at the start, all
 * ranks hear why and go on without it.  With tests/gpu/nccl_stand_in.c, since ranks share a GPU where there are fewer
 * GPUs than ranks. */
#include "gpu/device.h"
#include "src/base/text.h"
#include "src/halo/nccl_ranks.h"
#include "src/lattice/grid.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/solve_on_ranks.h"

#include <stdlib.h>
#include <string.h>

enum { SOLVES = 2, ITERATIONS = 150, RANKS = 2 };

static const int grids[][4] = { { 1, 1, 1, 2 }, { 1, 1, 2, 2 } };
enum { GRIDS = sizeof grids / sizeof *grids };

static void same_bits(place where)
{
    solve_task single = { .row = &solve_rows[SOLVE_STAGGERED], .where = where, .extents = solve_extents,
                          .solves = SOLVES, .iterations = ITERATIONS };
    solve_on_ranks(&single);
    for (int g = 0; g < GRIDS; g++) {
        solve_task t = single;
        t.grid = grids[g];
        solve_on_ranks(&t);
        fact(t.by_nccl, "on a grid of %s ghosts travel by NCCL", extents_to_text(grids[g]).s);
        fact(solve_differences(&t, &single.of[0]) == 0, "and the solutions have the bits of one rank");
    }
}

/* ---- faults at the start */

typedef struct { bool made[RANKS]; failure why[RANKS]; } start;

static int start_nccl(void *of)
{
    start *s = of;
    const int rank = comm_rank(comm_world());
    failure why;
    grid_want(grids[0]);
    require(device_open(rank % device_count(NULL), &why), "%s", why.why);
    const lattice_shape shape = grid_shape_here(solve_extents, GRID_HOPS_MOST);
    lattice *l = lattice_create(&shape);
    nccl_ranks *n = nccl_ranks_create(l, true, &s->why[rank]);
    s->made[rank] = n != NULL;
    nccl_ranks_free(n);
    device_wait();                                   /* nothing hangs on the stream */
    lattice_free(l);
    return 0;
}

static void hears_why(const char *fault, const char *reason)
{
    start s = { 0 };
    bool all = true;
    setenv("KILN_NCCL_FAULT", fault, 1);
    comm_run_threads(RANKS, start_nccl, &s);
    for (int r = 0; r < RANKS; r++)
        all = all && !s.made[r] && strstr(s.why[r].why, reason) && strcmp(s.why[r].why, s.why[0].why) == 0;
    fact(all, "fault %s: all ranks hear \"%s\" and nothing hangs", fault, reason);
    if (!all)
        for (int r = 0; r < RANKS; r++)
            note("rank %d: %s: %s", r, s.made[r] ? "made" : "not made", s.why[r].why);
    unsetenv("KILN_NCCL_FAULT");
}

static void faults_at_the_start(void)
{
    static const struct { const char *fault, *reason; } faults[] = {
        { "error:0:0", "joining the ranks failed: remote process exited" },
        { "refuse:0:0", "joining the ranks failed: system error" },
        { "busy:0:1", "s for the other ranks in joining the ranks" },
        { "error:1:0", "an exchange of ghosts failed: remote process exited" },
        { "busy:1:1", "s for the other ranks in an exchange of ghosts" },
        { "stall:2:0", "s for the other ranks in a sum over ranks" },
        { "wrong:1:0", "what rank 1 sends to rank 0 does not arrive" },
        { "wrong:2:1", "rank 1: NCCL: a sum over the ranks has a wrong result on rank 1" },
    };
    setenv("KILN_RANK_LIMIT", "3", 1);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        hears_why(faults[i].fault, faults[i].reason);
    if (device_count(NULL) < RANKS)
        hears_why("error:0:0", "NCCL needs a GPU for each rank, but 2 ranks share 1 GPU");
}

int main(void)
{
    const char *stand_in = getenv("KILN_NCCL_STAND_IN");
    setenv("KILN_TRANSPORT", "nccl", 1);
    setenv("KILN_NCCL_LIBRARY", stand_in ? stand_in : "", 1);
    if (!place_is_there(PLACE_GPU))
        return facts_end();
    if (!stand_in || !*stand_in) {
        skip("a solver has the same bits by NCCL", "no stand-in for NCCL was built");
    } else {
        same_bits(PLACE_GPU);
        faults_at_the_start();
    }
    return facts_end();
}
