/* ensemble_serve.h - what groups 1, 2, ... of ranks do in a run with tempering (hmc/replica_groups.h): they update
 * their replicas.  Group 0 alone writes the folder and the record. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_SERVE_H
#define KILN_ENSEMBLE_ENSEMBLE_SERVE_H

#include "src/hmc/run_params.h"
#include "src/lattice/place.h"

#include <signal.h>

/* Returns when group 0 has called replica_groups_end.  A signal that sets `stop` in any group stops the run. */
void ensemble_serve(const run_params *p, place where, const volatile sig_atomic_t *stop);

#endif
