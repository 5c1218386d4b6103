/* dwf_ward.h - the residual mass of domain-wall quarks by the axial Ward identity, from any sources (dwf_walls.h):
 *
 *     residual mass = Re sum eta^+ q / sum |q|^2 - m */
#ifndef KILN_MEASURE_DWF_WARD_H
#define KILN_MEASURE_DWF_WARD_H

#include "src/measure/dwf_walls.h"

/* Of a source: Re eta^+ q, |q|^2. */
typedef struct { double source_quark, quark2; } ward_terms;
ward_terms ward_terms_of(const quark_line *line);

/* From `count` sources; and its jackknife error over them, NaN for a single one. */
double ward_residual_mass(const ward_terms *terms, int count, double mass);
double ward_residual_mass_error(const ward_terms *terms, int count, double mass);

#endif
