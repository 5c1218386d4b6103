/* wilson_options.h - the options of subcommands for the mass of Wilson quarks, and for anisotropic lattices. */
#ifndef KILN_OPTIONS_WILSON_OPTIONS_H
#define KILN_OPTIONS_WILSON_OPTIONS_H

#include "actions/wilson_operator.h"
#include "src/base/json.h"
#include "src/options/options.h"

/* For `member` of `owner`, a wilson_mass_input. */
#define WILSON_MASS_OPTIONS(owner, member)                                                                             \
    { .name = "mass", .value = "M", .doc = "the bare mass m = 1 / (2 kappa) - 4; this or --kappa is needed",           \
      .type = OPTION_REAL, .offset = offsetof(owner, member.mass), .optional = true,                                   \
      .given = offsetof(owner, member.given.mass), .min = WILSON_MASS_MIN + 1e-6, .max = WILSON_MASS_MAX },            \
    { .name = "kappa", .value = "K", .doc = "in place of --mass: hopping parameter, kappa = 1 / (2 (4 + m))",          \
      .type = OPTION_REAL, .offset = offsetof(owner, member.kappa), .optional = true,                                  \
      .given = offsetof(owner, member.given.kappa), .min = 1e-6, .max = WILSON_KAPPA_MAX }

/* False with the reason unless one of --mass and --kappa is given. */
bool wilson_mass_options_fit(const wilson_mass_input *m, failure *f);

/* Append the members "mass", and "kappa" where it was given. */
void wilson_mass_options_to_json(json *j, const wilson_mass_input *m);

/* For `member` of `owner`, a wilson_operator_input; `about`: what xi_0 is of. */
#define WILSON_ANISOTROPY_OPTIONS(owner, member, about)                                                                \
    { .name = "xi-0", .value = "X", .doc = "anisotropic lattices: bare anisotropy" about "; hops in\n"                 \
      "space have the factor nu/xi_0 (default: isotropic)", .type = OPTION_REAL, .min = 1e-6, .max = WILSON_XI_MAX,    \
      .offset = offsetof(owner, member.xi_0), .optional = true, .given = offsetof(owner, member.given.xi_0) },         \
    { .name = "nu", .value = "N", .doc = "with --xi-0: coefficient of the spatial part of M (default 1)",              \
      .type = OPTION_REAL, .min = 1e-6, .max = WILSON_XI_MAX, .offset = offsetof(owner, member.nu), .optional = true,  \
      .given = offsetof(owner, member.given.nu) }
#define WILSON_UNEVEN_CLOVER_OPTIONS(owner, member)                                                                    \
    { .name = "c-s", .value = "C", .doc = "with --xi-0, in place of --c-sw: coefficient of the clover term in\n"       \
      "planes of space", .type = OPTION_REAL, .max = 100, .offset = offsetof(owner, member.c_s), .optional = true,     \
      .given = offsetof(owner, member.given.c_s) },                                                                    \
    { .name = "c-t", .value = "C", .doc = "and in planes with t", .type = OPTION_REAL, .max = 100,                     \
      .offset = offsetof(owner, member.c_t), .optional = true, .given = offsetof(owner, member.given.c_t) }

#endif
