/* bare_masses.h - bare masses for a pion mass, and the pion mass for a bare mass, at one coupling. */
#ifndef KILN_LITERATURE_BARE_MASSES_H
#define KILN_LITERATURE_BARE_MASSES_H

#include "src/literature/bare_parameters.h"

/* A pion that differs by less than this fraction from that of an ensemble gets the masses of the ensemble. */
#define SAME_PION 0.02

/* Set pion, light, strange and charm of `b`, whose coupling is set, and add their sources to b->origin.  False with the
 * reason. */
bool masses_choose(bare_parameters *b, const literature_target *t, failure *f);

#endif
