/* quark_density.h - |q(x)|^2 and q(x)^+ gamma_t q(x) of quarks in four dimensions, site by site and on each time
 * slice. */
#ifndef KILN_OPERATORS_QUARK_DENSITY_H
#define KILN_OPERATORS_QUARK_DENSITY_H

#include "src/lattice/vec.h"

/* A field with one number per site, in double, for quarks at the place `where`; use field_zero and field_free. */
field quark_density_create(lattice *l, place where);

/* density(x) <- density(x) + |q(x)|^2, the sum over spin and colour, on the sites of q: spinors with one slice. */
void quark_density_add(field *density, const vec *q);

/* The same with q(x)^+ gamma_t q(x), which has any sign. */
void quark_axial_add(field *density, const vec *q);

/* The sums over the sites of each time slice: sums[t] is for slice (start + t) mod T, 0 <= t < T, with T the extent
 * in t.  They are exact (site/exact_sum.h): the bits do not depend on place or order. */
void quark_density_in_time(double *sums, const field *density, int start);

#endif
