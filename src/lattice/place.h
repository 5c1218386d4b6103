/* place.h - the place of the numbers of a field (memory of the CPU or of the GPU), and their precision. */
#ifndef KILN_LATTICE_PLACE_H
#define KILN_LATTICE_PLACE_H

#include <stddef.h>

typedef enum { PLACE_CPU, PLACE_GPU } place;
typedef enum { PRECISION_SINGLE, PRECISION_DOUBLE } precision;
enum { PLACES = 2, PRECISIONS = 2 };
const char *place_name(place where);                     /* "cpu", "cuda" */
size_t precision_bytes(precision p);                     /* of one real */

#endif
