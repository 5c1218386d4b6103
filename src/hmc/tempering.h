/* tempering.h - parallel tempering in the boundary condition.
 *
 *     tempering: { replicas: 5, defect: { direction: x, size: 2 } }
 *
 * Replica r = 0, 1, ... has links with the weight exp(-S_r), where S_r has the factor c_r on the links of a defect
 * (src/gauge/defect.h); c_0 = 1 is periodic, the last is usually 0, open.  In a trajectory each replica is updated by
 * heat bath or hybrid Monte Carlo; then, in every `swap_every`-th trajectory, neighboring replicas r, r+1 (even r
 * first, then odd r) exchange their links with the probability
 *     p = min(1, exp(-dS)),   dS = S_r(U_r+1) - S_r(U_r) + S_r+1(U_r) - S_r+1(U_r+1).
 * The topological charge changes easily at an open defect; swaps bring such links to replica 0, which is the ensemble.
 *
 * S_0 does not depend on the position of the defect.  So the position belongs to the links: a swap exchanges it too.
 * Choosing a random new place for the links of replica 0 is the same as a random translation of these links, but moves
 * no data.
 *
 * The quark action has no factors on the links: the weight of replica r is exp(-S_r(U)) det D(U), with the gauge action
 * S_r.  Each trajectory draws new pseudofermions, so the distribution of the links alone has this determinant.  In a
 * swap the determinants cancel, and dS is that of the gauge actions.
 *
 * M. Hasenbusch, Phys. Rev. D 96 (2017) 054504, arXiv:1706.04443; C. Bonanno, C. Bonati, M. D'Elia, JHEP 03 (2021) 111,
 * arXiv:2012.14000; with quarks C. Bonanno, G. Clemente, M. D'Elia, L. Maio, L. Parente, JHEP 08 (2024) 236,
 * arXiv:2404.14151.
 *
 * Links of replicas from 1 on are part of the state between trajectories.  The first trajectory copies the start links
 * to all replicas.
 *
 * Replicas may be on groups of ranks (replica_groups.h); results do not depend on the number of groups. */
#ifndef KILN_HMC_TEMPERING_H
#define KILN_HMC_TEMPERING_H

#include "src/hmc/hmc_terms.h"
#include "src/hmc/pure_gauge.h"
#include "src/hmc/tempering_handle.h"

/* False with the reason if the input cannot be tempered. */
bool tempering_check(const run_params *p, failure *f);

/* For `terms` and `sweeps` (NULL: molecular dynamics), both borrowed.  Returns NULL if the run is not tempered; the
 * functions for JSON, memory and fields, except tempering_put_field, accept NULL, and then do nothing, or return false,
 * 0 or NULL.
 * tempering_bytes: memory of one rank whose part of the lattice is `shape`. */
tempering *tempering_create(const run_params *p, hmc_term_list *terms, pure_gauge *sweeps, const gauge *u);
void tempering_free(tempering *t);
size_t tempering_bytes(const run_params *p, const lattice_shape *shape);

/* A trajectory: begin; select each replica, update its links, and note the result; share; end.  `u` is always replica
 * 0.  tempering_select returns the links of the replica; from then on, terms and sweeps have its defect and random
 * numbers.  Select replica 0 last.  tempering_end moves the defect of replica 0 to a random position, then swaps.
 *
 * On groups of ranks (replica_groups.h) each group calls all of them, with the gauge field of its own run as `u`, and
 * selects the replicas for which tempering_is_here is true.  tempering_share exchanges the noted results among the
 * groups.  In and out, *failed is -1 or the replica whose update failed; if several failed, that with the largest
 * number.  Then it returns false with the failure in `problem`. */
void tempering_begin(tempering *t, gauge *u, int64_t number);
int tempering_replicas(const tempering *t);
bool tempering_is_here(const tempering *t, int replica);
bool tempering_share(tempering *t, int *failed, hmc_failure *problem);
gauge *tempering_select(tempering *t, int replica, gauge *u);
gauge *tempering_links(const tempering *t, gauge *u);               /* links of the replica that was selected last */
void tempering_note(tempering *t, int replica, const gauge *links, replica_update update);
double tempering_dh(const tempering *t, int replica);               /* dH of the noted update */
void tempering_end(tempering *t, gauge *u, int64_t number);

/* Write the last trajectory as an object "tempering". */
void tempering_to_json(const tempering *t, json *j);

/* The memory, as lists of a state.  For each replica: the number of its links (the replica in which they began) and the
 * corner of their defect; for replicas 1, 2, ... also the memory of the terms (replica_memory.h). */
void tempering_get_memory(const tempering *t, state_memory *memory);
void tempering_set_memory(tempering *t, const state_memory *memory);

/* Whether the links of replicas 1, 2, ... are part of a state; the links of replica `index` + 1, NULL after the last,
 * valid until the next call.  The links of another group are a copy. */
bool tempering_has_fields(const tempering *t);
field *tempering_field(tempering *t, int index);
void tempering_put_field(tempering *t, int index);                 /* call it after writing into tempering_field */

/* For groups 1, 2, ...: send and receive links by orders of group 0, until it orders a trajectory (true, with its
 * number) or the end (false). */
bool tempering_serve(tempering *t, gauge *u, int64_t *number);
/* The group that has the links of `replica`, whose update failed in the last trajectory. */
int tempering_failed_group(const tempering *t, int replica);

/* of_state: the links of the replicas have just been read from a state; else the next trajectory copies the links of
 * replica 0 to all replicas. */
void tempering_set_fields(tempering *t, bool of_state);

#endif
