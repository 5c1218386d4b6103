/* schwinger_dyson.h - the measurement "schwinger_dyson": whether links are distributed as the action of the input says.
 *
 * The integral over links of D_a (e^-S D_a S_g) vanishes, S: all monomials, S_g: those that are sums over loops.  With
 * F = -dS/dU, F = F_g + F_q, and S_g = sum over loops of w (3 - Re Tr W), in an ensemble
 *
 *     sum over links of <Tr F^+F_g> = 8 sum over loops of <n w Re Tr W / 3>,    n: links of a loop,
 *
 * where no loop contains a link twice.  F_q is that of new pseudofermions, from a heat bath at these links.
 * F. J. Dyson, Phys. Rev. 75 (1949) 1736; J. Schwinger, Proc. Natl. Acad. Sci. 37 (1951) 452. */
#ifndef KILN_MEASURE_SCHWINGER_DYSON_H
#define KILN_MEASURE_SCHWINGER_DYSON_H

#include "src/measure/measurement.h"

extern const measurement_kind schwinger_dyson_measurement;

/* The random numbers of the pseudofermions of monomial `term`. */
rng_key schwinger_dyson_key(rng_key key, int term);

#endif
