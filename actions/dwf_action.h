/* dwf_action.h - the parameters of the operator of domain-wall quarks in the input: one declaration for monomials,
 * measurements and kiln probe. */
#ifndef KILN_ACTIONS_DWF_ACTION_H
#define KILN_ACTIONS_DWF_ACTION_H

#include "actions/dirac_parameters.h"
#include "src/operators/dwf_operator.h"
#include "src/operators/dwf_weights.h"

typedef struct {
    int action;                                             /* index into dwf_kind_names */
    int64_t Ls;
    double M5, b, c, scale, lambda_min, lambda_max;
    int64_t boundary;                                       /* 1 antiperiodic, 0 periodic */
    int mass_convention;
    stout_params stout;
} dwf_action_input;

extern const char *const dwf_conventions[];                /* of masses: "rbc", "chiu", NULL */
#define DWF_MASS_MAX 4.0                                   /* Chiu's 2 M5 m for m = 1 and M5 < 2 */

/* Rows of a table, beside STOUT_SPEC; at(member): the offset of a member of a dwf_action_input. */
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
      .doc = "normalization of all masses: m as in RBC, UKQCD and Grid, or T.-W. Chiu's m_q = 2 M5 m" }

/* For inputs of type dwf_action_input and operator parameters of type dwf_operator_params. */
extern const dirac_parameters dwf_parameters;

/* The mass m of D5 for a mass of the input, and back. */
double dwf_mass_of(double mass, const dwf_action_input *in);
double dwf_mass_as_given(double mass, const dwf_action_input *in);

#endif
