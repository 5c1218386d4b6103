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
#define WILSON_UNEVEN_CLOVER_OPTIONS(owner, member)                                                                    \
    { .name = "c-s", .value = "C", .doc = "with --xi-0, in place of --c-sw: coefficient of the clover term in\n"       \
      "planes of space", .type = OPTION_REAL, .max = 100, .offset = offsetof(owner, member.c_s), .optional = true,     \
      .given = offsetof(owner, member.given.c_s) },                                                                    \
    { .name = "c-t", .value = "C", .doc = "and in planes with t", .type = OPTION_REAL, .max = 100,                     \
      .offset = offsetof(owner, member.c_t), .optional = true, .given = offsetof(owner, member.given.c_t) }

#endif
