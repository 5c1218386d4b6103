/* field_rows.h - rows of a field, of the sites of this process, between its place and the host. */
#ifndef KILN_LATTICE_FIELD_ROWS_H
#define KILN_LATTICE_FIELD_ROWS_H

#include "src/lattice/field.h"

/* Upper bound of the host memory of field_move_rows, without its arguments. */
enum { FIELD_STAGING_BYTES = 1 << 22 };

/* Slabs of a piece (field_slices.h). */
int field_group(const field *f);

/* Rows first .. first + count - 1 of time slice t of a piece, counted [z][y]: by the coordinates of this process. */
typedef struct { int piece, t, first, count; } row_set;

/* Between the field and rows[count][x][slab of the piece][reals].  Sites without memory are zero on the way out, and
 * ignored on the way in. */
void field_move_rows(double *rows, const field *f, const row_set *set, bool to_field);

#endif
