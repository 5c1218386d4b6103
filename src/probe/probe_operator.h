/* probe_operator.h - the staggered Dirac operator of a command line: options, links, application. */
#ifndef KILN_PROBE_PROBE_OPERATOR_H
#define KILN_PROBE_PROBE_OPERATOR_H

#include "actions/staggered_action.h"
#include "src/base/json.h"
#include "src/operators/staggered.h"
#include "src/options/options.h"

#include <math.h>

/* The smearing is that of all operators; imaginary_mu has no option. */
typedef struct {
    staggered_action_input of;      /* action below 0: not given */
    double mass;                    /* NaN: not given */
    const char *naik_epsilon;       /* "auto" or a number; NULL: 0 */
} operator_choice;

#define OPERATOR_DEFAULTS { .of = { .action = -1, .u0 = 1, .boundary = 1 }, .mass = NAN }

/* The options, for a struct `owner` with an operator_choice `member`; the operator and its mass may be required. */
#define OPERATOR_OPTIONS(owner, member, operator_needed, mass_needed)                                                  \
    { .name = "operator", .value = "OP", .doc = "staggered quarks", .type = OPTION_CHOICE,                             \
      .offset = offsetof(owner, member.of.action), .choices = staggered_kind_names,                                    \
      .required = operator_needed },                                                                                   \
    { .name = "mass", .value = "M", .doc = "quark mass a m, normalized as in M = m + D/2", .type = OPTION_REAL,        \
      .offset = offsetof(owner, member.mass), .max = 100, .required = mass_needed },                                   \
    { .name = "naik-epsilon", .value = "E", .doc = "hisq: a number (default 0), or auto: from the mass",               \
      .type = OPTION_TEXT, .offset = offsetof(owner, member.naik_epsilon) },                                           \
    { .name = "projection", .value = "G", .doc = "hisq: group of the projected links (default u3)",                    \
      .type = OPTION_CHOICE, .offset = offsetof(owner, member.of.projection), .choices = projection_names },           \
    { .name = "u0", .value = "U", .doc = "asqtad: tadpole factor (default 1)", .type = OPTION_REAL,                    \
      .offset = offsetof(owner, member.of.u0), .min = 0.01, .max = 2 },                                                \
    { .name = "boundary", .value = "B", .doc = "phase of the boundary in t, in units of pi:\n"                         \
      "1 antiperiodic (default), 0 periodic", .type = OPTION_REAL, .offset = offsetof(owner, member.of.boundary),      \
      .min = -1, .max = 1 }

/* The link parameters of the options; false with the reason if they are wrong. */
bool operator_choice_links(staggered_links_params *links, const operator_choice *c, failure *f);

/* The links of `params`, smeared from u, which outlives them. */
staggered_links *operator_links(const staggered_links_params *params, const gauge *u);

/* Append the members "operator" and its parameters; a mass of NaN is omitted. */
void operator_to_json(json *j, const staggered_links_params *links, double mass);

/* out = (2m + D) in, or its adjoint (2m - D) in, on all sites; `hop` is overwritten. */
void operator_apply(vec *out, vec *hop, const staggered_links *s, double mass, bool dagger, const vec *in);

#endif
