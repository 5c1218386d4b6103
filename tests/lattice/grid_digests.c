/* grid_digests.c - digests on one rank and on threads. */
#include "tests/lattice/grid_digests.h"

#include "gpu/device.h"
#include "src/comm/comm.h"
#include "src/lattice/grid.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

enum { RANKS_MAX = 16 };
static const int grids[][4] = { { 1, 1, 1, 2 }, { 1, 1, 2, 2 }, { 2, 2, 2, 2 } };

/* grid: NULL for one rank */
typedef struct {
    place where;
    const int *extents, *grid;
    int hops;
    digest_fn *digest;
    uint64_t of[RANKS_MAX];
} digest_task;

static int on_rank(void *of)
{
    digest_task *t = of;
    failure why;
    grid_want(t->grid);
    if (t->where == PLACE_GPU)
        require(device_open(comm_rank(comm_world()) % device_count(NULL), &why), "%s", why.why);
    const lattice_shape shape = grid_shape_here(t->extents, t->hops);
    lattice *l = lattice_create(&shape);
    t->of[comm_rank(comm_world())] = t->digest(l, t->where);
    lattice_free(l);
    return 0;
}

void same_on_grids(place where, const int extents[4], digest_fn *digest, const char *what)
{
    same_on_grids_with_hops(where, extents, GRID_HOPS_LEAST, digest, what);
}

void same_on_grids_with_hops(place where, const int extents[4], int hops, digest_fn *digest, const char *what)
{
    digest_task single = { .where = PLACE_CPU, .extents = extents, .hops = hops, .digest = digest }, here = single;
    here.where = where;
    on_rank(&single);
    on_rank(&here);
    fact(here.of[0] == single.of[0], "%s: %s, bit for bit as on the CPU", place_name(where), what);
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        digest_task t = here;
        t.grid = grids[g];
        const int ranks = grids[g][0] * grids[g][1] * grids[g][2] * grids[g][3];
        int different = 0;
        comm_run_threads(ranks, on_rank, &t);
        for (int r = 0; r < ranks; r++)
            different += t.of[r] != single.of[0];
        fact(different == 0, "%s: the same, bit for bit, on %d ranks", place_name(where), ranks);
    }
}
