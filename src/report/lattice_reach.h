/* lattice_reach.h - numbers read off curves, such as t0, at an x beyond the largest one that the lattice holds. */
#ifndef KILN_REPORT_LATTICE_REACH_H
#define KILN_REPORT_LATTICE_REACH_H

#include "src/report/run_warnings.h"

/* Set `beyond` of the quantities of `s` that rest on such an x of a curve with limit_of (result_member.h), for the
 * smallest extent of the lattice of `p` in units of the spacing in space; append a warning that lists them.  Extents in
 * t are divided by the anisotropy that the measurement of this name in `p` gives. */
void lattice_reach_check(run_warnings *w, run_summary *s, const run_history *h, const run_params *p);

#endif
