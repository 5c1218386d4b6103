/* ensemble_serve.h - the work of a group of ranks from 1 on in a run with tempering: it updates its replicas, and
 * leaves folder and record to group 0 (src/hmc/replica_groups.h). */
#ifndef KILN_ENSEMBLE_ENSEMBLE_SERVE_H
#define KILN_ENSEMBLE_ENSEMBLE_SERVE_H

#include "src/hmc/run_params.h"
#include "src/lattice/place.h"

#include <signal.h>

/* Until group 0 calls replica_groups_end.  A signal that sets `stop` in any group stops the run. */
void ensemble_serve(const run_params *p, place where, const volatile sig_atomic_t *stop);

#endif
