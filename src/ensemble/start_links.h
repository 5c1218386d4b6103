/* start_links.h - the links that an ensemble begins with, as `start` of the input wants them. */
#ifndef KILN_ENSEMBLE_START_LINKS_H
#define KILN_ENSEMBLE_START_LINKS_H

#include "src/hmc/run_params.h"
#include "src/lattice/gauge.h"

/* Fill u (the lattice of `p`): cold, hot or of a file, with the sweeps of start.heatbath.sweeps over them.  What was
 * done goes to the log, and where they come from is added to `origin` in a few words.  False with the reason where a
 * file cannot be had. */
bool start_links_make(gauge *u, const run_params *p, text *origin, failure *f);

#endif
