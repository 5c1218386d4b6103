/* grid.c - possible grids, and the best of them. */
#include "src/lattice/grid.h"

#include "src/base/text.h"
#include "src/comm/comm.h"

#include <math.h>
#include <string.h>

static _Thread_local int wanted[4];
static _Thread_local grid_request pretended;                   /* 0 ranks: none */

static bool fits(const int extents[4], const int grid[4], int ghosts)
{
    for (int mu = 0; mu < 4; mu++) {
        if (grid[mu] < 1 || extents[mu] % (2 * grid[mu]) != 0 || (grid[mu] > 1 && extents[mu] / grid[mu] < ghosts))
            return false;
    }
    return true;
}

/* The predicted time of an exchange, in units of the time to send a site: the sites of a face in each split direction,
 * and the latency of the messages in this direction. */
static double cost(const int extents[4], const int grid[4])
{
    enum { LATENCY_SITES = 4000 };
    double volume = 1, sum = 0;
    for (int mu = 0; mu < 4; mu++)
        volume *= extents[mu] / grid[mu];
    for (int mu = 0; mu < 4; mu++)
        if (grid[mu] > 1)
            sum += volume / (extents[mu] / grid[mu]) + LATENCY_SITES;
    return sum;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* grid <- the next possible grid of `ranks` ranks, in descending order of t, z, y, x; from { 0 }, the first one. */
static bool next_grid(int grid[4], const int extents[4], int ranks, int ghosts)
{
    bool begun = grid[0] == 0;
    for (int t = smaller(ranks, extents[3]); t >= 1; t--)
        for (int z = smaller(ranks / t, extents[2]); z >= 1 && ranks % t == 0; z--)
            for (int y = smaller(ranks / t / z, extents[1]); y >= 1 && ranks / t % z == 0; y--) {
                const int g[4] = { ranks / t / z / y, y, z, t };
                if (ranks / t / z % y != 0 || !fits(extents, g, ghosts))
                    continue;
                if (begun) {
                    memcpy(grid, g, sizeof g);
                    return true;
                }
                begun = memcmp(grid, g, sizeof g) == 0;
            }
    return false;
}

/* "1x1x2x4, 1x2x2x2"; at most `most` of them */
static void list_grids(text *list, const int extents[4], int ranks, int ghosts, int most)
{
    int grid[4] = { 0 }, count = 0;
    while (next_grid(grid, extents, ranks, ghosts) && count < most)
        text_add(list, "%s%s", count++ ? ", " : "", extents_to_text(grid).s);
}

/* Up to six numbers of ranks that have a possible grid, from twice the wanted number downwards. */
static void list_ranks(text *list, const int extents[4], int ranks, int ghosts)
{
    int found = 0;
    for (int n = 2 * ranks; n >= 1 && found < 6; n--) {
        int grid[4] = { 0 };
        if (next_grid(grid, extents, n, ghosts))
            text_add(list, "%s%d", found++ ? ", " : "", n);
    }
}

/* What messages add about the extents of blocks. */
static const char *split_extents_note(int ghosts)
{
    return ghosts > 2 ? ", at least 4 in a direction that is split (the Naik term reaches three sites)" : "";
}

static bool refuse_ranks(const int extents[4], int ranks, int ghosts, failure *f)
{
    text list = { 0 };
    list_ranks(&list, extents, ranks, ghosts);
    fail(f, "%d ranks: lattice %s cannot be divided into %d equal blocks of even extents%s; possible numbers of ranks: "
            "%s", ranks, extents_to_text(extents).s, ranks, split_extents_note(ghosts), text_string(&list));
    text_free(&list);
    return false;
}

bool grid_is_possible(const int extents[4], const int grid[4], int ghosts, failure *f)
{
    if (fits(extents, grid, ghosts))
        return true;
    text list = { 0 };
    const double ranks = (double)grid[0] * grid[1] * grid[2] * grid[3];
    if (grid[0] > 0 && grid[1] > 0 && grid[2] > 0 && grid[3] > 0 && ranks < 1e6)
        list_grids(&list, extents, (int)ranks, ghosts, 8);
    fail(f, "grid %s does not divide lattice %s into blocks of even extents%s%s%s", extents_to_text(grid).s,
         extents_to_text(extents).s, split_extents_note(ghosts),
         text_string(&list)[0] ? "; possible grids: " : "", text_string(&list));
    text_free(&list);
    return false;
}

bool grid_choose(int grid[4], const int extents[4], int ranks, int ghosts, failure *f)
{
    int next[4] = { 0 };
    double least = INFINITY;
    while (next_grid(next, extents, ranks, ghosts))
        if (cost(extents, next) < least) {
            least = cost(extents, next);
            memcpy(grid, next, sizeof next);
        }
    return isfinite(least) || refuse_ranks(extents, ranks, ghosts, f);
}

void grid_want(const int grid[4])
{
    if (grid)
        memcpy(wanted, grid, sizeof wanted);
    else
        memset(wanted, 0, sizeof wanted);
}

grid_request grid_pretend(grid_request as_if)
{
    const grid_request before = pretended;
    pretended = as_if;
    return before;
}

int grid_groups_here(void)
{
    return pretended.ranks == 0 ? comm_groups() : pretended.groups > 1 ? pretended.groups : 1;
}

/* The request of the calling thread, pretended or real. */
static grid_request request_here(void)
{
    grid_request r = pretended;
    if (r.ranks == 0) {
        r.ranks = comm_size(comm_world());
        memcpy(r.grid, wanted, sizeof wanted);
    }
    return r;
}

/* The wanted grid, or the best one. */
static bool grid_here(int grid[4], const grid_request *r, const int extents[4], int ghosts, failure *f)
{
    const int *want = r->grid;
    if (want[0] == 0)
        return grid_choose(grid, extents, r->ranks, ghosts, f);
    memcpy(grid, want, sizeof r->grid);
    if (want[0] * want[1] * want[2] * want[3] != r->ranks)
        return fail(f, "grid %s has %d blocks, but there are %d ranks", extents_to_text(want).s,
                    want[0] * want[1] * want[2] * want[3], r->ranks);
    return grid_is_possible(extents, grid, ghosts, f);
}

bool grid_is_possible_here(const int extents[4], int ghosts, failure *f)
{
    const grid_request r = request_here();
    int grid[4];
    return r.ranks == 1 || grid_here(grid, &r, extents, ghosts, f);
}

lattice_shape grid_shape_here(const int extents[4], int ghosts)
{
    const grid_request r = request_here();
    int grid[4];
    failure why;
    if (r.ranks == 1)
        return lattice_shape_single(extents);
    require(grid_here(grid, &r, extents, ghosts, &why), "%s", why.why);
    return lattice_shape_of_rank(extents, grid, pretended.ranks > 0 ? 0 : comm_rank(comm_world()), ghosts);
}
