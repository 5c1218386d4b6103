/* latest_links.h - the latest links there are, for tuning and timing, without touching the ensemble: from a file, from
 * the newest state of the ensemble, or the start links. */
#ifndef KILN_ENSEMBLE_LATEST_LINKS_H
#define KILN_ENSEMBLE_LATEST_LINKS_H

#include "src/base/text.h"
#include "src/ensemble/run_limits.h"
#include "src/gauge/gauge.h"
#include "src/hmc/run_params.h"
#include "src/io/state_memory.h"

typedef struct {
    text origin;                   /* where the links come from, for people (text_free) */
    int64_t trajectory;            /* of the state of the ensemble; 0: not from a state */
    bool thermalized;              /* probably: the links are from a file, or from a state after hmc.thermalization */
    state_memory memory;           /* of the terms, from that state */
} latest_links;

/* Fill u (the lattice of `p`) from the file `from`; if that is NULL, from the newest readable state in the folder of
 * `p`; if there is none, with the start links of `p`.  The folder is only read.  False with the reason, also if
 * `limits` (NULL: none) end the sweeps over the start links. */
bool latest_links_load(latest_links *at, gauge *u, const run_params *p, const char *from, const run_limits *limits,
                       failure *f);

/* The number of trajectories from the start to the newest state file in the folder of the ensemble. */
int64_t latest_links_trajectories(const run_params *p);

#endif
