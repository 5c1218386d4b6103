/* golden_spinors.h - what golden numbers of Wilson and domain-wall quarks say, and whether fields have them. */
#ifndef KILN_TESTS_OPERATORS_GOLDEN_SPINORS_H
#define KILN_TESTS_OPERATORS_GOLDEN_SPINORS_H

#include "src/gauge/gauge.h"
#include "src/operators/dwf.h"

/* v <- the test vector t on its sites: sin(1 + 0.7 k) + i cos(0.3 + 1.1 k), k counting all of
 * [t][z][y][x][slice][spin][color] */
void golden_vector(vec *v);
spinor_field golden_field(const gauge *u, int Ls);           /* the same on all sites; free with spinor_field_free */

double *golden_array(size_t sites, size_t Ls);             /* as vec_export has it; memory_free */

/* |v|^2, the first three components of the first site, <t, v> */
typedef struct { double norm2, first[6], weighted[2]; } golden_numbers;
/* States whether a field has them; v.even may be NULL: zero. */
void golden_compare(spinor_field v, const golden_numbers *want, const char *name, const char *of);
/* The same of an array of `count` numbers, which may be NULL: not there.  `test` is t. */
void golden_compare_array(const double *out, const double *test, size_t count, const golden_numbers *want,
                          const char *where, const char *name);

/* Of a force in another unit, -1/2 of Kiln's: the action; the sum over links of sum_a (D_a S)^2; of its root the mean
 * square and the maximum over links; matrices [mu][row][col][re,im] at the origin and at x, y, z, t = 1, 0, 1, 1 */
typedef struct { double action, total, rms, max, origin[GAUGE_REALS], x1y0z1t1[GAUGE_REALS]; } golden_force;
void golden_force_compare(const momentum *f, momentum_size size, double action, const golden_force *want,
                          const char *name);

#endif
