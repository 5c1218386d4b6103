/* test_geometry.c - order of sites, neighbors, padding, and fields between lexicographic order and memory. */
#define ONE_LANE
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/lattice/field_slices.h"
#include "src/site/load.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <stdio.h>
#include <string.h>

/* up, down, up3, down3, four directions each */
enum { TABLES = 16 };

/* Every table of a place as host memory; memory_free */
static int *host_tables(const lattice_view *v, place where, int sites)
{
    int *tables = memory_alloc(TABLES * (size_t)sites * sizeof *tables, "tables of neighbors");
    for (int mu = 0; mu < 4; mu++)
        for (int n = 0; n < TABLES / 4; n++) {
            int *to = tables + (4 * n + mu) * sites;
            const int *from = n == 0 ? v->up[mu] : n == 1 ? v->down[mu] : n == 2 ? v->up3[mu] : v->down3[mu];
            if (where == PLACE_GPU)
                device_copy_from(to, from, (size_t)sites * sizeof *to);
            else
                memcpy(to, from, (size_t)sites * sizeof *to);
        }
    return tables;
}

static void step(int to[4], const int from[4], const int extents[4], int mu, int by)
{
    memcpy(to, from, 4 * sizeof *to);
    to[mu] = (to[mu] + by + 2 * extents[mu]) % extents[mu];
}

static void geometry(lattice *l, place where, const char *name)
{
    const int *n = lattice_local(l);
    lattice_view v = lattice_on(l, where);
    int sites = lattice_sites_with_padding(l), *tables = host_tables(&v, where, sites), *seen;
    seen = memory_alloc((size_t)sites * sizeof *seen, "sites seen");
    const int64_t volume = (int64_t)n[0] * n[1] * n[2] * n[3];
    const int half = (int)(volume / 2), odd_begins = site_of_parity(&v, 1, 0);
    int64_t rank = 0;
    bool once = true, parity = true, coordinates = true, ranks = true, neighbors = true, inverse = true, flips = true;
    bool around = true;
    for (int t = 0; t < n[3]; t++)
        for (int z = 0; z < n[2]; z++)
            for (int y = 0; y < n[1]; y++)
                for (int x = 0; x < n[0]; x++, rank++) {
                    int c[4] = { x, y, z, t }, back[4], s = lattice_site(l, c), odd = (x + y + z + t) % 2;
                    once &= s >= 0 && s < sites && seen[s]++ == 0;
                    parity &= odd == site_parity(&v, s) && s == site_of_parity(&v, odd, (int)(rank / 2));
                    around &= hop_goes_around(&v, s, false) == (t == n[3] - 1) && hop_goes_around(&v, s, true) == !t;
                    site_coordinates(&v, s, back);
                    coordinates &= memcmp(c, back, sizeof c) == 0;
                    ranks &= site_global_rank(&v, s) == (uint64_t)rank;
                    for (int k = 0; k < TABLES; k++) {
                        int to[4], there = tables[k * sites + s], hop = k < 8 ? 1 : 3;
                        step(to, c, n, k % 4, k / 4 % 2 == 0 ? hop : -hop);
                        neighbors &= there == lattice_site(l, to);
                        inverse &= tables[(k ^ 4) * sites + there] == s;
                        flips &= site_parity(&v, there) != site_parity(&v, s);
                    }
                }
    bool padding = true;
    for (int s = 0; s < sites; s++)
        for (int k = 0; k < TABLES && !seen[s]; k++)
            padding &= tables[k * sites + s] == (s + odd_begins) % sites;
    int zero[4] = { 0, 0, 0, 0 };
    site_range all = lattice_all(l), even = lattice_parity(l, 0), odds = lattice_parity(l, 1);
    fact(lattice_volume(l) == volume && once, "%s: every site of %lld has one place in memory", name,
         (long long)volume);
    fact(lattice_site(l, zero) == 0 && parity, "%s: even sites first, then odd ones, each in lexicographic order; the "
         "origin is the very first", name);
    fact(odd_begins % SITE_TILE == 0 && odd_begins - half < SITE_TILE && sites == 2 * odd_begins,
         "%s: each parity is padded to a multiple of %d sites", name, SITE_TILE);
    fact(all.first == 0 && all.parts == 2 && all.sites == half && all.step == odd_begins && even.first == 0 &&
         even.parts == 1 && odds.first == odd_begins && odds.parts == 1 && odds.sites == half,
         "%s: ranges of all, even and odd sites", name);
    fact(around, "%s: hops over the end in t are those from its last slice, and backward from its first", name);
    fact(coordinates, "%s: kernels find the coordinates of every site", name);
    fact(ranks, "%s: and its lexicographic rank, x fastest", name);
    fact(neighbors, "%s: up and down are one step or three, with periodic boundaries", name);
    fact(inverse, "%s: up then down, and down then up, is no step", name);
    fact(flips, "%s: every step changes the parity", name);
    fact(padding, "%s: padding sites are neighbors of their likes of the other parity", name);
    memory_free(seen);
    memory_free(tables);
}

