/* result_unit.h - the lattice spacings in units of results: one, a, on isotropic lattices; a_s in space and a_t in time
 * on anisotropic ones (docs/anisotropy.md).
 *
 * Tables of results are the same for both.  The unit of a result that anisotropic lattices can have too names a_s or
 * a_t: "1/a_t" of a mass, "a_s^2" of a flow time, "r/a_s" at an axis of a figure. */
#ifndef KILN_MEASURE_RESULT_UNIT_H
#define KILN_MEASURE_RESULT_UNIT_H

#include "src/base/json_read.h"

#include <stdbool.h>

typedef struct { char s[32]; } unit_text;

/* A unit, or a text with units, from these tables: unchanged on an anisotropic lattice; else with a for a_s and a_t.
 * At most 31 bytes.  "" for NULL. */
unit_text result_unit_on(const char *unit, bool anisotropic);

/* The physical anisotropy a_s/a_t that the input of a measurement gave (`xi` of its result); 1 if it gave none. */
double result_xi(yyjson_val *result);

/* Whether a result is that of an anisotropic lattice: its `xi`, or `xi_0` of its quarks, is not 1. */
bool result_is_anisotropic(yyjson_val *result);

#endif
