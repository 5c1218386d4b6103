/* staggered_action.h - the parameters of the operator of staggered quarks in the input: one declaration for monomials,
 * measurements and kiln probe. */
#ifndef KILN_ACTIONS_STAGGERED_ACTION_H
#define KILN_ACTIONS_STAGGERED_ACTION_H

#include "actions/dirac_parameters.h"
#include "src/operators/staggered_operator.h"

typedef struct {
    int action, projection;                                 /* staggered_kind, projection_group */
    double u0, boundary, imaginary_mu;
    stout_params stout;
} staggered_action_input;

enum { STAGGERED_MASS_MAX = 100 };

/* Rows of a table; at(member): the offset of a member of a staggered_action_input.  `boundary` and `imaginary_mu` are
 * both phases of quarks around the lattice in t; staggered_links_params has their sum. */
#define STAGGERED_KIND_SPEC(at)                                                                                        \
    { .key = "action", .type = PARAM_CHOICE, .offset = at(action), .fallback = "hisq",                                 \
      .choices = staggered_kind_names, .doc = "links of the Dirac operator" }
#define STAGGERED_LINKS_SPECS(at)                                                                                      \
    { .key = "projection", .type = PARAM_CHOICE, .offset = at(projection), .fallback = "u3",                           \
      .choices = projection_names, .choice = "action", .chosen = "hisq",                                               \
      .doc = "action hisq: group to which the links of the first smearing are projected" },                            \
    { .key = "u0", .type = PARAM_REAL, .offset = at(u0), .fallback = "1", .min = 0, .max = 2,                          \
      .flags = PARAM_ABOVE_MIN, .choice = "action", .chosen = "asqtad", .doc = "action asqtad: tadpole factor" },      \
    { .key = "boundary", .type = PARAM_REAL, .offset = at(boundary), .fallback = "1", .min = -1, .max = 1,             \
      .doc = "phase of the boundary in t, in units of pi: 1 antiperiodic, 0 periodic" },                               \
    { .key = "imaginary_mu", .type = PARAM_REAL, .offset = at(imaginary_mu), .fallback = "0", .min = -1, .max = 1,     \
      .doc = "imaginary chemical potential mu = i mu_I of the quarks: mu_I/(pi T), with T = 1/(extent in t); a phase " \
             "exp(i pi imaginary_mu) around the lattice in t, beyond that of `boundary`" },                            \
    STOUT_SPEC(at)

/* For inputs of type staggered_action_input and operator parameters of type staggered_operator_params, whose members
 * for the force are set elsewhere. */
extern const dirac_parameters staggered_parameters;

#endif
