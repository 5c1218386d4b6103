/* field_slices.c - a field on its way between its place and the host.
 *
 * Sites of one parity in consecutive rows are consecutive in memory, in whole tiles but for the first and the last: a
 * run of tiles is copied from or to the GPU at once, and its numbers are sorted on the host. */
#include "src/lattice/field_slices.h"

#include "gpu/device.h"
#include "src/base/memory.h"

#include <assert.h>
#include <string.h>

/* Slices are those of files: of the whole lattice, by global coordinates.  Their sites are found by the local ones,
 * which are the same where one process holds all (move_rows asserts it). */

/* Slabs of a piece. */
static int group_of(const field *f)
{
    return f->slabs > 1 ? SLAB_GROUP : 1;
}

static int times_of(const field *f)
{
    return lattice_global(f->lattice)[3];
}

/* Rows of a slice, and doubles of a row. */
static int slice_rows(const field *f)
{
    const int *n = lattice_global(f->lattice);
    return n[1] * n[2];
}

static size_t row_reals(const field *f)
{
    return (size_t)lattice_global(f->lattice)[0] * (size_t)(group_of(f) * f->reals);
}

int field_slice_count(const field *f)
{
    return times_of(f) * (f->slabs / group_of(f));
}

size_t field_slice_reals(const field *f)
{
    return (size_t)slice_rows(f) * row_reals(f);
}

/* ---- one run of rows of one slab and parity: one process has all of their sites */

/* Rows first .. first + count - 1 of time slice t. */
typedef struct { int t, first, count; } row_run;

/* The tiles that hold them, and what lies in the first tile before the first of their sites. */
typedef struct { size_t at, bytes; int skip; bool whole; } tile_run;

/* The coordinates of the first site of a parity in a row of the run. */
static void first_of_row(int c[4], const field *f, const row_run *run, int row, int parity)
{
    const int *n = lattice_local(f->lattice);
    c[1] = (run->first + row) % n[1];
    c[2] = (run->first + row) / n[1];
    c[3] = run->t;
    c[0] = 0;
    c[0] = coordinate_parity(c) != parity;
}

static size_t tile_bytes(const field *f)
{
    return (size_t)f->reals * SITE_TILE * precision_bytes(f->precision);
}

static tile_run tiles_of(const field *f, const row_run *run, int slab, int parity)
{
    int c[4];
    first_of_row(c, f, run, 0, parity);
    const int begin = field_place_of(f, slab, lattice_site(f->lattice, c));
    const int end = begin + run->count * (lattice_local(f->lattice)[0] / 2);
    const int first = begin / SITE_TILE, last = (end + SITE_TILE - 1) / SITE_TILE;
    return (tile_run){ .at = (size_t)first * tile_bytes(f),
                       .bytes = (size_t)(last - first) * tile_bytes(f),
                       .skip = begin % SITE_TILE,
                       .whole = begin % SITE_TILE == 0 && end % SITE_TILE == 0 };
}

/* A site's numbers between `value` and the tiles. */
static void move_site(double *value, void *tiles, int site, const field *f, bool to_field)
{
    size_t at = (size_t)(site / SITE_TILE) * (size_t)f->reals * SITE_TILE + (size_t)(site % SITE_TILE);
    for (int i = 0; i < f->reals; i++, at += SITE_TILE) {
        if (f->precision == PRECISION_DOUBLE && to_field)
            ((double *)tiles)[at] = value[i];
        else if (f->precision == PRECISION_DOUBLE)
            value[i] = ((double *)tiles)[at];
        else if (to_field)
            ((float *)tiles)[at] = (float)value[i];
        else
            value[i] = ((float *)tiles)[at];
    }
}

/* From so many on, several threads share the work. */
enum { PARALLEL_BYTES = 1 << 18 };

/* How rows move between a field and memory. */
typedef struct {
    const field *f;
    bool to_field;
    void *staging;                      /* room on the way to the GPU; NULL on the CPU */
} row_way;

