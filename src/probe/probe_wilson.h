/* probe_wilson.h - what Wilson quarks without and with a clover term share in kiln probe apply and kiln probe solve:
 * options, words of --help, and what is printed. */
#ifndef KILN_PROBE_PROBE_WILSON_H
#define KILN_PROBE_PROBE_WILSON_H

#include "actions/wilson_params.h"
#include "src/probe/probe_spinors.h"

/* The systems that probe solve solves: M on all sites, Mhat^+ Mhat. */
extern const char *const wilson_system_names[];
extern const spinor_part wilson_systems[];

void wilson_defaults(probe_options *o);
bool wilson_read_theta(const char *given, void *value, failure *f);           /* of an option: double[3] */
/* Appends operator, part, mass, boundary, theta and basis. */
void wilson_describe(json *j, const probe_spinors *q, const char *part);

#define WILSON_OPTIONS                                                                                                 \
    { .name = "mass", .value = "M", .doc = "the bare mass m = 1 / (2 kappa) - 4", .type = OPTION_REAL,                 \
      .offset = offsetof(probe_options, wilson.mass), .required = true, .min = WILSON_MASS_MIN + 1e-6,                 \
      .max = WILSON_MASS_MAX },                                                                                        \
    BOUNDARY_OPTION(wilson.boundary),                                                                                  \
    { .name = "theta", .value = "X,Y,Z", .doc = "phases of the boundary in space, in units of pi: U_k has the\n"       \
      "factor exp(i pi theta_k / L_k) in the hop (default 0,0,0)", .type = OPTION_READ,                                \
      .offset = offsetof(probe_options, wilson.theta), .read = wilson_read_theta },                                    \
    BASIS_OPTION, QUARKS_OPTIONS
#define WILSON_SYSTEMS_OPTION PART_OPTION(wilson_system_names, "M on all sites, or normal (default M)")

/* Lines of --help. */
#define WILSON_HOP                                                                                                     \
    "    (hop v)(x) = sum_mu (1 - gamma_mu) U_mu(x) v(x+mu) + (1 + gamma_mu) U_mu(x-mu)^+ v(x-mu)\n"
#define WILSON_ARRAYS                                                                                                  \
    "Spinors are NumPy arrays,\n" WILSON_SHAPE "\n"                                                                    \
    "over all sites; Mhat and normal ignore the source on even sites, where the result is zero.\n"
#define WILSON_APPLY_ABOUT WILSON_ARRAYS "Prints norms as JSON."
#define WILSON_SOLVE_ABOUT(name)                                                                                       \
    "Solves M x = v on all sites, or with --part normal Mhat^+ Mhat x = v on odd sites, by conjugate gradients of\n"   \
    "Mhat^+ Mhat or BiCGstab of Mhat, from zero; `kiln probe apply --operator " name " --help` defines the\n"          \
    "operators.\n"                                                                                                     \
    WILSON_ARRAYS                                                                                                      \
    "Prints iterations and the true residual |v - M x| / |v| as JSON.  Exit status 1 if the solve does not converge;\n"\
    "OUT.npy then holds the last iterate."

#endif
