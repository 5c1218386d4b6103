/* pure_gauge.h - links drawn one by one: ensembles without quarks, and start links brought near equilibrium.
 *
 *     heatbath: { sweeps: 1, overrelaxation: 4 }        in the place of a trajectory: so many sweeps of heat bath, each
 *                                                       followed by so many of overrelaxation (lattice/heatbath.h)
 *     start: { heatbath: { sweeps: 200 } }               sweeps of heat bath over the start links
 *
 * both with the weight of the one gauge action among the monomials.  Random numbers are named by the number of the
 * compound sweep, counted as trajectories are; those of the start by 0. */
#ifndef KILN_HMC_PURE_GAUGE_H
#define KILN_HMC_PURE_GAUGE_H

#include "src/hmc/run_params.h"
#include "src/lattice/gauge.h"

/* Whether an input can be had so; if not, why.  True where it asks for no such thing. */
bool pure_gauge_check(const run_params *p, failure *f);
bool pure_gauge_start_check(const run_params *p, failure *f);

typedef struct pure_gauge pure_gauge;
/* p is borrowed; NULL where there is molecular dynamics */
pure_gauge *pure_gauge_create(const run_params *p, const gauge *u);
void pure_gauge_free(pure_gauge *q);
size_t pure_gauge_bytes(const run_params *p);         /* of device memory, those of start.heatbath.sweeps included */

/* Compound sweep number `number`, counted from 1. */
void pure_gauge_sweep(pure_gauge *q, gauge *u, int64_t number);

/* What start.heatbath.sweeps wants done to the links before the first trajectory. */
void pure_gauge_start(const run_params *p, gauge *u);

#endif
