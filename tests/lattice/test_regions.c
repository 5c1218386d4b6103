/* test_regions.c - interior and boundary of a hop: each site is in one of them, and only the boundary reads ghosts. */
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/lattice/neighbors.h"
#include "src/lattice/regions.h"
#include "tests/facts.h"

#include <string.h>

/* seen[site] += count for the sites of a range */
static void mark(int *seen, site_range r, int count)
{
    for (int part = 0; part < r.parts; part++)
        for (int i = 0; i < r.sites; i++)
            seen[r.first + part * r.step + i] += count;
}

/* Whether a site reads another rank's. */
static bool reads_ghosts(const lattice_shape *shape, const int c[4], int reach)
{
    bool reads = false;
    for (int mu = 0; mu < 4; mu++)
        reads |= shape->grid[mu] > 1 && (c[mu] < reach || c[mu] >= shape->local[mu] - reach);
    return reads;
}

enum { IN_INTERIOR = 1, IN_BOUNDARY = 100 };

static void regions_cover(const lattice_shape *shape, int parity, int reach)
{
    hop_regions r;
    const extents_text local = extents_to_text(shape->local), grid = extents_to_text(shape->grid);
    if (!fact(hop_regions_of(&r, shape, parity, reach), "%s on a grid of %s, reach %d: there are regions", local.s,
              grid.s, reach))
        return;
    int *seen = memory_alloc(2 * (size_t)lattice_padded_half(shape) * sizeof *seen, "sites seen");
    mark(seen, r.interior, IN_INTERIOR);
    for (int i = 0; i < r.boundaries; i++)
        mark(seen, r.boundary[i], IN_BOUNDARY);
    const int *n = shape->local;
    int64_t wrong = 0, found = 0;
    for (int i = 0; i < n[0] * n[1] * n[2] * n[3]; i++) {
        const int c[4] = { i % n[0], i / n[0] % n[1], i / n[0] / n[1] % n[2], i / n[0] / n[1] / n[2] };
        const int count = seen[neighbors_site(shape, c)];
        found += count != 0;
        if ((c[0] + c[1] + c[2] + c[3]) % 2 == parity)
            wrong += count != (reads_ghosts(shape, c, reach) ? IN_BOUNDARY : IN_INTERIOR);
    }
    fact(wrong == 0 && found == lattice_half(shape),
         "%s on a grid of %s, parity %d, reach %d: each site in its region once", local.s, grid.s, parity, reach);
    memory_free(seen);
}

static void no_regions(const int extents[4], const int grid[4], int reach, const char *why)
{
    hop_regions r;
    const lattice_shape shape = lattice_shape_of_rank(extents, grid, 0, 3);
    fact(!hop_regions_of(&r, &shape, 0, reach), "no regions: %s", why);
}

int main(void)
{
    static const struct { int extents[4], grid[4]; } of[] = {
        { { 4, 6, 4, 16 }, { 1, 1, 1, 2 } }, { { 4, 4, 16, 4 }, { 1, 1, 2, 1 } },
        { { 6, 2, 16, 40 }, { 1, 1, 2, 4 } }, { { 2, 10, 14, 14 }, { 1, 1, 2, 2 } },
    };
    for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
        const lattice_shape shape = lattice_shape_of_rank(of[i].extents, of[i].grid, 0, 3);
        for (int parity = 0; parity < 2; parity++)
            for (int reach = 1; reach <= 3; reach += 2)
                regions_cover(&shape, parity, reach);
    }
    no_regions((int[]){ 8, 8, 8, 8 }, (int[]){ 1, 1, 1, 1 }, 1, "nothing is split");
    no_regions((int[]){ 8, 8, 8, 16 }, (int[]){ 1, 2, 1, 2 }, 1, "y is split");
    no_regions((int[]){ 8, 8, 8, 16 }, (int[]){ 2, 1, 1, 1 }, 1, "x is split");
    no_regions((int[]){ 8, 8, 8, 12 }, (int[]){ 1, 1, 1, 2 }, 3, "all sites read ghosts");
    return facts_end();
}
