/* dirac_errors.h - the error of one application of C of a Dirac operator (operators/dirac_operator.h) if vectors are
 * stored in a format and links in fewer numbers, as M. A. Clark et al., arXiv:0911.3191, Figure 6.
 *
 * The operator reads links in its own format, from links that have been through another one: both errors are in the
 * result.  In between the links are made unitary again, because operators refuse others. */
#ifndef KILN_BENCH_DIRAC_ERRORS_H
#define KILN_BENCH_DIRAC_ERRORS_H

#include "src/bench/format_errors.h"
#include "src/gauge/packed_links.h"
#include "src/operators/dirac_operator.h"

/* The first C of the plan, of links in double precision, which are borrowed. */
typedef struct { const dirac_plan *plan; const gauge *u; rng_key key; } dirac_errors_of;

/* links: the format that the links have been through, in the precision of the arithmetic of in.computed; LINK_NATIVE:
 * none.  v comes from the key; `count` epsilons, at most ERROR_LEVELS_MAX. */
format_errors dirac_errors_measure(const dirac_errors_of *of, format_pair in, link_format links, const double *epsilon,
                                   int count);

#endif
