/* hmc.h - a trajectory of hybrid Monte Carlo: momenta, refresh, molecular dynamics, Metropolis.
 *
 *     H = T + sum of the monomials' actions,   accepted iff r < exp(-dH), r uniform in (0, 1)
 *
 * S. Duane, A. D. Kennedy, B. J. Pendleton, D. Roweth, Phys. Lett. B 195 (1987) 216. */
#ifndef KILN_HMC_HMC_H
#define KILN_HMC_HMC_H

#include "gpu/device.h"
#include "integrators/evolve.h"
#include "src/hmc/hmc_terms.h"
#include "src/lattice/gauge_observables.h"

/* What became of a trajectory: values, also when numbers disappoint. */
typedef struct {
    hmc_failure failure;              /* unless its step is STEP_NONE, nothing else is set */
    bool interrupted;                 /* left by `watch`: the links are as before, nothing else is set */
    bool accepted;
    bool swept;                       /* by links drawn one by one: always accepted, dH is 0 (src/hmc/pure_gauge.h) */
    bool tested;                      /* false in thermalization, which accepts whatever is finite */
    double dh, random;
    hmc_energies before, after;       /* MD: start and end */
    double refresh_error[HMC_TERMS];  /* S - |eta|^2 of new pseudofermions, at the start: 0 but for their errors */
    force_size force[HMC_TERMS];
    double unitarity;                 /* link_quality_means.unitarity of the links as integrated */
    bool reunitarized;
    device_traffic traffic;           /* bytes copied between host and device by this trajectory */
} hmc_outcome;

typedef struct hmc hmc;

/* Fields and monomials for trajectories of links like `u`; `p` has passed run_input_read and outlives it. */
hmc *hmc_create(const run_params *p, const gauge *u);
void hmc_free(hmc *h);

/* The terms in the order of the input, for names and levels (hmc_term_count of them); borrowed. */
int hmc_term_count(const hmc *h);
const evolve_term *hmc_terms(const hmc *h);

/* Trajectory number `number` (counted from 1) on the links `u`, with the random numbers that belong to it.
 * Times go into `clock`; `watch` (NULL: nobody) is asked as the dynamics goes.  After trouble links, momenta and
 * monomials are as they were at that moment, until hmc_restore puts links and monomials back to the start of the
 * trajectory (memory is back already if preparing failed). */
hmc_outcome hmc_trajectory(hmc *h, gauge *u, int64_t number, clock_tree *clock, const evolve_watch *watch);
void hmc_restore(hmc *h, gauge *u);

/* For the one who is asked: the links and the memory that the trajectory under way began with, its dynamics, and its
 * past: energies at the start and their refresh_error, bytes so far. */
typedef struct { hmc_energies before; double refresh_error[HMC_TERMS]; device_traffic traffic; } hmc_past;
const gauge *hmc_start_links(const hmc *h);
const state_memory *hmc_start_memory(const hmc *h);
evolver *hmc_dynamics(const hmc *h);
hmc_past hmc_past_of(const hmc *h);

/* Go on with a trajectory that another process has left.  hmc_begin_past: it began with the links `u` and the memory
 * that the terms have now.  Then links, momenta (hmc_momenta), the dynamics, and memory, fields and progress of the
 * terms are put to where it was left, by the caller; and hmc_go_on is the rest of hmc_trajectory. */
void hmc_begin_past(hmc *h, const gauge *u, const hmc_past *past);
hmc_outcome hmc_go_on(hmc *h, gauge *u, int64_t number, clock_tree *clock, const evolve_watch *watch);

/* What the terms want kept between trajectories; and given back, by name, before the trajectory that follows. */
void hmc_get_memory(const hmc *h, state_memory *memory);
void hmc_set_memory(hmc *h, const state_memory *memory);

/* One step of one term again, as trajectory `number` had it, with the memory and (action, force) the fields that the
 * terms have now; the force goes nowhere.  False with the trouble. */
bool hmc_repeat(hmc *h, hmc_step step, int term, const gauge *u, int64_t number, hmc_failure *problem);

/* Where there are sweeps in the place of dynamics: u <- what those of `number` made of the links that it began with. */
void hmc_repeat_sweeps(hmc *h, gauge *u, int64_t number);

/* The momenta as the last trajectory left them, borrowed; NULL if they were not drawn yet. */
momentum *hmc_momenta(hmc *h);

/* The parts of a trajectory, for tests and the validation port: the energy of (u, p), and the molecular
 * dynamics alone.  The monomials keep the fields of their last refresh.  False and EVOLVE_FAILED: see `problem`. */
bool hmc_hamiltonian(hmc_energies *e, hmc *h, const gauge *u, const momentum *p, clock_tree *clock,
                     hmc_failure *problem);
double hmc_energy_difference(const hmc *h, const hmc_energies *before, const hmc_energies *after);   /* dH */
evolve_end hmc_evolve(hmc *h, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch,
                      hmc_failure *problem);

/* What hmc_create, measurements, the links and an ensemble's files take at most, by category: where the trajectories
 * are made, but `host` on the host in any case. */
typedef struct { const char *what; size_t bytes; bool host; } memory_item;
enum { HMC_MEMORY_ITEMS = 10 };
int hmc_memory(const run_params *p, memory_item items[HMC_MEMORY_ITEMS]);

/* The sum of those at the place of the trajectories, of those on the host, or of all; and what is free there now: 0
 * where that is not known. */
size_t hmc_memory_needed(const run_params *p, bool device, bool host);
size_t hmc_memory_available(place where);

/* Whether all that is free now, at `where` and on the host; if not, what needs how much.  True where that cannot
 * be known. */
bool hmc_memory_fits(const run_params *p, place where, failure *f);

#endif
