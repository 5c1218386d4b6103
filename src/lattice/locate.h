/* locate.h - where a field holds what is no number: for the message when a solve has met one. */
#ifndef KILN_LATTICE_LOCATE_H
#define KILN_LATTICE_LOCATE_H

#include "src/lattice/field.h"

/* Coordinates x y z t, which group of slabs (slice of a fifth dimension), and which of the field's numbers there. */
typedef struct { int site[4], slice, component; } number_place;

/* The first that is infinite or no number, in lexicographic order of sites; false if there is none.  The field passes
 * over the host: not for loops. */
bool field_find_bad(const field *f, number_place *at);

#endif