/* A number that names site and component, exactly a float */
static double number_at(size_t i)
{
    return (double)(i % 8388608) - 4000000;
}

static void fields(lattice *l, place where, const char *name)
{
    enum { REALS = 5 };
    size_t count = (size_t)lattice_volume(l) * REALS;
    double *in = memory_alloc(count * sizeof *in, "numbers"), *out = memory_alloc(count * sizeof *out, "numbers");
    for (size_t i = 0; i < count; i++)
        in[i] = number_at(i);
    field f[PRECISIONS];
    for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
        f[p] = field_create(l, where, p, REALS, "a field under test");
        field_export(out, &f[p]);
        bool zero = true;
        for (size_t i = 0; i < count; i++)
            zero &= out[i] == 0;
        fact(zero, "%s, %zu bytes a real: a new field is zero", name, precision_bytes(p));
        field_import(&f[p], in);
        field_export(out, &f[p]);
        fact(memcmp(in, out, count * sizeof *in) == 0, "%s, %zu bytes a real: what goes in comes out", name,
             precision_bytes(p));
        fact(f[p].bytes == field_bytes(lattice_shape_of(l), p, REALS) &&
             f[p].bytes == (size_t)lattice_sites_with_padding(l) * REALS * precision_bytes(p),
             "%s, %zu bytes a real: the memory is what a plan of memory says", name, precision_bytes(p));
    }

    for (size_t i = 0; i < count; i++)
        in[i] = number_at(i) / 3;
    field_import(&f[PRECISION_DOUBLE], in);
    field_convert(&f[PRECISION_SINGLE], &f[PRECISION_DOUBLE]);
    field_export(out, &f[PRECISION_SINGLE]);
    bool rounded = true;
    for (size_t i = 0; i < count; i++)
        rounded &= out[i] == (double)(float)in[i];
    fact(rounded, "%s: conversion to single rounds to nearest", name);
    field_zero(&f[PRECISION_DOUBLE]);
    field_convert(&f[PRECISION_DOUBLE], &f[PRECISION_SINGLE]);
    field_export(in, &f[PRECISION_DOUBLE]);
    fact(memcmp(in, out, count * sizeof *in) == 0, "%s: conversion to double is exact", name);

    field other = field_create(l, where, PRECISION_DOUBLE, REALS, "a copy");
    field host = field_create(l, PLACE_CPU, PRECISION_DOUBLE, REALS, "a copy on the CPU");
    field_copy(&other, &f[PRECISION_DOUBLE]);
    field_copy(&host, &other);
    field_export(in, &host);
    fact(memcmp(in, out, count * sizeof *in) == 0, "%s: copies, to the CPU too, are the same numbers", name);
    field_free(&host);
    field_free(&other);
    field_free(&f[PRECISION_SINGLE]);
    field_free(&f[PRECISION_DOUBLE]);
    memory_free(out);
    memory_free(in);
}

/* One process holds all: of the shape itself, and of a lattice that has it. */
static void shape_of_one(const lattice *l, const int extents[4], const char *name)
{
    static const int ones[4] = { 1, 1, 1, 1 }, zeros[4] = { 0, 0, 0, 0 };
    const lattice_shape single = lattice_shape_single(extents), *s = lattice_shape_of(l);
    const size_t n = sizeof s->global;
    fact(memcmp(s->global, extents, n) == 0 && memcmp(s->local, extents, n) == 0 && memcmp(s->grid, ones, n) == 0 &&
         memcmp(s->origin, zeros, n) == 0 && s->ghosts == 0, "%s: one process holds all, without ghosts", name);
    fact(memcmp(s, &single, sizeof single) == 0 && memcmp(lattice_global(l), extents, n) == 0 &&
         memcmp(lattice_local(l), extents, n) == 0, "%s: the lattice has the shape it was made with", name);
    fact(lattice_global_sites(s) == lattice_volume(l) && lattice_local_sites(s) == lattice_volume(l) &&
         lattice_half(s) == lattice_all(l).sites && lattice_padded_half(s) == lattice_all(l).step,
         "%s: sites are those of the lattice", name);
}

/* What one process of a 1x2x1x3 grid holds: counts of memory are its own. */
static const lattice_shape block_of_six = {
    { 10, 12, 8, 36 }, { 1, 2, 1, 3 }, { 10, 6, 8, 12 }, { 0, 6, 0, 24 }, 0, false
};

static void counts(void)
{
    const lattice_shape *s = &block_of_six, huge = lattice_shape_single((int[4]){ 1024, 1024, 1024, 1024 });
    const lattice_shape alone = lattice_shape_single(s->local);
    failure f = { .why = "" };
    fact(lattice_shape_is_possible(s, &f), "a block of a grid of 1x2x1x3 is possible%s%s", *f.why ? ": " : "", f.why);
    fact(lattice_global_sites(s) == 6 * lattice_local_sites(s) && lattice_local_sites(s) == 5760 &&
         lattice_half(s) == 2880 && lattice_padded_half(s) == 2880, "its sites are a sixth of those of the lattice");
    fact(lattice_padded_half(&(lattice_shape){ .local = { 2, 2, 2, 2 } }) == 32 &&
         lattice_padded_half(&(lattice_shape){ .local = { 2, 6, 2, 6 } }) == 96, "a parity is padded to whole tiles");
    fact(field_bytes(s, PRECISION_SINGLE, 18) == field_bytes(&alone, PRECISION_SINGLE, 18) &&
         lattice_table_bytes(s) == lattice_table_bytes(&alone), "memory is that of the block");
    fact(lattice_global_sites(&huge) == INT64_C(1) << 40 && lattice_half(&huge) == INT64_C(1) << 39 &&
         lattice_padded_half(&huge) == INT64_C(1) << 39, "counts of sites do not overflow");
}

