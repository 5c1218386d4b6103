/* dwf_params.h - the input of domain-wall quarks, and the factors of their determinants.
 *
 * Intermediate masses M_1, M_2, ... (two_flavor_chain.h) split a determinant of two flavors,
 * det [C(m)^+C(m)] / det [C(M)^+C(M)], into ratios m / M_1, M_1 / M_2, ..., M_last / M, each with its own
 * pseudofermion.  M = 1 is the Pauli-Villars mass; with another M, the rest of the chain is in other determinants,
 * possibly in other monomials, on other levels of the integrator. */
#ifndef KILN_ACTIONS_DWF_PARAMS_H
#define KILN_ACTIONS_DWF_PARAMS_H

#include "actions/dwf_action.h"
#include "actions/two_flavor_chain.h"

typedef struct {
    int64_t flavors;
    double mass, heavy;                                     /* heavy not given: Pauli-Villars */
    param_list hasenbusch;                                  /* of intermediate_mass */
    int method;                                             /* one flavor: rational (0) or exact (1) */
    int64_t fields;
    own_role_values residual;                               /* not given: those of the monomial */
    role_values error;
    int64_t chronological;
    double smallest_eigenvalue, largest_eigenvalue;         /* of C^+C or M_E; measured if not given */
    struct { bool heavy, smallest_eigenvalue, largest_eigenvalue; } given;
} dwf_determinant_params;

typedef struct {
    char *name;
    dwf_action_input of;
    param_list determinants;                                /* of dwf_determinant_params */
    role_values residual;
    int64_t residual_norm;                                  /* a residual_norm */
    int64_t max_iterations;
    int solver;                                             /* solver_precision */
} dwf_params;

/* A row of a table for the solver; at(solver): where it is. */
#define DWF_SOLVER_SPECS(at)                                                                                           \
    { .key = "solver", .type = PARAM_CHOICE, .offset = at(solver), .fallback = "adaptive", .choices = solver_names,    \
      .flags = PARAM_FREE_TO_CHANGE, .lean = "double double-half",                                                     \
      .doc = "precisions of the solves; first part of the name: residuals and solutions; second: the common Krylov "   \
             "space of multi-shift solves; third: solves of one system (without a third part: the second); adaptive: " \
             "a fixed table chooses by lattice, Ls and residual; all reach the same residuals" }

extern const param_spec dwf_specs[];
extern const qcdml_term dwf_qcdml;

/* Monomials of domain-wall quarks: Shamir, Moebius, optimal; two flavors and one. */
extern const monomial_kind dwf_monomial;

#endif
