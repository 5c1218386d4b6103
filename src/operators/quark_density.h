/* quark_density.h - |q(x)|^2 of quarks in four dimensions, site by site and on each time slice. */
#ifndef KILN_OPERATORS_QUARK_DENSITY_H
#define KILN_OPERATORS_QUARK_DENSITY_H

#include "src/lattice/vec.h"

/* A number at every site, in double, where the quarks are; field_zero and field_free as for other fields. */
field quark_density_create(lattice *l, place where);

/* density(x) <- density(x) + |q(x)|^2, the sum over spin and colour, on the sites of q: spinors with one slice. */
void quark_density_add(field *density, const vec *q);

/* The sums over the sites of each time slice, from slice `start` on: sums[t] is of the slice (start + t) mod extent in
 * t, for 0 <= t < extent.  They are exact (site/exact_sum.h): the same bits whatever the
 * place and the order. */
void quark_density_in_time(double *sums, const field *density, int start);

#endif
