/* links_at_hand.h - links to try things on, without touching the ensemble: of a file, of the ensemble's newest state,
 * or those that the ensemble would start from. */
#ifndef KILN_ENSEMBLE_LINKS_AT_HAND_H
#define KILN_ENSEMBLE_LINKS_AT_HAND_H

#include "src/base/text.h"
#include "src/hmc/run_params.h"
#include "src/io/state_memory.h"
#include "src/lattice/gauge.h"

/* Where the links come from, in words (text_free); and whether they are what a run has in equilibrium, as far as anyone
 * can tell: a state of trajectories beyond hmc.thermalization, or a file. */
typedef struct {
    text origin;
    int64_t trajectory;            /* of the ensemble's state; 0: of none */
    bool thermalised;
    state_memory memory;           /* that goes with the state */
} links_at_hand;

/* Fill u (the lattice of `p`) from the file `from`; where that is NULL, from the newest state in the folder of `p`
 * that reads well; where there is none, from the start that `p` asks for.  The folder is only read.  False with the
 * reason. */
bool links_at_hand_load(links_at_hand *at, gauge *u, const run_params *p, const char *from, failure *f);

/* The number of the newest state that the ensemble's folder has a file for, -1 without any. */
int64_t links_at_hand_newest_state(const run_params *p);

#endif
