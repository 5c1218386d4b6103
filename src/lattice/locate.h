/* locate.h - where a field has NaN or infinity: for the message when a solve has found one. */
#ifndef KILN_LATTICE_LOCATE_H
#define KILN_LATTICE_LOCATE_H

#include "src/lattice/field.h"

/* Coordinates x y z t; group of slabs (slice of the fifth dimension); index of the component at this site. */
typedef struct { int site[4], slice, component; } number_place;

/* Finds the first component that is NaN or infinite, in lexicographic order of sites; false if there is none.  It
 * copies the field through the host, so it is slow. */
bool field_find_bad(const field *f, number_place *at);

#endif
