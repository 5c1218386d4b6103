/* milc_quarks.h - links and color vectors of MILC on its 6^4 configuration, for tests of quarks. */
#ifndef KILN_TESTS_OPERATORS_MILC_QUARKS_H
#define KILN_TESTS_OPERATORS_MILC_QUARKS_H

#include "src/operators/staggered.h"

extern const int milc_extents[4];
#define MILC_EPSILON (-0.16875)                     /* of the second set of links */

/* NULL, and `why` in a skip, where there is no reference data. */
const char *milc_why_not(void);

/* Fat links of both sets, and long links with MILC's coefficient -1/24, both with staggered phases. */
typedef struct { gauge *fat[2], *naik; } milc_links;
milc_links milc_links_create(lattice *l, place where, precision p);
void milc_links_free(milc_links *m);

/* The thin links they are made of, without phases. */
gauge *milc_thin_links(lattice *l, place where, precision p);
staggered_terms milc_terms(const milc_links *m, int set);

/* The vector in <name>.npy, its sites `on`. */
vec *milc_vector(lattice *l, parity_set on, place where, precision p, const char *name);

/* A rational function of MILC's parameter file: "MD", "GR" or "FA" of a pseudofermion. */
typedef struct { int poles; double constant, residue[SHIFTS_MAX], pole[SHIFTS_MAX]; } milc_function;
milc_function milc_rational(int pseudofermion, const char *which);

/* |a - b| / |b| */
double relative_distance(const vec *a, const vec *b);

/* Whether two vectors, at any places, hold the same numbers to the last bit. */
bool same_numbers(const vec *a, const vec *b);

#endif
