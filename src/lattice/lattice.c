/* lattice.c - the geometry. */
#include "src/lattice/lattice.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/lattice/neighbors.h"
#include "src/lattice/place_memory.h"
#include "src/site/exact_sum.h"

#include <assert.h>
#include <string.h>

struct lattice {
    lattice_shape shape;
    int half, padded;                      /* lattice_half and lattice_padded_half of it */
    const comm *ranks;                     /* borrowed */
    ghost_boxes ghosts;
    lattice_view view;                     /* lattice_view_of: each launch of a kernel needs it */
    int *neighbors[PLACES];                /* up[0..3], down[0..3], up3, down3, one after another, for indices from
                                            * -ghosts on */
    int *sent[PLACES];                     /* lattice_sent_sites */
    struct { void *memory; size_t bytes; } staging[PLACES];
    void *sum_scratch[PLACES];
    workspace workspace[PLACES];
    lattice_extra extra;
    uint64_t versions;                     /* numbers returned by lattice_new_version */
};

ghost_level lattice_vector_ghosts(const lattice_shape *shape)
{
    return shape->ghosts == GHOST_HOPS ? GHOSTS_STRAIGHT : GHOSTS_NEAR;
}

bool lattice_slabs_are_possible(const lattice_shape *shape, int slabs, failure *f)
{
    const int64_t slab_sites = lattice_padded_half(shape) + ghost_sites(shape, lattice_vector_ghosts(shape));
    const int64_t sites = lattice_padded_half(shape) + slab_sites * slabs;       /* odd sites come after even ones */
    if (sites > LATTICE_MAX_INDEX)
        return fail(f, "%d slices of the fifth dimension on %s sites per process need %lld site indices, but one "
                       "process has at most %d: use more processes", slabs / SLAB_GROUP,
                    extents_to_text(shape->local).s, (long long)sites, LATTICE_MAX_INDEX);
    return true;
}

size_t lattice_table_bytes(const lattice_shape *shape)
{
    const size_t ghosts = (size_t)ghost_sites(shape, GHOSTS_EVERY), sites = (size_t)lattice_padded_half(shape);
    return (NEIGHBORS * 2 * (sites + ghosts) + SENT_LISTS * ghosts) * sizeof(int) + SUM_SCRATCH * sizeof(sum_cell);
}

int lattice_site(const lattice *l, const int c[4])
{
    return neighbors_site(&l->shape, c);
}

/* Sites and ghosts of both parities. */
static size_t all_indices(const lattice *l)
{
    return 2 * ((size_t)l->padded + (size_t)l->ghosts.sites[GHOSTS_EVERY]);
}

lattice *lattice_create(const lattice_shape *shape)
{
    assert(lattice_shape_is_possible(shape, NULL));
    assert(shape_ranks(shape) == 1 || shape_ranks(shape) == comm_size(comm_world()));
    lattice *l = memory_alloc(sizeof *l, "the lattice");
    l->shape = *shape;
    l->half = (int)lattice_half(shape);
    l->padded = (int)lattice_padded_half(shape);
    l->ranks = shape_ranks(shape) == 1 ? comm_alone() : comm_world();
    l->ghosts = ghost_boxes_of(shape);
    l->view = lattice_view_of(shape);
    l->neighbors[PLACE_CPU] = place_alloc(PLACE_CPU, NEIGHBORS * all_indices(l) * sizeof(int),
                                          "tables of neighbors");
    l->sum_scratch[PLACE_CPU] = place_alloc(PLACE_CPU, SUM_SCRATCH * sizeof(sum_cell), "cells of sums");
    for (place where = PLACE_CPU; where <= PLACE_GPU; where++)
        l->workspace[where].where = where;
    neighbors_fill(l->neighbors[PLACE_CPU], shape, &l->ghosts);
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
    if (l->extra.release)
        l->extra.release(l->extra.data);
    for (place where = PLACE_CPU; where <= PLACE_GPU; where++) {
        place_free(where, l->neighbors[where]);
        place_free(where, l->sum_scratch[where]);
        place_free(where, l->sent[where]);
        place_free(where, l->staging[where].memory);
    }
    memory_free(l);
}

lattice_extra *lattice_extra_of(lattice *l)
{
    return &l->extra;
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

bool lattice_is_open(const lattice *l)
{
    return l->shape.open_in_time;
}

bool lattice_is_whole(const lattice *l)
{
    return memcmp(l->shape.local, l->shape.global, sizeof l->shape.local) == 0;
}

int lattice_sites_with_padding(const lattice *l)
{
    return 2 * l->padded;
}

const comm *lattice_comm(const lattice *l)
{
    return l->ranks;
}

const ghost_boxes *lattice_ghosts(const lattice *l)
{
    return &l->ghosts;
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
        r.slab_sites = l->padded + l->ghosts.sites[lattice_vector_ghosts(&l->shape)];
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

/* A copy of a table of the CPU at another place. */
static int *table_at(place where, const int *host, size_t count, const char *what)
{
    int *table = place_alloc(where, count * sizeof *table, what);
    device_copy_to(table, host, count * sizeof *table);
    return table;
}

const int *lattice_sent_sites(lattice *l, place where)
{
    const size_t count = SENT_LISTS * (size_t)l->ghosts.sites[GHOSTS_EVERY];
    if (!l->sent[PLACE_CPU]) {
        l->sent[PLACE_CPU] = place_alloc(PLACE_CPU, count * sizeof(int), "tables of ghosts");
        neighbors_list_sent(l->sent[PLACE_CPU], &l->shape, &l->ghosts);
    }
    if (!l->sent[where])
        l->sent[where] = table_at(where, l->sent[PLACE_CPU], count, "tables of ghosts");
    return l->sent[where];
}

void *lattice_staging(lattice *l, place where, size_t bytes)
{
    if (l->staging[where].bytes < bytes) {
        place_free(where, l->staging[where].memory);
        l->staging[where].memory = place_alloc(where, bytes, "staging of ghosts");
        l->staging[where].bytes = bytes;
    }
    return l->staging[where].memory;
}

workspace *lattice_workspace(lattice *l, place where)
{
    return &l->workspace[where];
}

lattice_view lattice_view_of(const lattice_shape *shape)
{
    const int half = (int)lattice_half(shape), slice = half / shape->local[3];
    const bool has_first = shape->origin[3] == 0, has_last = shape->origin[3] + shape->local[3] == shape->global[3];
    lattice_view v = { .padded = (int)lattice_padded_half(shape), .first_time_ends = has_first ? slice : 0,
                       .last_time_begins = has_last ? half - slice : half };
    v.ghosts = ghost_sites(shape, lattice_vector_ghosts(shape));
    for (int mu = 0; mu < 4; mu++) {
        v.split |= (shape->grid[mu] > 1) << mu;
        v.local[mu] = shape->local[mu];
        v.origin[mu] = shape->origin[mu];
        v.global[mu] = shape->global[mu];
    }
    return v;
}

lattice_view lattice_on(lattice *l, place where)
{
    const size_t all = all_indices(l);
    if (!l->neighbors[where])
        l->neighbors[where] = table_at(where, l->neighbors[PLACE_CPU], NEIGHBORS * all, "tables of neighbors");
    lattice_view v = l->view;
    for (int mu = 0; mu < 4; mu++) {
        const int *table = l->neighbors[where] + (size_t)mu * all + l->ghosts.sites[GHOSTS_EVERY];
        v.up[mu] = table;
        v.down[mu] = table + 4 * all;
        v.up3[mu] = table + 8 * all;
        v.down3[mu] = table + 12 * all;
    }
    return v;
}
