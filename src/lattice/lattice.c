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
    lattice_shape shape;
    int half, padded;                      /* lattice_half and lattice_padded_half of it */
    int *neighbours[PLACES];               /* up[0..3], down[0..3], up3, down3, one after another */
    void *sum_scratch[PLACES];
    uint64_t versions;                     /* given so far */
};

/* Tables of neighbours: 1 and 3 sites away, up and down, in four directions. */
enum { NEIGHBOURS = 16 };

bool lattice_slabs_are_possible(const lattice_shape *shape, int slabs, failure *f)
{
    const int64_t sites = lattice_padded_half(shape) * (1 + slabs);       /* odd sites come after even ones */
    if (sites > LATTICE_MAX_INDEX)
        return fail(f, "%d slices on a lattice of %s: the sites of a spinor's slabs are numbered up to %lld, but one "
                       "process has numbers up to %d", slabs / SLAB_GROUP, extents_to_text(shape->local).s,
                    (long long)sites, LATTICE_MAX_INDEX);
    return true;
}

size_t lattice_table_bytes(const lattice_shape *shape)
{
    return NEIGHBOURS * 2 * (size_t)lattice_padded_half(shape) * sizeof(int) + SUM_SCRATCH * sizeof(sum_cell);
}

int lattice_site(const lattice *l, const int c[4])
{
    const int *n = l->shape.local;
    int row = (c[3] * n[2] + c[2]) * n[1] + c[1];
    return coordinate_parity(c) * l->padded + row * (n[0] / 2) + c[0] / 2;
}

static void fill_neighbours(lattice *l)
{
    const int *local = l->shape.local;
    const size_t sites = 2 * (size_t)l->padded;
    int *table = l->neighbours[PLACE_CPU], c[4];
    for (size_t n = 0; n < NEIGHBOURS; n++)
        for (size_t x = 0; x < sites; x++)                  /* padding sites: their likes of the other parity */
            table[n * sites + x] = (int)((x + sites / 2) % sites);
    for (c[3] = 0; c[3] < local[3]; c[3]++)
        for (c[2] = 0; c[2] < local[2]; c[2]++)
            for (c[1] = 0; c[1] < local[1]; c[1]++)
                for (c[0] = 0; c[0] < local[0]; c[0]++) {
                    size_t x = (size_t)lattice_site(l, c);
                    for (size_t n = 0; n < NEIGHBOURS; n++) {
                        int y[4], mu = (int)n % 4, extent = local[mu], hop = n < NEIGHBOURS / 2 ? 1 : 3 % extent;
                        memcpy(y, c, sizeof y);
                        y[mu] = (y[mu] + (n / 4 % 2 == 0 ? hop : extent - hop)) % extent;
                        table[n * sites + x] = lattice_site(l, y);
                    }
                }
}

lattice *lattice_create(const lattice_shape *shape)
{
    assert(lattice_shape_is_possible(shape, NULL));
    assert(lattice_local_sites(shape) == lattice_global_sites(shape) && shape->ghosts == 0);
    lattice *l = memory_alloc(sizeof *l, "the lattice");
    l->shape = *shape;
    l->half = (int)lattice_half(shape);
    l->padded = (int)lattice_padded_half(shape);
    l->neighbours[PLACE_CPU] = place_alloc(PLACE_CPU, NEIGHBOURS * 2 * (size_t)l->padded * sizeof(int),
                                           "tables of neighbours");
    l->sum_scratch[PLACE_CPU] = place_alloc(PLACE_CPU, SUM_SCRATCH * sizeof(sum_cell), "cells of sums");
    fill_neighbours(l);
    return l;
}

lattice *lattice_create_single(const int extents[4])
{
    const lattice_shape shape = lattice_shape_single(extents);
    return lattice_create(&shape);
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

const lattice_shape *lattice_shape_of(const lattice *l)
{
    return &l->shape;
}

const int *lattice_global(const lattice *l)
{
    return l->shape.global;
}

const int *lattice_local(const lattice *l)
{
    return l->shape.local;
}

int64_t lattice_volume(const lattice *l)
{
    return lattice_global_sites(&l->shape);
}

bool lattice_is_whole(const lattice *l)
{
    return memcmp(l->shape.local, l->shape.global, sizeof l->shape.local) == 0;
}

int lattice_sites_with_padding(const lattice *l)
{
    return 2 * l->padded;
}

site_range lattice_all(const lattice *l)
{
    return (site_range){ .first = 0, .sites = l->half, .parts = 2, .step = l->padded };
}

site_range lattice_parity(const lattice *l, int parity)
{
    return (site_range){ .first = parity * l->padded, .sites = l->half, .parts = 1 };
}

site_range lattice_range(const lattice *l, parity_set on)
{
    return on == ON_ALL ? lattice_all(l) : lattice_parity(l, on == ON_ODD);
}

site_range lattice_first_times(const lattice *l, int count)
{
    site_range r = lattice_all(l);
    r.sites = r.sites / l->shape.local[3] * count;
    return r;
}

site_range lattice_slabs(const lattice *l, parity_set on, int slabs)
{
    site_range r = lattice_range(l, on);
    if (slabs > 1) {
        assert(on != ON_ALL);
        r.parts = slabs;
        r.slab_sites = l->padded;
    }
    return r;
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

lattice_view lattice_view_of(const lattice_shape *shape)
{
    const int half = (int)lattice_half(shape), slice = half / shape->local[3];
    const bool has_first = shape->origin[3] == 0, has_last = shape->origin[3] + shape->local[3] == shape->global[3];
    lattice_view v = { .padded = (int)lattice_padded_half(shape), .first_time_ends = has_first ? slice : 0,
                       .last_time_begins = has_last ? half - slice : half };
    for (int mu = 0; mu < 4; mu++) {
        v.local[mu] = shape->local[mu];
        v.origin[mu] = shape->origin[mu];
        v.global[mu] = shape->global[mu];
    }
    return v;
}

lattice_view lattice_on(lattice *l, place where)
{
    int sites = 2 * l->padded;
    if (!l->neighbours[where]) {
        size_t bytes = NEIGHBOURS * (size_t)sites * sizeof(int);
        l->neighbours[where] = place_alloc(where, bytes, "tables of neighbours");
        device_copy_to(l->neighbours[where], l->neighbours[PLACE_CPU], bytes);
    }
    lattice_view v = lattice_view_of(&l->shape);
    for (int mu = 0; mu < 4; mu++) {
        const int *table = l->neighbours[where] + (size_t)mu * (size_t)sites;
        v.up[mu] = table;
        v.down[mu] = table + 4 * (size_t)sites;
        v.up3[mu] = table + 8 * (size_t)sites;
        v.down3[mu] = table + 12 * (size_t)sites;
    }
    return v;
}
