/* run_system.h - a run in memory: input, lattice, links, momenta, hybrid Monte Carlo; and what its trajectories must
 * show, whatever its action. */
#ifndef KILN_TESTS_HMC_RUN_SYSTEM_H
#define KILN_TESTS_HMC_RUN_SYSTEM_H

#include "src/hmc/hmc.h"
#include "src/hmc/run_input.h"
#include "tests/operators/link_fields.h"

typedef struct { run_input *in; lattice *l; gauge *u; momentum *p; hmc *h; } run_system;       /* h borrows in */

/* Of an input in YAML; unit links, and momenta that are the same for every system of one lattice. */
run_system run_system_create(place where, precision p, const char *input, ...) __attribute__((format(printf, 3, 4)));
void run_system_free(run_system *s);

/* Trajectory `number`; a failure ends the test. */
hmc_outcome run_system_trajectory(run_system *s, int64_t number);

/* Molecular dynamics from here on; dH. */
double run_system_evolve(run_system *s);

/* The largest difference of the links to these numbers (links_of). */
double link_difference(const gauge *u, const double *links);

/* <exp(-dH)> = 1 for any step size (M. Creutz, Phys. Rev. D 38 (1988) 1228), if refresh and action are consistent: it
 * fails, for example, if a field has a wrong variance.  `count` trajectories after those of thermalization.  Also
 * a fact: the statistical error is small, and the rms of dH is so large that the identity is a test. */
void fact_area(const char *what, run_system *s, int thermalization, int count);

/* Trajectories `first` to `last` of the system that `create` makes give the same links, energies and sizes of forces on
 * every backend, from any number of threads. */
typedef run_system system_maker(place where, const void *context);
void fact_same_bits(const char *what, system_maker *create, const void *context, int64_t first, int64_t last);

#endif
