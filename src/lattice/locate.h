/* locate.h - where a field has NaN or infinity: for the message when a solve has found one. */
#ifndef KILN_LATTICE_LOCATE_H
#define KILN_LATTICE_LOCATE_H

#include "src/lattice/field.h"

/* Global coordinates x y z t; slice of the fifth dimension (group of slabs; 0 without slabs); index of the real number
 * at this site, in the order of field_slices.h. */
typedef struct { int site[4], slice, component; } field_component;

/* Finds the first number that is NaN or infinite, in the order of field_export; false, and *at is not set, if there is
 * none.  Slow, because it copies the field through the host.  Collective; the result is the same on all ranks. */
bool field_find_nonfinite(const field *f, field_component *at);

#endif
