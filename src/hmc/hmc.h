/* hmc.h - a trajectory of hybrid Monte Carlo: momenta, refresh, molecular dynamics, Metropolis.
 *
 *     H = T + sum of the monomials' actions,   accepted iff r < exp(-dH), r uniform in (0, 1)
 *
 * S. Duane, A. D. Kennedy, B. J. Pendleton, D. Roweth, Phys. Lett. B 195 (1987) 216.
 *
 * A trajectory of stochastic molecular dynamics differs in its refresh and after a rejection (src/hmc/smd.h). */
#ifndef KILN_HMC_HMC_H
#define KILN_HMC_HMC_H

#include "gpu/device.h"
#include "integrators/evolve.h"
#include "src/gauge/gauge_observables.h"
#include "src/hmc/hmc_terms.h"

/* The result of a trajectory.  A failure of a solve is a value in it; it does not end the program.  With tempering,
 * some numbers are measured for the periodic replica only, because only its results are recorded: in the other replicas
 * `unitarity` is 0, and after sweeps `before` and `after` are zeros (src/hmc/tempering.h). */
typedef struct {
    hmc_failure failure;              /* unless its step is STEP_NONE, nothing else is set */
    bool interrupted;                 /* the callback `watch` of hmc_trajectory stopped it: the links are restored,
                                       * nothing else is set */
    bool accepted;
    bool swept;                       /* made by heat-bath sweeps (src/hmc/pure_gauge.h) instead of molecular
                                       * dynamics: always accepted, dH is 0 */
    bool tested;                      /* the Metropolis test decides; false in thermalization, which accepts every
                                       * trajectory with a finite dH */
    double dh, random;
    hmc_energies before, after;       /* energies at the start and at the end of the dynamics or the sweeps; sweeps
                                       * have no momenta: `kinetic` is 0 */
    double refresh_error[HMC_TERMS];  /* S - |eta|^2 of new pseudofermions: 0 up to the errors of the solves and
                                       * of the rational functions; unknown if `mixed`, or not `start_solved` */
    bool start_solved;                /* S at the start is not taken from |eta|^2 (hmc.start_action_every) */
    bool mixed;                       /* momenta and pseudofermions are new ones mixed with the previous ones (smd.h) */
    force_size force[HMC_TERMS];
    double unitarity;                 /* link_quality_means.unitarity of the links at the end of the dynamics, before
                                       * they are accepted or rejected and before they are reunitarized */
    bool reunitarized;
    device_traffic traffic;           /* bytes copied between host and device by this trajectory */
} hmc_outcome;

typedef struct hmc hmc;

/* Creates the fields and monomials for trajectories of links with the lattice, place and precision of `u`.  The caller
 * has read `p` with run_input_read, and keeps it until hmc_free. */
hmc *hmc_create(const run_params *p, const gauge *u);
void hmc_free(hmc *h);

/* The terms in the order of the input: an array of hmc_term_count elements, which belongs to `h`.  A term is a monomial
 * of H with its name and its integration level. */
int hmc_term_count(const hmc *h);
const evolve_term *hmc_terms(const hmc *h);

/* Trajectory number `number` (counted from 1) on the links `u`, with the random numbers of this trajectory.
 * Times are added to `clock`.  `watch` (may be NULL) is called between steps of the dynamics and may stop it; sweeps
 * and tempering ignore it.
 * A failure leaves links, momenta and monomials as they are.  hmc_restore then resets to the start of the trajectory:
 * the links, the memory of the monomials (hmc_get_memory), and the fields of SMD.  After a failed prepare step the
 * memory is reset already. */
hmc_outcome hmc_trajectory(hmc *h, gauge *u, int64_t number, clock_tree *clock, const evolve_watch *watch);
void hmc_restore(hmc *h, gauge *u);

/* For the callback `watch`, about the current trajectory:
 *     hmc_start_links     the links at its start; NULL if it need not keep them (run_keeps_links)
 *     hmc_start_memory    the state of the monomials (hmc_get_memory) at its start
 *     hmc_dynamics        its molecular dynamics
 *     hmc_past_of         energies and refresh_error at its start, and the bytes copied so far */
typedef struct { hmc_energies before; double refresh_error[HMC_TERMS]; device_traffic traffic; } hmc_past;
const gauge *hmc_start_links(const hmc *h);
const state_memory *hmc_start_memory(const hmc *h);
evolver *hmc_dynamics(const hmc *h);
hmc_past hmc_past_of(const hmc *h);

/* Continue a trajectory that was interrupted in an earlier process.  First the caller calls hmc_begin_past, with the
 * links `u` and the state of the monomials (hmc_set_memory) from the start of the trajectory.  Then it restores what
 * existed at the interruption: links, momenta (hmc_momenta), the dynamics, and state, fields and progress of the
 * monomials.  hmc_go_on does the rest of hmc_trajectory. */
void hmc_begin_past(hmc *h, const gauge *u, const hmc_past *past);
hmc_outcome hmc_go_on(hmc *h, gauge *u, int64_t number, clock_tree *clock, const evolve_watch *watch);

/* Get the state that monomials keep between trajectories (called their memory); set it, by name, before the next
 * trajectory. */
