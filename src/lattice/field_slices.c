/* field_slices.c - slices of the whole lattice, from the rows of each process.
 *
 * Slices are those of the whole lattice, in global coordinates.  To read a slice, every rank that has some of its sites
 * sends them to all others. */
#include "src/lattice/field_slices.h"

#include "src/base/memory.h"
#include "src/lattice/field_rows.h"

#include <assert.h>
#include <string.h>

static int times_of(const field *f)
{
    return lattice_global(f->lattice)[3];
}

/* Rows of a slice, and doubles of a site and of a row. */
static int slice_rows(const field *f)
{
    const int *n = lattice_global(f->lattice);
    return n[1] * n[2];
}

static size_t site_reals(const field *f)
{
    return (size_t)(field_group(f) * f->reals);
}

static size_t row_reals(const field *f)
{
    return (size_t)lattice_global(f->lattice)[0] * site_reals(f);
}

int field_slice_count(const field *f)
{
    return times_of(f) * (f->slabs / field_group(f));
}

size_t field_slice_reals(const field *f)
{
    return (size_t)slice_rows(f) * row_reals(f);
}

/* ---- the part of a run of rows that a rank has */

/* Rows first .. first + count - 1, counted [z][y], of time slice t of a piece of the whole lattice. */
typedef struct { int piece, t, first, count; } global_rows;

static bool has_time(const lattice_shape *shape, int t)
{
    return t >= shape->origin[3] && t < shape->origin[3] + shape->local[3];
}

/* The rows of the run that lie in plane z of a rank (counted from its first plane): *set in the coordinates of the
 * rank, *before the number of rows of the run before them.  False if there are none. */
static bool rows_of_plane(row_set *set, int *before, const lattice_shape *shape, const global_rows *run, int z)
{
    const int begin = (shape->origin[2] + z) * shape->global[1] + shape->origin[1], end = begin + shape->local[1];
    const int from = begin > run->first ? begin : run->first;
    const int upto = end < run->first + run->count ? end : run->first + run->count;
    *set = (row_set){ run->piece, run->t - shape->origin[3], z * shape->local[1] + from - begin, upto - from };
    *before = from - run->first;
    return upto > from;
}

/* The number of doubles of the run that the rank owns. */
static size_t part_reals(const field *f, const lattice_shape *shape, const global_rows *run)
{
    size_t rows = 0;
    row_set set;
    int before;
    for (int z = 0; has_time(shape, run->t) && z < shape->local[2]; z++)
        if (rows_of_plane(&set, &before, shape, run, z))
            rows += (size_t)set.count;
    return rows * (size_t)shape->local[0] * site_reals(f);
}

/* Copies between `part`, which has the rows of a rank one after the other, and rows of the whole lattice. */
static void move_part(double *part, double *rows, const field *f, const lattice_shape *shape, const global_rows *run,
                      bool to_part)
{
    const size_t part_row = (size_t)shape->local[0] * site_reals(f), skip = (size_t)shape->origin[0] * site_reals(f);
    row_set set;
    int before;
    for (int z = 0; has_time(shape, run->t) && z < shape->local[2]; z++) {
        if (!rows_of_plane(&set, &before, shape, run, z))
            continue;
        for (int row = 0; row < set.count; row++, part += part_row) {
            double *whole = rows + (size_t)(before + row) * row_reals(f) + skip;
            memcpy(to_part ? part : whole, to_part ? whole : part, part_row * sizeof *part);
        }
    }
}

/* Copies the rows of this rank between its field and `part`. */
static void move_own(double *part, const field *f, const global_rows *run, bool to_field)
{
    const lattice_shape *shape = lattice_shape_of(f->lattice);
    row_set set;
    int before;
    for (int z = 0; has_time(shape, run->t) && z < shape->local[2]; z++)
        if (rows_of_plane(&set, &before, shape, run, z)) {
            field_move_rows(part, f, &set, to_field);
            part += (size_t)set.count * (size_t)shape->local[0] * site_reals(f);
        }
}

/* ---- all ranks */

static lattice_shape shape_of_rank(const field *f, int rank)
{
    const lattice_shape *s = lattice_shape_of(f->lattice);
    return lattice_shape_of_rank(s->global, s->grid, rank, s->ghosts);
}

/* Sends the part of this rank to the others, and composes `rows` of the parts of all ranks. */
static void gather_rows(double *rows, const field *f, const global_rows *run)
{
    const comm *ranks = lattice_comm(f->lattice);
    const int size = comm_size(ranks), rank = comm_rank(ranks);
    size_t begin = 0, *at = memory_alloc((size_t)(size + 1) * sizeof *at, "parts of a slice");
    comm_shift *shift = memory_alloc((size_t)size * sizeof *shift, "parts of a slice");
    for (int r = 0; r < size; r++) {
        const lattice_shape shape = shape_of_rank(f, r);
        at[r] = begin;
        begin += part_reals(f, &shape, run);
    }
    at[size] = begin;
    double *parts = slice_alloc(begin);
    move_own(parts + at[rank], f, run, false);
    for (int i = 1; i < size; i++) {
        const int to = (rank + i) % size, from = (rank + size - i) % size;
        shift[i - 1] = (comm_shift){ .to = to, .from = from, .out = parts + at[rank], .in = parts + at[from],
                                     .out_bytes = (at[rank + 1] - at[rank]) * sizeof *parts,
                                     .in_bytes = (at[from + 1] - at[from]) * sizeof *parts };
    }
    comm_exchange(ranks, shift, size - 1);
    for (int r = 0; r < size; r++) {
        const lattice_shape shape = shape_of_rank(f, r);
        move_part(parts + at[r], rows, f, &shape, run, false);
    }
    memory_free(parts);
    memory_free(shift);
    memory_free(at);
}

static global_rows rows_of(const field *f, int number, int first, int count)
{
    assert(number >= 0 && number < field_slice_count(f) && first >= 0 && first + count <= slice_rows(f));
    return (global_rows){ number / times_of(f), number % times_of(f), first, count };
}

void field_get_rows(double *rows, const field *f, int number, int first, int count)
{
    const global_rows run = rows_of(f, number, first, count);
    if (lattice_is_whole(f->lattice))
        field_move_rows(rows, f, &(row_set){ run.piece, run.t, first, count }, false);
    else
        gather_rows(rows, f, &run);
}

void field_set_rows(field *f, int number, int first, int count, const double *rows)
{
    const global_rows run = rows_of(f, number, first, count);
    if (lattice_is_whole(f->lattice)) {
        field_move_rows((double *)rows, f, &(row_set){ run.piece, run.t, first, count }, true);
        return;
    }
    const lattice_shape *shape = lattice_shape_of(f->lattice);
    double *part = slice_alloc(part_reals(f, shape, &run));
    move_part(part, (double *)rows, f, shape, &run, true);
    move_own(part, f, &run, true);
    memory_free(part);
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
