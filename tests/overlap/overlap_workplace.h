/* overlap_workplace.h - an overlap operator on a test field, for tests of it. */
#ifndef KILN_TESTS_OVERLAP_OVERLAP_WORKPLACE_H
#define KILN_TESTS_OVERLAP_OVERLAP_WORKPLACE_H

#include "src/overlap/overlap_solve.h"
#include "tests/operators/wilson_workplace.h"

/* An operator on the links of a Wilson workplace, with its modes, and some pairs. */
enum { OVERLAP_PAIRS = 5 };
typedef struct {
    wilson_workplace w;
    overlap *o;
    overlap_solver *solver;
    vec *v[OVERLAP_PAIRS];
} overlap_workplace;
overlap_params overlap_test_params(sign_method sign, int modes);       /* M0 1.4, antiperiodic in t, accuracy 1e-13 */
overlap_workplace overlap_begin(place where, const int extents[4], double width, const overlap_params *p);
void overlap_end(overlap_workplace *w);

void overlap_set_random(vec *pair, unsigned key);
double overlap_distance(const vec *a, const vec *b);                    /* |a - b| / |b| */

#endif