/* The sites of one parity in the run; `rows` begins with its first row. */
static void move_parity(double *rows, const row_way *way, const row_run *run, int slab, int parity)
{
    const field *f = way->f;
    const bool to_field = way->to_field;
    void *staging = way->staging;
    const int half = lattice_local(f->lattice)[0] / 2;
    const size_t site_reals = (size_t)(group_of(f) * f->reals);
    const tile_run tiles = tiles_of(f, run, slab, parity);
    char *there = (char *)f->data + tiles.at, *here = staging ? staging : there;
    if (staging && !(to_field && tiles.whole))
        device_copy_from(here, there, tiles.bytes);
#pragma omp parallel for if (tiles.bytes >= PARALLEL_BYTES)
    for (int row = 0; row < run->count; row++) {
        int c[4];
        first_of_row(c, f, run, row, parity);
        double *value = rows + (size_t)row * row_reals(f) + (size_t)c[0] * site_reals
                        + (size_t)(slab % group_of(f) * f->reals);
        for (int i = 0; i < half; i++)
            move_site(value + (size_t)(2 * i) * site_reals, here, tiles.skip + row * half + i, f, to_field);
    }
    if (staging && to_field)
        device_copy_to(there, here, tiles.bytes);
}

static void move_run(double *rows, const row_way *way, const row_run *run, int piece)
{
    const field *f = way->f;
    if (f->on != ON_ALL && !way->to_field)
        memset(rows, 0, (size_t)run->count * row_reals(f) * sizeof *rows);
    for (int i = 0; i < group_of(f); i++)
        for (int parity = 0; parity < 2; parity++)
            if (f->on == ON_ALL || parity == (f->on == ON_ODD))
                move_parity(rows, way, run, piece * group_of(f) + i, parity);
}

/* ---- any rows of a slice */

/* Of a row, the sites of one slab and parity. */
static size_t half_row_bytes(const field *f)
{
    return (size_t)(lattice_local(f->lattice)[0] / 2 * f->reals) * precision_bytes(f->precision);
}

/* As many rows at a time as there is room for on the way to the GPU. */
static int rows_at_once(const field *f, int count)
{
    const size_t fit = (FIELD_STAGING_BYTES - 2 * tile_bytes(f)) / half_row_bytes(f);
    return f->where != PLACE_GPU || fit > (size_t)count ? count : fit > 0 ? (int)fit : 1;
}

static void move_rows(double *rows, const field *f, int number, int first, int count, bool to_field)
{
    const int most = rows_at_once(f, count);
    row_way way = { .f = f, .to_field = to_field };
    assert(lattice_is_whole(f->lattice));
    assert(number >= 0 && number < field_slice_count(f) && first >= 0 && first + count <= slice_rows(f));
    if (f->where == PLACE_GPU)
        way.staging = memory_alloc((size_t)most * half_row_bytes(f) + 2 * tile_bytes(f),
                                   "rows of a field on their way");
    for (int done = 0; done < count; done += most) {
        const row_run run = { number % times_of(f), first + done, count - done < most ? count - done : most };
        move_run(rows + (size_t)done * row_reals(f), &way, &run, number / times_of(f));
    }
    memory_free(way.staging);
}

void field_get_rows(double *rows, const field *f, int number, int first, int count)
{
    move_rows(rows, f, number, first, count, false);
}

void field_set_rows(field *f, int number, int first, int count, const double *rows)
{
    move_rows((double *)rows, f, number, first, count, true);
}

void field_get_slice(double *slice, const field *f, int number)
{
    field_get_rows(slice, f, number, 0, slice_rows(f));
}

void field_set_slice(field *f, int number, const double *slice)
{
    field_set_rows(f, number, 0, slice_rows(f), slice);
}

/* ---- sources and sinks */

static void get_slice(double *slice, const void *from, int number)
{
    field_get_slice(slice, from, number);
}

static void set_slice(void *to, int number, const double *slice)
{
    field_set_slice(to, number, slice);
}

slice_source field_slices(const field *f)
{
    return (slice_source){ get_slice, f, field_slice_count(f), field_slice_reals(f) };
}

slice_sink field_slice_sink(field *f)
{
    return (slice_sink){ set_slice, f, field_slice_count(f), field_slice_reals(f) };
}

void field_import(field *to, const double *lexicographic)
{
    for (int n = 0; n < field_slice_count(to); n++)
        field_set_slice(to, n, lexicographic + (size_t)n * field_slice_reals(to));
}

void field_export(double *lexicographic, const field *from)
{
    for (int n = 0; n < field_slice_count(from); n++)
        field_get_slice(lexicographic + (size_t)n * field_slice_reals(from), from, n);
}
