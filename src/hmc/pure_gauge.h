/* pure_gauge.h - heat-bath and overrelaxation sweeps: for ensembles without quarks, and for start links.
 *
 *     heatbath: { sweeps: 1, overrelaxation: 4 }        a compound sweep instead of a trajectory: `sweeps` times a
 *                                                       heat-bath sweep and `overrelaxation` sweeps
 *                                                       (gauge/heatbath.h)
 *     start: { heatbath: { sweeps: 200 } }              heat-bath sweeps over the start links, reunitarized after each
 *                                                       sweep; with `beta` at this coupling, then `settle` sweeps more
 *                                                       at the beta of the action
 *
 * Both use the weight exp(-S), where S is the gauge action; the monomials must have exactly one.  The keys of random
 * numbers contain the number of the compound sweep, counted like trajectories; start sweeps have number 0. */
#ifndef KILN_HMC_PURE_GAUGE_H
#define KILN_HMC_PURE_GAUGE_H

#include "src/gauge/defect.h"
#include "src/hmc/run_params.h"

/* False with the reason if the input requests these sweeps but cannot use them; true if it does not request them. */
bool pure_gauge_check(const run_params *p, failure *f);
bool pure_gauge_start_check(const run_params *p, failure *f);

typedef struct pure_gauge pure_gauge;
/* p is borrowed; returns NULL for molecular dynamics.  pure_gauge_bytes: device memory of one rank, including that of
 * the start sweeps. */
pure_gauge *pure_gauge_create(const run_params *p, const gauge *u);
void pure_gauge_free(pure_gauge *q);
size_t pure_gauge_bytes(const run_params *p);

/* From now on the sweeps use the random numbers and the defect of this replica (src/hmc/tempering.h). */
void pure_gauge_set_replica(pure_gauge *q, int replica, const link_defect *defect);

/* Compound sweep number `number`, counted from 1.  Links are not reunitarized. */
void pure_gauge_sweep(pure_gauge *q, gauge *u, int64_t number);

/* The sweeps of start.heatbath over the start links.  Before each sweep, `go_on` (may be NULL) gets the number of
 * sweeps done and of all sweeps; if it returns false, pure_gauge_start ends and returns false. */
typedef bool (*sweeps_go_on)(void *context, int64_t made, int64_t all);
bool pure_gauge_start(const run_params *p, gauge *u, sweeps_go_on go_on, void *context);

#endif
