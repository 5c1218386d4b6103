/* dirac_errors.h - the error of one application of C of a Dirac operator (operators/dirac_operator.h) if vectors are
 * stored in a format and links in fewer numbers, as M. A. Clark et al., arXiv:0911.3191, Figure 6.
 *
 * The links are first stored in a format and projected to SU(3) again, because operators refuse other links; then the
 * operator stores them in its own format.  The result has the errors of both formats. */
#ifndef KILN_BENCH_DIRAC_ERRORS_H
#define KILN_BENCH_DIRAC_ERRORS_H

#include "src/bench/format_errors.h"
#include "src/gauge/packed_links.h"
#include "src/operators/dirac_operator.h"

/* C of the first matrix of the plan, with links in double precision.  All is borrowed. */
typedef struct { const dirac_plan *plan; const gauge *u; rng_key key; } dirac_errors_of;

/* links: the format in which the links are first stored, in the arithmetic precision of in.computed; LINK_NATIVE: none.
 * v comes from the key; `count` epsilons, at most ERROR_LEVELS_MAX. */
format_errors dirac_errors_measure(const dirac_errors_of *of, format_pair in, link_format links, const double *epsilon,
                                   int count);

#endif
