/* test_grid.c - which grids of ranks are possible, and which one Kiln chooses. */
#include "src/base/text.h"
#include "src/lattice/grid.h"
#include "tests/facts.h"

#include <stdio.h>
#include <string.h>

enum { RANKS_TRIED = 64 };

/* ---- possible grids, found without the code under test: blocks of even extents, which in a divided direction are at
 * least as large as kernels reach */

static bool divides(const int n[4], const int g[4], int ghosts)
{
    for (int mu = 0; mu < 4; mu++) {
        const int block = n[mu] / g[mu];
        if (block * g[mu] != n[mu] || block % 2 != 0 || (g[mu] > 1 && block < ghosts))
            return false;
    }
    return true;
}

/* The grids of so many ranks, one after another: x, the slowest, first. */
typedef struct { int g[4]; } grid;
typedef struct { int count; grid of[4000]; } grids;

static void find(grids *all, const int n[4], int ranks, int ghosts)
{
    all->count = 0;
    for (int x = 1; x <= ranks; x++)
        for (int y = 1; x * y <= ranks; y++)
            for (int z = 1; x * y * z <= ranks; z++) {
                const grid next = { { x, y, z, ranks / (x * y * z) } };
                if (ranks % (x * y * z) == 0 && divides(n, next.g, ghosts))
                    all->of[all->count++] = next;
            }
}

/* Sites that a rank sends one way, and directions in which it sends. */
static int64_t sent(const int n[4], const int g[4])
{
    int64_t sites = 0, volume = 1;
    for (int mu = 0; mu < 4; mu++)
        volume *= n[mu] / g[mu];
    for (int mu = 0; mu < 4; mu++)
        sites += g[mu] > 1 ? volume / (n[mu] / g[mu]) : 0;
    return sites;
}

static int directions(const int g[4])
{
    return (g[0] > 1) + (g[1] > 1) + (g[2] > 1) + (g[3] > 1);
}

/* Whether grid a is at least as good as b in both respects, and better in one; or as good, and divides t, then z, then
 * y rather. */
static bool is_better(const int n[4], const int a[4], const int b[4])
{
    const int64_t less = sent(n, b) - sent(n, a), fewer = directions(b) - directions(a);
    if (less != 0 || fewer != 0)
        return less >= 0 && fewer >= 0;
    for (int mu = 3; mu >= 0; mu--)
        if (a[mu] != b[mu])
            return a[mu] > b[mu];
    return false;
}

static void choices(void)
{
    static const int lattices[][4] = { { 8, 8, 8, 8 }, { 16, 16, 16, 32 }, { 36, 36, 36, 72 }, { 48, 48, 48, 96 },
                                       { 96, 24, 24, 24 }, { 12, 20, 28, 44 }, { 64, 64, 64, 96 } };
    static grids all;
    int chosen = 0, none = 0, wrong = 0;
    for (size_t l = 0; l < sizeof lattices / sizeof *lattices; l++)
        for (int ghosts = GRID_HOPS_LEAST; ghosts <= GRID_HOPS_MOST; ghosts++)
            for (int ranks = 1; ranks <= RANKS_TRIED; ranks++) {
                grid best = { { 0 } };
                failure why;
                find(&all, lattices[l], ranks, ghosts);
                const bool found = grid_choose(best.g, lattices[l], ranks, ghosts, &why);
                wrong += found != (all.count > 0);
                none += !found;
                chosen += found;
                for (int i = 0; found && i < all.count; i++)
                    wrong += is_better(lattices[l], all.of[i].g, best.g);
            }
    fact(wrong == 0 && chosen > 200 && none > 100,
         "of %d lattices and numbers of ranks a grid is chosen where one is possible, and none of the others sends "
         "fewer sites in as few directions (%d wrong; %d without a grid)", chosen + none, wrong, none);
}

static void chooses(const char *wanted, const int n[4], int ranks, int ghosts)
{
    grid best;
    failure why = { .why = "" };
    const bool found = grid_choose(best.g, n, ranks, ghosts, &why);
    fact(found && strcmp(extents_to_text(best.g).s, wanted) == 0, "%s on %d ranks is divided %s: %s",
         extents_to_text(n).s, ranks, wanted, found ? extents_to_text(best.g).s : why.why);
}

/* ---- refusals */

/* Whether the list at the end of a sentence has exactly the possible grids. */
static bool lists_all(const failure *why, const int n[4], int ranks, int ghosts)
{
    static grids all;
    const char *list = strstr(why->why, "possible grids: ");
    int listed = 0;
    find(&all, n, ranks, ghosts);
    for (const char *at = list ? strchr(list, ':') : NULL; at; at = strchr(at + 1, ',')) {
        grid g;
        if (sscanf(at + 2, "%dx%dx%dx%d", &g.g[0], &g.g[1], &g.g[2], &g.g[3]) != 4 || !divides(n, g.g, ghosts))
            return false;
        listed++;
    }
    return listed == all.count;
}

static void refusals(void)
{
    static const int n[4] = { 8, 8, 8, 8 }, slices[4] = { 1, 1, 1, 4 }, odd[4] = { 36, 36, 36, 72 };
    failure why = { .why = "" };
    grid best;
    fact(grid_is_possible(n, slices, 2, NULL) && grid_is_possible(n, (int[4]){ 2, 2, 2, 2 }, 3, NULL),
         "8x8x8x8: blocks of two slices are large enough for hops, blocks of 4x4x4x4 for the Naik term");
    fact(!grid_is_possible(n, slices, 3, &why) && strstr(why.why, "at least 4") && lists_all(&why, n, 4, 3),
         "blocks of two slices are too small for the Naik term; the sentence lists all grids of 4 ranks: %s", why.why);
    fact(!grid_is_possible(odd, (int[4]){ 1, 1, 1, 8 }, 2, &why) && strstr(why.why, "1x1x2x4"),
         "blocks of nine slices are odd; the sentence lists other grids: %s", why.why);
    fact(!grid_is_possible(n, (int[4]){ 1, 1, 1, 3 }, 2, &why) && !strstr(why.why, "possible grids"),
         "three ranks have no grid, which the sentence says: %s", why.why);
    fact(!grid_choose(best.g, n, 6, 3, &why) && strstr(why.why, "possible numbers of ranks: 8, 4, 2, 1"),
         "the sentence about six ranks lists other numbers: %s", why.why);
}

int main(void)
{
    chooses("1x1x2x4", (int[4]){ 36, 36, 36, 72 }, 8, GRID_HOPS_MOST);
    chooses("1x1x1x8", (int[4]){ 48, 48, 48, 96 }, 8, GRID_HOPS_MOST);
    chooses("1x1x1x2", (int[4]){ 16, 16, 16, 16 }, 2, GRID_HOPS_LEAST);
    chooses("1x1x2x1", (int[4]){ 16, 16, 16, 18 }, 2, GRID_HOPS_LEAST);
    chooses("1x2x1x1", (int[4]){ 16, 16, 18, 18 }, 2, GRID_HOPS_LEAST);
    chooses("2x1x1x1", (int[4]){ 16, 18, 18, 18 }, 2, GRID_HOPS_LEAST);
    chooses("2x1x1x1", (int[4]){ 64, 8, 8, 8 }, 2, GRID_HOPS_LEAST);
    chooses("2x2x2x2", (int[4]){ 8, 8, 8, 8 }, 16, GRID_HOPS_MOST);
    choices();
    refusals();
    return facts_end();
}
