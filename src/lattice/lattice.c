/* lattice.c - the geometry. */
#include "src/lattice/lattice.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/lattice/place_memory.h"
#include "src/site/exact_sum.h"

#include <assert.h>
#include <string.h>

struct lattice {
    int global[4];                         /* of the whole lattice */
    int extents[4], origin[4];             /* of this process, and where its first site lies; origins are even */
    int half, padded;
    int *neighbours[PLACES];               /* up[0..3], down[0..3], up3, down3, one after another */
    void *sum_scratch[PLACES];
    uint64_t versions;                     /* given so far */
};

/* Tables of neighbours: 1 and 3 sites away, up and down, in four directions. */
enum { NEIGHBOURS = 16 };

const char *place_name(place where)
{
    return where == PLACE_GPU ? "cuda" : "cpu";
}

size_t precision_bytes(precision p)
{
    return p == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
}

bool lattice_extents_are_possible(const int extents[4], failure *f)
{
    double volume = 1;
    for (int mu = 0; mu < 4; mu++) {
        if (extents[mu] < 2 || extents[mu] % 2)
            return fail(f, "lattice %s: every extent must be even and at least 2", extents_to_text(extents).s);
        volume *= extents[mu];
    }
    if (volume > LATTICE_MAX_SITES)
        return fail(f, "lattice %s: %.0f sites, but one process holds at most %d", extents_to_text(extents).s, volume,
                    LATTICE_MAX_SITES);
    return true;
}

bool lattice_slabs_are_possible(const int extents[4], int slabs, failure *f)
{
    const int64_t half = (int64_t)extents[0] * extents[1] * extents[2] * extents[3] / 2, terms = half * slabs;
    if (terms > LATTICE_MAX_SITES)
        return fail(f, "%d slices on a lattice of %dx%dx%dx%d are %lld vectors of colour on each parity, and sums of "
                       "more than %d are not exact", slabs / 4, extents[0], extents[1], extents[2], extents[3],
                    (long long)terms, LATTICE_MAX_SITES);
    return true;
}

static int padded_half(const int extents[4])
{
    int half = extents[0] * extents[1] * extents[2] * extents[3] / 2;
    return (half + SITE_TILE - 1) / SITE_TILE * SITE_TILE;
}

size_t lattice_table_bytes(const int extents[4])
{
    return NEIGHBOURS * 2 * (size_t)padded_half(extents) * sizeof(int) + SUM_SCRATCH * sizeof(sum_cell);
}

int lattice_site(const lattice *l, const int c[4])
{
    int parity = (c[0] + c[1] + c[2] + c[3]) % 2;
    int row = (c[3] * l->extents[2] + c[2]) * l->extents[1] + c[1];
    return parity * l->padded + row * (l->extents[0] / 2) + c[0] / 2;
}

static void fill_neighbours(lattice *l)
{
    int sites = 2 * l->padded, *table = l->neighbours[PLACE_CPU], c[4];
    for (int n = 0; n < NEIGHBOURS; n++)
        for (int x = 0; x < sites; x++)                     /* padding sites: their likes of the other parity */
            table[n * sites + x] = (x + l->padded) % sites;
    for (c[3] = 0; c[3] < l->extents[3]; c[3]++)
        for (c[2] = 0; c[2] < l->extents[2]; c[2]++)
            for (c[1] = 0; c[1] < l->extents[1]; c[1]++)
                for (c[0] = 0; c[0] < l->extents[0]; c[0]++) {
                    int x = lattice_site(l, c);
                    for (int n = 0; n < NEIGHBOURS; n++) {
                        int y[4], mu = n % 4, extent = l->extents[mu], hop = n < NEIGHBOURS / 2 ? 1 : 3 % extent;
                        memcpy(y, c, sizeof y);
                        y[mu] = (y[mu] + (n / 4 % 2 == 0 ? hop : extent - hop)) % extent;
                        table[n * sites + x] = lattice_site(l, y);
                    }
                }
}

lattice *lattice_create(const int extents[4])
{
    assert(lattice_extents_are_possible(extents, NULL));
    lattice *l = memory_alloc(sizeof *l, "the lattice");
    memcpy(l->global, extents, sizeof l->global);
    memcpy(l->extents, extents, sizeof l->extents);        /* one process holds all of it */
    l->half = extents[0] * extents[1] * extents[2] * extents[3] / 2;
    l->padded = padded_half(extents);
    l->neighbours[PLACE_CPU] = place_alloc(PLACE_CPU, NEIGHBOURS * 2 * (size_t)l->padded * sizeof(int),
                                           "tables of neighbours");
    l->sum_scratch[PLACE_CPU] = place_alloc(PLACE_CPU, SUM_SCRATCH * sizeof(sum_cell), "cells of sums");
    fill_neighbours(l);
    return l;
}

void lattice_free(lattice *l)
{
    if (!l)
        return;
    for (place where = PLACE_CPU; where <= PLACE_GPU; where++) {
        place_free(where, l->neighbours[where]);
        place_free(where, l->sum_scratch[where]);
    }
    memory_free(l);
}

int64_t lattice_volume(const lattice *l)
{
    return (int64_t)l->global[0] * l->global[1] * l->global[2] * l->global[3];
}

const int *lattice_extents(const lattice *l)
{
    return l->global;
}

int lattice_sites_with_padding(const lattice *l)
{
    return 2 * l->padded;
}

site_range lattice_all(const lattice *l)
{
    return (site_range){ .first = 0, .parities = 2, .half = l->half, .padded = l->padded };
}

site_range lattice_parity(const lattice *l, int parity)
{
    return (site_range){ .first = parity, .parities = 1, .half = l->half, .padded = l->padded };
}

site_range lattice_range(const lattice *l, parity_set on)
{
    return on == ON_ALL ? lattice_all(l) : lattice_parity(l, on == ON_ODD);
}

uint64_t lattice_new_version(lattice *l)
{
    return ++l->versions;
}

void *lattice_sum_scratch(lattice *l, place where)
{
    if (!l->sum_scratch[where])
        l->sum_scratch[where] = place_alloc(where, SUM_SCRATCH * sizeof(sum_cell), "cells of sums");
    return l->sum_scratch[where];
}

lattice_view lattice_on(lattice *l, place where)
{
    int sites = 2 * l->padded;
    if (!l->neighbours[where]) {
        size_t bytes = NEIGHBOURS * (size_t)sites * sizeof(int);
        l->neighbours[where] = place_alloc(where, bytes, "tables of neighbours");
        device_copy_to(l->neighbours[where], l->neighbours[PLACE_CPU], bytes);
    }
    lattice_view v = { .half = l->half, .padded = l->padded };
    for (int mu = 0; mu < 4; mu++) {
        const int *table = l->neighbours[where] + (size_t)mu * (size_t)sites;
        v.up[mu] = table;
        v.down[mu] = table + 4 * (size_t)sites;
        v.up3[mu] = table + 8 * (size_t)sites;
        v.down3[mu] = table + 12 * (size_t)sites;
        v.extents[mu] = l->extents[mu];
        v.origin[mu] = l->origin[mu];
        v.global[mu] = l->global[mu];
    }
    return v;
}
