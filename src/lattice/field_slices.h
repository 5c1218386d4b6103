/* field_slices.h - copies of a field to and from the host, one time slice at a time.
 *
 * A field without slabs is one piece; in a field with slabs (field.h) each group of slabs is a piece.  Slice n is
 * time slice n mod T of piece n / T of the whole lattice: on the host an array of doubles [z][y][x][slab of the
 * group][reals].  All slices, one after the other, are the array of field_export.  Code that needs a field on the
 * host uses these functions, so that it holds slices instead of the whole lattice and does not depend on the order
 * in memory.
 *
 * Functions that read a field are collective (comm.h): every rank gets the whole slice.  Functions that write a field
 * are not: each rank copies its own sites from the slice that it passes. */
#ifndef KILN_LATTICE_FIELD_SLICES_H
#define KILN_LATTICE_FIELD_SLICES_H

#include "src/lattice/field_rows.h"
#include "src/lattice/slices.h"

int field_slice_count(const field *f);
size_t field_slice_reals(const field *f);            /* doubles in a slice */

/* Sites without memory are zero in field_get_slice, and ignored by field_set_slice. */
void field_get_slice(double *slice, const field *f, int number);
void field_set_slice(field *f, int number, const double *slice);

/* A part of a slice: `count` rows [x][slab of the group][reals] from row `first` on, counted [z][y]. */
void field_get_rows(double *rows, const field *f, int number, int first, int count);
void field_set_rows(field *f, int number, int first, int count, const double *rows);

/* All slices as one array, [t][z][y][x][reals], with slabs [slab group][t][z][y][x][slab of the group][reals]: for
 * small lattices. */
void field_import(field *to, const double *lexicographic);
void field_export(double *lexicographic, const field *from);

/* All slices, in order. */
slice_source field_slices(const field *f);
slice_sink field_slice_sink(field *f);

#endif
