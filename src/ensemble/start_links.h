/* start_links.h - the links with which an ensemble begins, from `start` of the input. */
#ifndef KILN_ENSEMBLE_START_LINKS_H
#define KILN_ENSEMBLE_START_LINKS_H

#include "src/ensemble/run_limits.h"
#include "src/gauge/gauge.h"
#include "src/hmc/run_params.h"

/* Fill u (the lattice of `p`): cold, hot or from a file, then with the sweeps of start.heatbath.  Logs each step, and
 * adds the origin of the links to `origin` in a few words.  False with the reason if the file cannot be used, or if
 * `limits` (NULL: none) end the sweeps. */
bool start_links_make(gauge *u, const run_params *p, const run_limits *limits, text *origin, failure *f);

#endif
