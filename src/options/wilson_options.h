/* wilson_options.h - the options of subcommands for Wilson quarks on anisotropic lattices. */
#ifndef KILN_OPTIONS_WILSON_OPTIONS_H
#define KILN_OPTIONS_WILSON_OPTIONS_H

#include "actions/wilson_operator.h"
#include "src/options/options.h"

/* For `member` of `owner`, a wilson_operator_input; `about`: what xi_0 is of. */
#define WILSON_ANISOTROPY_OPTIONS(owner, member, about)                                                                \
    { .name = "xi-0", .value = "X", .doc = "anisotropic lattices: bare anisotropy" about "; hops in\n"                 \
      "space have the factor nu/xi_0 (default: isotropic)", .type = OPTION_REAL, .min = 1e-6, .max = WILSON_XI_MAX,    \
      .offset = offsetof(owner, member.xi_0), .optional = true, .given = offsetof(owner, member.given.xi_0) },         \
    { .name = "nu", .value = "N", .doc = "with --xi-0: coefficient of the spatial part of M (default 1)",              \
      .type = OPTION_REAL, .min = 1e-6, .max = WILSON_XI_MAX, .offset = offsetof(owner, member.nu), .optional = true,  \
      .given = offsetof(owner, member.given.nu) }

#endif
