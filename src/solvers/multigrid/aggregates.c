/* aggregates.c - tables of the sites of blocks. */
#include "src/solvers/multigrid/aggregates.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/lattice/field.h"
#include "src/lattice/place_memory.h"

#include <assert.h>
#include <string.h>

static int volume(const int block[4])
{
    return block[0] * block[1] * block[2] * block[3];
}

lattice_shape aggregates_coarse_shape(const lattice_shape *fine, const int block[4])
{
    lattice_shape coarse = *fine;
    for (int mu = 0; mu < 4; mu++) {
        coarse.global[mu] /= block[mu];
        coarse.local[mu] /= block[mu];
        coarse.origin[mu] /= block[mu];
    }
    coarse.open_in_time = false;           /* no coarse site is outside: hops over the ends are 0 */
    return coarse;
}

bool aggregates_are_possible(const lattice_shape *fine, const int block[4], failure *f)
{
    for (int mu = 0; mu < 4; mu++) {
        if (block[mu] < 1 || fine->global[mu] % block[mu] || fine->global[mu] / block[mu] % 2)
            return fail(f, "blocks of %s do not cut lattice %s into an even number of blocks in each direction",
                        extents_to_text(block).s, extents_to_text(fine->global).s);
        if (fine->local[mu] % block[mu] || fine->local[mu] / block[mu] % 2)
            return fail(f, "blocks of %s do not cut the %s sites of a process into an even number of blocks in each "
                           "direction: choose a grid with fewer processes in direction %c",
                        extents_to_text(block).s, extents_to_text(fine->local).s, "xyzt"[mu]);
    }
    if (fine->open_in_time && block[3] == 1)
        return fail(f, "blocks of %s: with open boundaries in time they need 2 time slices or more, because quarks are "
                       "0 in the first and the last slice", extents_to_text(block).s);
    if (volume(block) % 2)
        return fail(f, "blocks of %s: at least one extent must be even, which needs a lattice extent that is a "
                       "multiple of 4", extents_to_text(block).s);
    const lattice_shape coarse = aggregates_coarse_shape(fine, block);
    return lattice_shape_is_possible(&coarse, f);
}

/* ---- tables, made on the host */

typedef struct { int *sites[2], *aggregate, *row, *leaves; } tables;

/* The sites of the block at coarse coordinates c, in lexicographic order. */
static void fill_block(tables *t, const aggregates *a, const int c[4])
{
    const int X = lattice_site(a->coarse, c), stride = lattice_sites_with_padding(a->coarse), *b = a->block;
    int row[2] = { 0, 0 };
    for (int i = 0; i < volume(b); i++) {
        const int in[4] = { i % b[0], i / b[0] % b[1], i / b[0] / b[1] % b[2], i / b[0] / b[1] / b[2] };
        int at[4], leaves = 0;
        for (int mu = 0; mu < 4; mu++) {
            at[mu] = c[mu] * b[mu] + in[mu];
            leaves |= (in[mu] == b[mu] - 1) << mu | (in[mu] == 0) << (mu + 4);
        }
        const int x = lattice_site(a->fine, at), parity = coordinate_parity(at);
        t->row[x] = row[parity]++;
        t->sites[parity][(size_t)t->row[x] * (size_t)stride + (size_t)X] = x;
        t->aggregate[x] = X;
        t->leaves[x] = leaves;
    }
}

/* Padding repeats the last site before it. */
static void fill_padding(int *row, const lattice *coarse)
{
    const int padded = lattice_sites_with_padding(coarse) / 2, half = (int)lattice_half(lattice_shape_of(coarse));
    for (int parity = 0; parity < 2; parity++)
        for (int i = half; i < padded; i++)
            row[parity * padded + i] = row[parity * padded + half - 1];
}

static void fill_tables(tables *t, const aggregates *a)
{
    const int *n = lattice_local(a->coarse), stride = lattice_sites_with_padding(a->coarse);
    int c[4];
    for (c[3] = 0; c[3] < n[3]; c[3]++)
        for (c[2] = 0; c[2] < n[2]; c[2]++)
            for (c[1] = 0; c[1] < n[1]; c[1]++)
                for (c[0] = 0; c[0] < n[0]; c[0]++)
                    fill_block(t, a, c);
    for (int parity = 0; parity < 2; parity++)
        for (int row = 0; row < a->rows; row++)
            fill_padding(t->sites[parity] + (size_t)row * (size_t)stride, a->coarse);
}

static int *moved_to(place where, int *table, size_t bytes)
{
    int *there = place_alloc(where, bytes, "tables of multigrid");
    if (where == PLACE_GPU)
        device_copy_to(there, table, bytes);
    else
        memcpy(there, table, bytes);
    memory_free(table);
    return there;
}

/* Bytes of an int at each site: as of a number in single precision. */
static size_t table_bytes(const lattice_shape *shape)
{
    _Static_assert(sizeof(int) == sizeof(float), "a table has the size of a field");
    return field_bytes_on(shape, ON_ALL, GHOSTS_NONE, PRECISION_SINGLE, 1);
}

size_t aggregates_bytes(const lattice_shape *fine, const int block[4])
{
    const lattice_shape coarse = aggregates_coarse_shape(fine, block);
    return (size_t)volume(block) * table_bytes(&coarse) + 3 * table_bytes(fine);
}

aggregates *aggregates_create(lattice *fine, place where, const int block[4])
{
    const char *what = "tables of multigrid";
    const lattice_shape *shape = lattice_shape_of(fine), coarse = aggregates_coarse_shape(shape, block);
    aggregates *a = memory_alloc(sizeof *a, what);
    assert(aggregates_are_possible(shape, block, NULL));
    *a = (aggregates){ .fine = fine, .coarse = lattice_create(&coarse), .where = where, .rows = volume(block) / 2 };
    memcpy(a->block, block, sizeof a->block);
    const size_t of_rows = (size_t)a->rows * table_bytes(&coarse), of_sites = table_bytes(shape);
    tables t = { { memory_alloc(of_rows, what), memory_alloc(of_rows, what) }, memory_alloc(of_sites, what),
                 memory_alloc(of_sites, what), memory_alloc(of_sites, what) };
    fill_tables(&t, a);
    for (int parity = 0; parity < 2; parity++)
        a->sites[parity] = moved_to(where, t.sites[parity], of_rows);
    a->aggregate = moved_to(where, t.aggregate, of_sites);
    a->row = moved_to(where, t.row, of_sites);
    a->leaves = moved_to(where, t.leaves, of_sites);
    return a;
}

void aggregates_free(aggregates *a)
{
    if (!a)
        return;
    place_free(a->where, a->sites[0]);
    place_free(a->where, a->sites[1]);
    place_free(a->where, a->aggregate);
    place_free(a->where, a->row);
    place_free(a->where, a->leaves);
    lattice_free(a->coarse);
    memory_free(a);
}

aggregate_view aggregates_view(const aggregates *a, int parity)
{
    return (aggregate_view){ a->sites[parity], lattice_sites_with_padding(a->coarse), a->rows };
}
