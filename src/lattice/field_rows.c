/* field_rows.c - rows of a field between its place and the host.
 *
 * Sites of one parity in consecutive rows are consecutive in memory.  They fill whole tiles, except the first and the
 * last: a run of tiles is copied from or to the GPU at once, and its numbers are reordered on the host. */
#include "src/lattice/field_rows.h"

#include "gpu/device.h"
#include "src/base/memory.h"

#include <assert.h>
#include <string.h>

int field_group(const field *f)
{
    return f->slabs > 1 ? SLAB_GROUP : 1;
}

/* Doubles of a row. */
static size_t row_reals(const field *f)
{
    return (size_t)lattice_local(f->lattice)[0] * (size_t)(field_group(f) * f->reals);
}

/* ---- one run of rows of one slab and parity */

/* Rows first .. first + count - 1 of time slice t. */
typedef struct { int t, first, count; } row_run;

/* The tiles that contain the sites of one parity and slab in these rows.  at: byte where the tiles begin in the field;
 * skip: sites of the first tile before the first site of the run; whole: the run fills all tiles. */
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

/* Copies the numbers of a site between `value` and the tiles. */
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

/* Several threads copy runs of at least this size. */
enum { PARALLEL_BYTES = 1 << 18 };

/* The copy: from or to a field. */
typedef struct {
    const field *f;
    bool to_field;
    void *staging;                      /* host memory for tiles of a field on the GPU; NULL on the CPU */
} row_copy;

/* Copies the sites of one parity and slab in the run; `rows` begins with its first row. */
static void move_parity(double *rows, const row_copy *copy, const row_run *run, int slab, int parity)
{
    const field *f = copy->f;
    const bool to_field = copy->to_field;
    void *staging = copy->staging;
    const int half = lattice_local(f->lattice)[0] / 2;
    const size_t site_reals = (size_t)(field_group(f) * f->reals);
    const tile_run tiles = tiles_of(f, run, slab, parity);
    char *there = (char *)f->data + tiles.at, *here = staging ? staging : there;
    if (staging && !(to_field && tiles.whole))
        device_copy_from(here, there, tiles.bytes);
#pragma omp parallel for if (tiles.bytes >= PARALLEL_BYTES)
    for (int row = 0; row < run->count; row++) {
        int c[4];
        first_of_row(c, f, run, row, parity);
        double *value = rows + (size_t)row * row_reals(f) + (size_t)c[0] * site_reals
                        + (size_t)(slab % field_group(f) * f->reals);
        for (int i = 0; i < half; i++)
            move_site(value + (size_t)(2 * i) * site_reals, here, tiles.skip + row * half + i, f, to_field);
    }
    if (staging && to_field)
        device_copy_to(there, here, tiles.bytes);
}

static void move_run(double *rows, const row_copy *copy, const row_run *run, int piece)
{
    const field *f = copy->f;
    if (f->on != ON_ALL && !copy->to_field)
        memset(rows, 0, (size_t)run->count * row_reals(f) * sizeof *rows);
    for (int i = 0; i < field_group(f); i++)
        for (int parity = 0; parity < 2; parity++)
            if (f->on == ON_ALL || parity == (f->on == ON_ODD))
                move_parity(rows, copy, run, piece * field_group(f) + i, parity);
}

/* ---- any rows of a slice */

/* Bytes of the sites of one slab and parity in a row. */
static size_t half_row_bytes(const field *f)
{
    return (size_t)(lattice_local(f->lattice)[0] / 2 * f->reals) * precision_bytes(f->precision);
}

/* The number of rows that are copied at a time: as many as fit into the staging memory. */
static int rows_at_once(const field *f, int count)
{
    const size_t fit = (FIELD_STAGING_BYTES - 2 * tile_bytes(f)) / half_row_bytes(f);
    return f->where != PLACE_GPU || fit > (size_t)count ? count : fit > 0 ? (int)fit : 1;
}

void field_move_rows(double *rows, const field *f, const row_set *set, bool to_field)
{
    const int most = rows_at_once(f, set->count), *n = lattice_local(f->lattice);
    row_copy copy = { .f = f, .to_field = to_field };
    assert(set->t >= 0 && set->t < n[3] && set->first >= 0 && set->first + set->count <= n[1] * n[2]);
    if (f->where == PLACE_GPU)
        copy.staging = memory_alloc((size_t)most * half_row_bytes(f) + 2 * tile_bytes(f),
                                   "staging of rows of a field");
    for (int done = 0; done < set->count; done += most) {
        const row_run run = { set->t, set->first + done, set->count - done < most ? set->count - done : most };
        move_run(rows + (size_t)done * row_reals(f), &copy, &run, set->piece);
    }
    memory_free(copy.staging);
}
