/* wilson_workplace.h - Wilson quarks on a test field, for tests of their operator. */
#ifndef KILN_TESTS_OPERATORS_WILSON_WORKPLACE_H
#define KILN_TESTS_OPERATORS_WILSON_WORKPLACE_H

#include "src/operators/clover.h"
#include "src/operators/wilson_launch.h"

#include <complex.h>

/* Links of tests/analytic_field.h, boundary in t, zero vectors in double precision. */
typedef struct {
    place where;
    lattice *l;
    gauge *u;
    hop_links *links;
    spinor_field v, out;
    vec *even, *odd;
} wilson_workplace;
wilson_workplace wilson_begin(place where, const int extents[4], double width, double boundary);
wilson_workplace wilson_begin_theta(place where, const int extents[4], double width, quark_boundary boundary);
void wilson_end(wilson_workplace *w);

void wilson_set_random(spinor_field f, unsigned key);
void wilson_gamma5(spinor_field f);                           /* f <- gamma5 f; a part may be NULL */
double complex *wilson_numbers(spinor_field f);               /* [t][z][y][x][spin][color]; memory_free */

#endif
