/* link_errors.h - the error of C v of Wilson quarks without a clover term if the hop itself reads links in 8, 12 or all
 * 18 numbers, as M. A. Clark et al., arXiv:0911.3191, Figure 6. */
#ifndef KILN_BENCH_LINK_ERRORS_H
#define KILN_BENCH_LINK_ERRORS_H

#include "src/bench/format_errors.h"
#include "src/site/formats.h"

/* Links in double precision, borrowed, SU(3); antiperiodic in t.  v on odd sites comes from the key. */
typedef struct { const gauge *u; double mass; rng_key key; } link_errors_of;

/* Deviations from C v in double precision with links in 12 numbers.  C v is computed in precision p from links in the
 * format `reads`: LINK_8, LINK_12 or LINK_NATIVE. */
format_errors link_errors_measure(const link_errors_of *of, precision p, link_format reads, const double *epsilon,
                                  int count);

#endif
