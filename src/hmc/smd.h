/* smd.h - stochastic molecular dynamics (SMD): momenta and pseudofermions are only partly refreshed.
 *
 *     refresh     P <- c1 P + c2 nu,   phi <- c1 phi + c2 B eta,     c1 = exp(-gamma t),   c1^2 + c2^2 = 1
 *     dynamics    of length t, which is short
 *     Metropolis  as in hybrid Monte Carlo; after a rejection P is reversed
 *
 * nu and B eta are what hybrid Monte Carlo draws: B eta is the heat bath of a pseudofermion, linear in eta, with the
 * present links.  The refresh keeps the distribution of P and phi, so H has the same weight as in hybrid Monte Carlo,
 * which is the limit of large gamma.  Dynamics and Metropolis test keep the distribution only if a rejection reverses
 * the P with which the dynamics began.
 *
 * Momenta and pseudofermions are part of the state between trajectories.  The first trajectory draws them anew.
 *
 * A. M. Horowitz, Phys. Lett. B 156 (1985) 89; A. Francis, P. Fritzsch, M. Luescher, A. Rago, arXiv:1911.04533. */
#ifndef KILN_HMC_SMD_H
#define KILN_HMC_SMD_H

#include "src/hmc/hmc_terms.h"

/* Momenta and pseudofermions at the start of a trajectory.  The present ones are those of hmc and its terms, borrowed;
 * field 0 is the momenta, then follow the pseudofermions of all terms. */
typedef struct smd smd;

/* False with the reason if the product of gamma and the trajectory length is so small that a refresh hardly changes the
 * fields. */
bool smd_check(const run_params *p, failure *f);

/* False with the reason if hmc.start_action_every takes S at the start of trajectories from |eta|^2: mixed
 * pseudofermions have another S. */
bool smd_start_check(const run_params *p, failure *f);

/* Create it for `terms` and their momenta `present`, both borrowed.  NULL if the run is not SMD: the functions below,
 * except smd_field, then do nothing, or return false.  smd_bytes: memory of one rank with the block `shape`, 0 if the
 * run is not SMD. */
smd *smd_create(const run_params *p, const hmc_term_list *terms, momentum *present);
void smd_free(smd *s);
size_t smd_bytes(const run_params *p, const lattice_shape *shape);

/* At the beginning of a trajectory: copy the present fields to those at the start.  smd_return copies them back, to
 * repeat the trajectory. */
void smd_begin(smd *s);
void smd_return(smd *s);

/* Call them after the present fields have been drawn, as nu and B eta.  smd_mix_momenta: present momenta <- c1 P + c2
 * nu; smd_mix_term: present pseudofermions of this term <- c1 phi + c2 B eta; P and phi are those at the start.
 * smd_mixes: whether they do so; false if c1 is 0, and in the first trajectory, which has no
 * fields at the start. */
void smd_mix_momenta(smd *s);
void smd_mix_term(smd *s, int term);
bool smd_mixes(const smd *s);

/* At the end of a trajectory: the present fields become part of the state.  After a rejection the momenta become the
 * reversed momenta with which the dynamics began; these are computed again, with nu from the key `drawn`. */
void smd_end(smd *s, bool accepted, rng_key drawn);

/* Whether the present fields, or those at the start, are part of a state; and the field with this index, borrowed:
 * 0 the momenta, from 1 on the pseudofermions. */
bool smd_has_fields(const smd *s, bool at_start);
field *smd_field(const smd *s, bool at_start, int index);

/* of_state: the present fields have just been read from a state; else the next trajectory draws new ones. */
void smd_set_fields(smd *s, bool of_state);

#endif
