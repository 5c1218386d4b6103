/* link_fields.h - fields of complex 3x3 matrices on links, as arrays of doubles: made, compared, multiplied. */
#ifndef KILN_TESTS_OPERATORS_LINK_FIELDS_H
#define KILN_TESTS_OPERATORS_LINK_FIELDS_H

#include "src/gauge/gauge.h"

size_t link_numbers(const lattice *l);                            /* doubles of such a field */

/* Any matrices: elements in [-1, 1], from a hash of seed and place; release with memory_free. */
double *any_links(const lattice *l, int seed);

/* a + f b */
double *links_sum(const lattice *l, const double *a, double f, const double *b);

double *links_of(const gauge *u);                                 /* gauge_export to memory of its own */
gauge *links_on(lattice *l, place where, precision p, const double *links);

/* g(x) L_mu(x) g(x + hop mu)^+ */
double *links_turned(const gauge *links, const gauge_rotation *g, int hop);

double links_product(const lattice *l, const double *a, const double *b);      /* Re sum Tr a b^+ */
double links_largest(const lattice *l, const double *a);
/* |a - b| of the elements farthest apart, relative to the largest of b */
double links_apart(const lattice *l, const double *a, const double *b);
double gauge_apart(const gauge *a, const double *b);              /* the same */

#endif
