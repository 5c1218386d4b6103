/* hmc_terms.h - the terms of the action in a trajectory: the steps of a term, the energies, the memory. */
#ifndef KILN_HMC_HMC_TERMS_H
#define KILN_HMC_HMC_TERMS_H

#include "integrators/evolve.h"
#include "src/hmc/run_params.h"
#include "src/io/state_memory.h"

typedef struct { double kinetic, term[HMC_TERMS], total; } hmc_energies;

/* A failure: the step, the index of the term, the reason. */
typedef enum { STEP_NONE, STEP_PREPARE, STEP_REFRESH, STEP_ACTION, STEP_FORCE } hmc_step;
extern const char *const hmc_step_names[];                /* by hmc_step; NULL at the end */
typedef struct { hmc_step step; int term; failure why; } hmc_failure;

/* The schedule of a trajectory (schedule_free), and the terms with their names and levels, without memory for fields:
 * monomials are NULL. */
schedule *hmc_plan(const run_params *p, evolve_term terms[HMC_TERMS]);

/* The terms of an input; `params` is borrowed.  replica: the replica of tempering that they work on, else 0; it is part
 * of the key of random numbers (hmc_terms_key). */
typedef struct { const run_params *params; int replica, count; evolve_term of[HMC_TERMS]; } hmc_term_list;

/* Create the monomials of terms that hmc_plan has named; free them. */
void hmc_terms_create(hmc_term_list *terms, const gauge *u);
void hmc_terms_free(hmc_term_list *terms);

/* Random numbers of trajectory `number`. */
rng_key hmc_terms_key(const hmc_term_list *terms, int64_t number, unsigned purpose);

/* Runs a step of one term, timed under its name; a force is discarded.  *value <- the action for STEP_ACTION, |eta|^2
 * of the new pseudofermions for STEP_REFRESH; it may be NULL for other steps. */
typedef struct {
    hmc_step step;
    int term;                      /* its index */
    const gauge *u;                /* borrowed */
    int64_t number;                /* of the trajectory; only STEP_PREPARE and STEP_REFRESH read it */
    bool unchecked;                /* STEP_REFRESH: no action at these links follows (monomial_call) */
} hmc_term_step;
bool hmc_terms_run(double *value, hmc_term_list *terms, const hmc_term_step *what, clock_tree *clock,
                   hmc_failure *problem);

/* hmc_terms_hamiltonian: the energy of (u, p).  p NULL: without momenta.  drawn: NULL, or drawn[t] is the action of
 * each term that has a refresh, which is then not computed.  False with the reason if an action cannot be computed.
 * hmc_terms_difference: after - before, summed term by term, because the terms are large and their changes small. */
bool hmc_terms_hamiltonian(hmc_energies *e, hmc_term_list *terms, const gauge *u, const momentum *p,
                           const double *drawn, clock_tree *clock, hmc_failure *problem);
double hmc_terms_difference(const hmc_term_list *terms, const hmc_energies *before, const hmc_energies *after);

/* Log the warnings of a term about its solves so far: "trajectory 4, wilson: SENTENCE", with tempering "trajectory 4,
 * replica 2, wilson: SENTENCE" for the selected replica.  Before monomial_report. */
void hmc_terms_log_warnings(const hmc_term_list *terms, int term, int64_t trajectory);

/* Discard what the terms have collected for a report. */
void hmc_terms_forget_reports(const hmc_term_list *terms);
/* Log the warnings of the terms about the update of the selected replica, then discard their reports. */
void hmc_terms_forget_reports_of(const hmc_term_list *terms, int64_t trajectory);

/* The memory of the terms between trajectories; restore it, by name. */
void hmc_terms_get_memory(const hmc_term_list *terms, state_memory *memory);
void hmc_terms_set_memory(hmc_term_list *terms, const state_memory *memory);

#endif
