/* smd.h - stochastic molecular dynamics (SMD): momenta and pseudofermions are only partly refreshed.
 *
 *     refresh     P <- c1 P + c2 nu,   phi <- c1 phi + c2 B eta,     c1 = exp(-gamma t),   c1^2 + c2^2 = 1
 *     dynamics    of length t, which is short
 *     Metropolis  as in hybrid Monte Carlo; after a rejection P is reversed
 *
 * nu and B eta are the momenta and pseudofermions that hybrid Monte Carlo would draw: B is linear and depends on the
 * current links, eta is Gaussian.  The refresh keeps the distribution of P and phi, so exp(-H) is the distribution as
 * in hybrid Monte Carlo, which is the limit of large gamma.  Dynamics and Metropolis test keep it only if a rejection
 * reverses the P with which the dynamics began.
 *
 * Momenta and pseudofermions are part of the state between trajectories.  The first trajectory draws new ones.
 *
 * A. M. Horowitz, Phys. Lett. B 156 (1985) 89; A. Francis, P. Fritzsch, M. Luescher, A. Rago, arXiv:1911.04533. */
#ifndef KILN_HMC_SMD_H
#define KILN_HMC_SMD_H

#include "src/hmc/hmc_terms.h"

/* Copies of momenta and pseudofermions at the start of a trajectory.  The current ones belong to hmc and its terms. */
typedef struct smd smd;

/* False with the reason if the product of gamma and the trajectory length is so small that a refresh hardly changes the
 * fields. */
bool smd_check(const run_params *p, failure *f);

/* False with the reason if hmc.start_action_every is not 1: S of mixed pseudofermions is not |eta|^2 and needs a solve
 * in each trajectory. */
bool smd_start_check(const run_params *p, failure *f);

/* Create it for `terms` and the momenta `current`, both borrowed.  NULL if the run is not SMD: the functions below,
 * except smd_field, then do nothing, or return false.  smd_bytes: memory of one rank with the block `shape`, 0 if the
 * run is not SMD. */
smd *smd_create(const run_params *p, const hmc_term_list *terms, momentum *current);
void smd_free(smd *s);
size_t smd_bytes(const run_params *p, const lattice_shape *shape);

/* At the beginning of a trajectory: copy the current fields to those at the start.  smd_return copies them back, to
 * repeat the trajectory. */
void smd_begin(smd *s);
void smd_return(smd *s);

/* Call these two when the current fields are new, nu and B eta.  smd_mix_momenta: current momenta <- c1 P + c2 nu;
 * smd_mix_term: current pseudofermions of this term <- c1 phi + c2 B eta; P and phi are the fields at the start.
 * smd_mixes: whether they do so; false if c1 is 0, and in the first trajectory, which has no fields at the start. */
void smd_mix_momenta(smd *s);
void smd_mix_term(smd *s, int term);
bool smd_mixes(const smd *s);

/* At the end of a trajectory: the current fields become part of the state.  After a rejection the current momenta <-
 * -P, where P are the momenta with which the dynamics began; they are computed again, with nu from the key `drawn`. */
void smd_end(smd *s, bool accepted, rng_key drawn);

/* Whether the current fields, or those at the start, are part of a state; and the field with this index, borrowed:
 * 0 the momenta, then the pseudofermions of all terms.  NULL after the last current one; with at_start, `index` must be
 * in range. */
bool smd_has_fields(const smd *s, bool at_start);
field *smd_field(const smd *s, bool at_start, int index);

/* of_state: the current fields have just been read from a state; else the next trajectory draws new ones. */
void smd_set_fields(smd *s, bool of_state);

#endif
