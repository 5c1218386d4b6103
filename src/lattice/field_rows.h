/* field_rows.h - copies rows of a field, of the sites of this process only, to and from the host. */
#ifndef KILN_LATTICE_FIELD_ROWS_H
#define KILN_LATTICE_FIELD_ROWS_H

#include "src/lattice/field.h"

/* Upper bound of the host memory of field_move_rows, without its arguments. */
enum { FIELD_STAGING_BYTES = 1 << 22 };

/* Slabs of a piece (field_slices.h): SLAB_GROUP, or 1 in a field without slabs. */
int field_group(const field *f);

/* Rows first .. first + count - 1 of time slice t of a piece, counted [z][y]; t and rows are counted from the first
 * site of this process. */
typedef struct { int piece, t, first, count; } row_set;

/* Copies rows[count][x][slab of the piece][reals] into the field if to_field, else from the field.  Sites without
 * memory are ignored (to_field) or set to zero in `rows`.  Not collective. */
void field_move_rows(double *rows, const field *f, const row_set *set, bool to_field);

#endif
