/* field_array.h - shapes of fields as NumPy arrays, which are written and read slice by slice (slices.h). */
#ifndef KILN_IO_FIELD_ARRAY_H
#define KILN_IO_FIELD_ARRAY_H

#include "src/io/npy.h"
#include "src/lattice/field.h"

typedef struct { int dimensions; size_t n[NPY_MAX_DIMENSIONS]; } array_shape;
size_t array_count(array_shape shape);

/* [t][z][y][x][mu][row][col][re,im] of links, and of momenta as matrices. */
array_shape array_shape_of_links(const lattice *l);

/* [t][z][y][x][reals] of any field; of a field with slabs [s][t][z][y][x][spin][reals], where s is the slice of the
 * fifth dimension, spin has SLAB_GROUP values and `reals` are color and (re, im). */
array_shape array_shape_of_field(const field *f);

#endif
