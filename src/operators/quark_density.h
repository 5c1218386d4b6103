/* quark_density.h - q'(x)^+ q(x), its chiral parts, and q'(x)^+ gamma_t q(x) of quarks in four dimensions, site by
 * site and on each time slice. */
#ifndef KILN_OPERATORS_QUARK_DENSITY_H
#define KILN_OPERATORS_QUARK_DENSITY_H

#include "src/lattice/vec.h"

/* A field with one number per site, in double, for quarks at the place `where`; use field_zero and field_free. */
field quark_density_create(lattice *l, place where);

/* density(x) <- density(x) + Re left(x)^+ right(x), the sum over spin and color, on the sites of both: color vectors,
 * or spinors with one slice. */
void quark_density_add(field *density, const vec *left, const vec *right);

/* density(x) <- density(x) + Re left(x)^+ gamma_t right(x), for spinors with one slice: the contraction of the axial
 * current A_t with a pseudoscalar source. */
void quark_axial_add(field *density, const vec *left, const vec *right);

/* For spinors with L and R slices: the complex products of slices l and r in each chirality (0: spins 0 and 1,
 * gamma5 = 1; P its projector):
 *     density_n(x) <- density_n(x) + left_l(x)^+ P right_r(x),  n = first + 2 (2 (l R + r) + chirality) + {re, im}
 * `density` is a field of doubles with more numbers per site than the last n. */
void quark_chiral_add(field *density, int first, const vec *left, const vec *right);

/* The sums over the sites of each time slice: sums[t] is for slice (start + t) mod T, 0 <= t < T, with T the extent
 * in t.  They are exact (site/exact_sum.h): the bits do not depend on place or order. */
void quark_density_in_time(double *sums, const field *density, int start);

/* The same at the eight corners of the Brillouin zone in space: sums[k][t] has the signs (-1)^(x_i - origin_i) for each
 * direction i = 0, 1, 2 whose bit k has; slice t is origin_3 + t. */
enum { SPATIAL_CORNERS = 8 };
void quark_density_at_corners(double *const sums[SPATIAL_CORNERS], const field *density, const int origin[4]);

#endif
