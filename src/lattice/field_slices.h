/* field_slices.h - a field on its way between its place and the host, a time slice at a time.
 *
 * A field without slabs is one piece, of others (field.h) each group of slabs is one.  Slice n is time slice n mod T of
 * piece n / T of the whole lattice: on the host an array of doubles [z][y][x][slab of the group][reals], so that all
 * slices, one behind the other, are the array of field_export.  What needs a field on the host asks here, and holds
 * slices in place of the whole lattice; nothing else knows where the sites lie. */
#ifndef KILN_LATTICE_FIELD_SLICES_H
#define KILN_LATTICE_FIELD_SLICES_H

#include "src/lattice/field.h"
#include "src/lattice/slices.h"

int field_slice_count(const field *f);
size_t field_slice_reals(const field *f);            /* doubles in a slice */

/* Sites without memory are zero on the way out, and left out on the way in. */
void field_get_slice(double *slice, const field *f, int number);
void field_set_slice(field *f, int number, const double *slice);

/* A part of a slice: `count` rows [x][slab of the group][reals] from row `first` on, counted [z][y]. */
void field_get_rows(double *rows, const field *f, int number, int first, int count);
void field_set_rows(field *f, int number, int first, int count, const double *rows);

/* What these functions take on the host besides their arguments, at most. */
enum { FIELD_STAGING_BYTES = 1 << 22 };

/* All slices as one array, [t][z][y][x][reals], with slabs [slab group][t][z][y][x][slab of the group][reals]: for
 * small lattices. */
void field_import(field *to, const double *lexicographic);
void field_export(double *lexicographic, const field *from);

/* All slices, in order. */
slice_source field_slices(const field *f);
slice_sink field_slice_sink(field *f);

#endif
