/* dwf_params.h - the input of domain-wall quarks, and the factors of their determinants.
 *
 * Intermediate masses M_1, M_2, ... (two_flavor_chain.h) split a determinant of two flavours,
 * det [C(m)^+C(m)] / det [C(M)^+C(M)], into ratios m / M_1, M_1 / M_2, ..., M_last / M, each with its own
 * pseudofermion.  M = 1 is the Pauli-Villars field; with another M, the rest of the chain is in other determinants,
 * possibly in other monomials, on other levels of the integrator. */
#ifndef KILN_ACTIONS_DWF_PARAMS_H
#define KILN_ACTIONS_DWF_PARAMS_H

#include "actions/stout_params.h"
#include "actions/two_flavor_chain.h"
#include "src/operators/dwf_operator.h"
#include "src/operators/dwf_weights.h"

typedef struct {
    int64_t flavors;
    double mass, heavy;                                     /* heavy not given: Pauli-Villars */
    param_list hasenbusch;                                  /* of intermediate_mass */
    int method;                                             /* of one flavour */
    int64_t fields;
    own_role_values residual;                               /* not given: as the monomial says */
    role_values error;
    int64_t chronological;
    double smallest_eigenvalue, largest_eigenvalue;         /* not given: measured */
    struct { bool heavy, smallest_eigenvalue, largest_eigenvalue; } given;
} dwf_determinant_params;

typedef struct {
    char *name;
    int action;                                             /* index into dwf_kind_names */
    int64_t Ls;
    double M5, b, c, scale, lambda_min, lambda_max;
    int64_t boundary;                                       /* 1 antiperiodic, 0 periodic */
    int mass_convention;
    stout_params stout;
    param_list determinants;                                /* of dwf_determinant_params */
    role_values residual;
    int64_t max_iterations;
    int solver;                                             /* solver_precision */
} dwf_params;

extern const char *const dwf_conventions[];                /* of masses: "rbc", "chiu", NULL */
#define DWF_MASS_MAX 4.0                                   /* Chiu's 2 M5 m for m = 1 and M5 < 2 */

/* Rows of a table for an action, and for its solver; at(member): the offset of a member of dwf_params. */
#define DWF_ACTION_SPECS(at)                                                                                           \
    { .key = "action", .type = PARAM_CHOICE, .offset = at(action), .fallback = "shamir", .choices = dwf_kind_names,    \
      .doc = "weights b_s and c_s in D5 = Dw (b + c L) + 1 - L, with L the hop in the fifth dimension "                \
             "(conventions.md)" },                                                                                     \
    { .key = "Ls", .type = PARAM_INT, .offset = at(Ls), .min = 2, .max = SLICES_MAX,                                   \
      .doc = "extent of the fifth dimension" },                                                                        \
    { .key = "M5", .type = PARAM_REAL, .offset = at(M5), .fallback = "1.8", .min = 0, .max = 2,                        \
      .flags = PARAM_ABOVE_MIN | PARAM_BELOW_MAX, .doc = "domain-wall height M5" },                                    \
    { .key = "b", .type = PARAM_REAL, .offset = at(b), .fallback = "1.5", .min = -100, .max = 100,                     \
      .choice = "action", .chosen = "mobius",                                                                          \
      .doc = "action mobius: coefficient b_s of all slices" },                                                         \
    { .key = "c", .type = PARAM_REAL, .offset = at(c), .fallback = "0.5", .min = -100, .max = 100,                     \
      .choice = "action", .chosen = "mobius",                                                                          \
      .doc = "action mobius: coefficient c_s of all slices" },                                                         \
    { .key = "scale", .type = PARAM_REAL, .offset = at(scale), .fallback = "2", .min = 0, .max = 100,                  \
      .flags = PARAM_ABOVE_MIN, .choice = "action", .chosen = "scaled_shamir",                                         \
      .doc = "action scaled_shamir: b + c, with b - c = 1" },                                                          \
    { .key = "lambda_min", .type = PARAM_REAL, .offset = at(lambda_min), .fallback = "0.05", .min = 0, .max = 100,     \
      .flags = PARAM_ABOVE_MIN, .choice = "action", .chosen = "optimal optimal_symmetric",                             \
      .doc = "actions optimal, optimal_symmetric: lower end of the approximated range of |gamma5 Dw|; the force grows "\
             "as it becomes smaller" },                                                                                \
    { .key = "lambda_max", .type = PARAM_REAL, .offset = at(lambda_max), .fallback = "6.2", .min = 0, .max = 100,      \
      .flags = PARAM_ABOVE_MIN, .choice = "action", .chosen = "optimal optimal_symmetric",                             \
      .doc = "actions optimal, optimal_symmetric: upper end of this range; on unit links the largest eigenvalue is "   \
             "8 - M5" },                                                                                               \
    { .key = "boundary", .type = PARAM_INT, .offset = at(boundary), .fallback = "1", .min = 0, .max = 1,               \
      .doc = "phase of the boundary in t, in units of pi: 1 antiperiodic, 0 periodic" },                               \
    { .key = "mass_convention", .type = PARAM_CHOICE, .offset = at(mass_convention), .fallback = "rbc",                \
      .choices = dwf_conventions,                                                                                      \
      .doc = "normalisation of all masses: m as in RBC, UKQCD and Grid, or T.-W. Chiu's m_q = 2 M5 m" }
#define DWF_SOLVER_SPECS(at)                                                                                           \
    { .key = "solver", .type = PARAM_CHOICE, .offset = at(solver), .fallback = "adaptive", .choices = solver_names,    \
      .flags = PARAM_FREE_TO_CHANGE, .lean = "double double-half",                                                     \
      .doc = "precisions of the solves; first part of the name: residuals and solutions; second: the common Krylov "   \
             "space of multi-shift solves; third: solves of one system (without a third part: the second); adaptive: " \
             "a fixed table chooses by lattice, Ls and residual; all reach the same residuals" }

extern const param_spec dwf_specs[];
extern const qcdml_term dwf_qcdml;

/* The mass m of D5 for a mass of the input, and back. */
double dwf_mass_of(double mass, const dwf_params *p);
double dwf_mass_as_given(double mass, const dwf_params *p);

typedef struct {
    dwf_operator_params op;
    int count;
    quark_factor_plan factor[QUARK_FACTORS_MAX];
} dwf_plan;

/* False with the reason if the parameters define no action. */
bool dwf_plan_make(dwf_plan *plan, const dwf_params *p, failure *f);

/* Monomials of domain-wall quarks: Shamir, Moebius, optimal; two flavours and one. */
extern const monomial_kind dwf_monomial;

#endif