void hmc_get_memory(const hmc *h, state_memory *memory);
void hmc_set_memory(hmc *h, const state_memory *memory);

/* Fields besides the links that are part of the state between trajectories: momenta and pseudofermions of stochastic
 * molecular dynamics, or links of the replicas of tempering.  at_start: the fields at the start of the trajectory
 * instead of the current ones; only for SMD.
 *     hmc_has_fields    whether these fields are part of a state
 *     hmc_state_field   field `index`, borrowed.  SMD: 0 the momenta, then the pseudofermions of all terms; tempering:
 *                       the links of replica `index` + 1, valid until the next call.  NULL after the last current
 * field;
 *                       with at_start, `index` must be in range.  It may be called if hmc_has_fields is false, to read
 * a
 *                       state into the current fields
 *     hmc_put_field     call it after reading into field `index`: sends the links of a replica to its group of ranks
 *     hmc_set_fields    of_state: the current fields are those of a state; else the next trajectory draws the fields of
 *                       SMD, or copies the links of replica 0 to all replicas
 * Before hmc_begin_past, the current fields must be those at the start of the trajectory. */
bool hmc_has_fields(const hmc *h, bool at_start);
field *hmc_state_field(hmc *h, bool at_start, int index);
void hmc_put_field(hmc *h, int index);
void hmc_set_fields(hmc *h, bool of_state);

/* The terms, borrowed; their `replica` is the replica of tempering that was updated last, else 0.  hmc_links: the links
 * of this replica, where `u` are those of replica 0.  After a failed trajectory it is the replica whose update failed.
 * Other replicas have been updated already, so hmc_restore cannot go back to the start of the trajectory. */
hmc_term_list *hmc_all_terms(hmc *h);
gauge *hmc_links(const hmc *h, gauge *u);

/* Tempering on groups of ranks (replica_groups.h).  hmc_serve: for groups 1, 2, ...; waits for orders of group 0, and
 * sends or receives links if an order requests it.  It returns true with the number of a trajectory, for which the
 * caller calls hmc_trajectory; false at the end of the run.  hmc_failed_replica: the replica whose update failed in the
 * last trajectory, else 0; *group <- the group that has its fields. */
bool hmc_serve(hmc *h, gauge *u, int64_t *number);
int hmc_failed_replica(const hmc *h, int *group);

/* Log the warnings of a term about its solves in this trajectory (hmc_terms_log_warnings). */
void hmc_log_warnings(const hmc *h, int term, int64_t trajectory);

/* With tempering: write the swaps and updates of the last trajectory as an object "tempering"; else nothing. */
void hmc_replicas_to_json(const hmc *h, json *j);

/* Repeat one step of one term as in trajectory `number` of the replica of hmc_all_terms, with the current memory of the
 * terms and, for action and force, their current fields.  A force is computed and discarded.  False, with the reason in
 * `problem`, if the step fails. */
bool hmc_repeat(hmc *h, hmc_step step, int term, const gauge *u, int64_t number, hmc_failure *problem);

/* For sweeps instead of dynamics: u <- the links after the sweeps of trajectory `number`, from its start links. */
void hmc_repeat_sweeps(hmc *h, gauge *u, int64_t number);

/* The momenta at the end of the last trajectory, borrowed; NULL if none were drawn yet. */
momentum *hmc_momenta(hmc *h);

/* The parts of a trajectory, for tests, tuning and probes: the energy of (u, p), and the molecular dynamics alone.  The
 * monomials keep the fields of their last refresh.  After false or EVOLVE_FAILED, `problem` has the reason. */
bool hmc_hamiltonian(hmc_energies *e, hmc *h, const gauge *u, const momentum *p, clock_tree *clock,
                     hmc_failure *problem);
double hmc_energy_difference(const hmc *h, const hmc_energies *before, const hmc_energies *after);   /* dH */
evolve_end hmc_evolve(hmc *h, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch,
                      hmc_failure *problem);

/* Upper bounds of the memory in bytes, per rank and by category, of hmc_create, the measurements, the links and the
 * files of an ensemble, if trajectories are at `where`.  Items with `host` are in host memory, the others at that
 * place.  Returns the number of items. */
typedef struct { const char *what; size_t bytes; bool host; } memory_item;
enum { HMC_MEMORY_ITEMS = 15 };
int hmc_memory(const run_params *p, place where, memory_item items[HMC_MEMORY_ITEMS]);

/* The largest need of a monomial or measurement for the workspace (lattice/workspace.h), which they use in turns. */
size_t hmc_workspace_bytes(const run_params *p);

/* hmc_memory_needed: the sum of the items in host memory (if `host`) and of the other items (if `device`).
 * hmc_memory_available: the memory that is free now at `where`, 0 if unknown. */
size_t hmc_memory_needed(const run_params *p, place where, bool device, bool host);
size_t hmc_memory_available(place where);

/* Whether all items of hmc_memory fit into the free memory at `where` and on the host; if not, `f` lists the items and
 * their sizes.  True if the free memory is unknown. */
bool hmc_memory_fits(const run_params *p, place where, failure *f);

#endif