/* What kernels are told of the sites of a block, here those of the three in time: it is of the whole lattice. */
static void sites_of_blocks(void)
{
    enum { TIMES = 12 };
    for (int block = 0; block < 3; block++) {
        lattice_shape shape = block_of_six;
        shape.origin[3] = TIMES * block;
        const lattice_view v = lattice_view_of(&shape);
        const int *n = shape.global, half = (int)lattice_half(&shape);
        bool inside = true, parities = true, ranks = true, around = true;
        int ends = 0;
        for (int i = 0; i < 2 * half; i++) {
            const int s = site_of_parity(&v, i / half, i % half);
            int c[4];
            site_global_coordinates(&v, s, c);
            for (int mu = 0; mu < 4; mu++)
                inside &= c[mu] >= shape.origin[mu] && c[mu] < shape.origin[mu] + shape.local[mu];
            parities &= coordinate_parity(c) == i / half && site_parity(&v, s) == i / half;
            ranks &= site_global_rank(&v, s) == (uint64_t)(((c[3] * n[2] + c[2]) * n[1] + c[1]) * n[0] + c[0]);
            around &= hop_goes_around(&v, s, false) == (c[3] == n[3] - 1) && hop_goes_around(&v, s, true) == !c[3];
            ends += hop_goes_around(&v, s, false) + hop_goes_around(&v, s, true);
        }
        fact(inside && parities && ranks, "block %d in time: coordinates, parities and ranks of the whole lattice",
             block);
        fact(around && ends == (block == 1 ? 0 : 2 * half / TIMES),
             "block %d in time: %d hops in t go over the end of the whole lattice", block, ends);
    }
}

static void impossible(void)
{
    static const int bad[][4] = { { 3, 4, 4, 4 }, { 4, 4, 0, 4 }, { 4, -2, 4, 4 }, { 256, 256, 256, 128 } };
    for (int i = 0; i < 4; i++) {
        const lattice_shape s = lattice_shape_single(bad[i]);
        failure f;
        fact(!lattice_shape_is_possible(&s, &f), "%dx%dx%dx%d is refused: %s", bad[i][0], bad[i][1], bad[i][2],
             bad[i][3], f.why);
    }
    const lattice_shape most = lattice_shape_single((int[4]){ 256, 256, 256, 126 });
    fact(lattice_shape_is_possible(&most, NULL), "a process holds %lld sites, all but as many as an int counts",
         (long long)lattice_local_sites(&most));
    lattice_shape s[4] = { block_of_six, block_of_six, block_of_six, block_of_six };
    static const char *const what[4] = { "a grid that does not fill the lattice", "an odd block", "an odd origin",
                                         "no process" };
    s[0].grid[3] = 2;
    s[1].grid[2] = 8;
    s[1].local[2] = 1;
    s[2].origin[1] = 3;
    s[3].grid[0] = 0;
    for (int i = 0; i < 4; i++) {
        failure f;
        fact(!lattice_shape_is_possible(&s[i], &f), "%s is refused: %s", what[i], f.why);
    }
}

static void slabs(void)
{
    const lattice_shape large = lattice_shape_single((int[4]){ 48, 48, 48, 96 });
    failure f = { .why = "" };
    fact(lattice_slabs_are_possible(&large, SLAB_GROUP * 100, &f), "100 slices on 48x48x48x96 can be numbered");
    fact(!lattice_slabs_are_possible(&large, SLAB_GROUP * 101, &f) && strncmp(f.why, "101 slices ", 11) == 0,
         "101 cannot: %s", f.why);
}

int main(void)
{
    static const int shapes[][4] = { { 2, 2, 2, 2 }, { 4, 2, 2, 2 }, { 2, 4, 2, 6 }, { 6, 4, 10, 2 }, { 8, 6, 4, 12 } };
    counts();
    sites_of_blocks();
    impossible();
    slabs();
    for (int i = 0; i < 5; i++) {
        lattice *l = lattice_create_single(shapes[i]);
        shape_of_one(l, shapes[i], extents_to_text(shapes[i]).s);
        FOR_EVERY_PLACE(where) {
            char name[64];
            snprintf(name, sizeof name, "%s, %dx%dx%dx%d", place_name(where), shapes[i][0], shapes[i][1], shapes[i][2],
                     shapes[i][3]);
            geometry(l, where, name);
            fields(l, where, name);
        }
        lattice_free(l);
    }
    return facts_end();
}
