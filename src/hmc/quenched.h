/* quenched.h - links drawn one by one: ensembles without quarks, and start links brought near equilibrium.
 *
 *     quenched: { heat_bath: 1, overrelaxation: 4 }     in the place of a trajectory: so many sweeps of heat bath, each
 *                                                       followed by so many of overrelaxation (lattice/heat_bath.h)
 *     start: { heat_bath: 200 }                         sweeps of heat bath over the start links
 *
 * both with the weight of the one gauge action among the monomials.  Random numbers are named by the number of the
 * compound sweep, counted as trajectories are; those of the start by 0. */
#ifndef KILN_HMC_QUENCHED_H
#define KILN_HMC_QUENCHED_H

#include "src/hmc/run_params.h"
#include "src/lattice/gauge.h"

/* Whether an input can be had so; if not, why.  True where it asks for no such thing. */
bool quenched_check(const run_params *p, failure *f);
bool start_heat_bath_check(const run_params *p, failure *f);

typedef struct quenched quenched;
quenched *quenched_create(const run_params *p, const gauge *u);         /* p is borrowed; NULL where not quenched */
void quenched_free(quenched *q);
size_t quenched_bytes(const run_params *p);         /* of device memory, those of start.heat_bath included */

/* Compound sweep number `number`, counted from 1. */
void quenched_sweep(quenched *q, gauge *u, int64_t number);

/* What start.heat_bath wants done to the links before the first trajectory. */
void start_heat_bath(const run_params *p, gauge *u);

#endif
