/* bare_choice.h - bare parameters for a target: a spacing or beta, and a pion mass or bare masses.
 *
 * Parameters are those of an ensemble of the literature, or interpolated: at one coupling m_pi^2 is linear in the bare
 * mass between neighboring ensembles.  Beyond the lightest and the heaviest pion they are extrapolated only if the
 * target says so (extrapolate); spacings are never extrapolated.  The requested spacing and that of the parameters
 * differ by at most 5 %. */
#ifndef KILN_LITERATURE_BARE_CHOICE_H
#define KILN_LITERATURE_BARE_CHOICE_H

#include "src/literature/bare_parameters.h"

/* Release b with bare_parameters_free.  False with the reason; then there is nothing to release. */
bool bare_parameters_choose(bare_parameters *b, const literature_target *t, failure *f);

/* "0.0426, 0.0568, ... fm, each within 5 %", or "0.026 to 0.17 fm": the spacings that bare_parameters_choose
 * accepts. */
void bare_parameters_add_spacings(text *t, const family *of);

/* The lightest and the heaviest pion, in MeV, of the ensembles at the target's spacing or beta; 0 and 0 if there are
 * none.  If ensembles of one beta have different spacings, only those near the target's count.  False with the reason
 * if bare_parameters_choose refuses the spacing or beta. */
bool bare_parameters_pions(const literature_target *t, double *least, double *most, failure *f);

#endif
