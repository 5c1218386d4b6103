/* wilson_masses.h - what the parameters of all measurements of Wilson quarks share: the operator and the masses. */
#ifndef KILN_MEASURE_WILSON_MASSES_H
#define KILN_MEASURE_WILSON_MASSES_H

#include "actions/stout_params.h"
#include "actions/wilson_params.h"
#include "src/operators/clover_operator.h"

/* Rows of a table with members of these names; at(member): where they are. */
#define WILSON_OPERATOR_SPECS(at)                                                                                      \
    { .key = "c_sw", .type = PARAM_REAL, .offset = at(c_sw), .fallback = "0", .min = 0, .max = 100,                    \
      .doc = "coefficient of the clover term; 0: Wilson quarks without this term" },                                   \
    { .key = "clover", .type = PARAM_CHOICE, .offset = at(clover), .fallback = "linear", .choices = clover_kind_names, \
      .doc = "form of the clover term: 4 + m + c_sw A, or (4 + m) exp(c_sw A / (4 + m))" },                            \
    STOUT_SPEC(at),                                                                                                    \
    { .key = "boundary", .type = PARAM_INT, .offset = at(boundary), .fallback = "1", .min = 0, .max = 1,               \
      .doc = "phase of the boundary in t, in units of pi: 1 antiperiodic, 0 periodic" },                               \
    THETA_SPEC(at)

#define WILSON_MASS_SPECS(at)                                                                                          \
    { .key = "mass", .type = PARAM_REAL, .offset = at(mass), .fallback = "-4", .min = WILSON_MASS_MIN,                 \
      .max = WILSON_MASS_MAX, .doc = "bare mass m = 1 / (2 kappa) - 4; -4: `kappa` gives it" },                        \
    { .key = "kappa", .type = PARAM_REAL, .offset = at(kappa), .fallback = "0", .min = 0, .max = WILSON_KAPPA_MAX,     \
      .doc = "hopping parameter, in place of `mass`" },                                                                \
    { .key = "mu", .type = PARAM_REAL, .offset = at(mu), .fallback = "0", .min = -100, .max = 100,                     \
      .doc = "twisted mass, M + i mu gamma5" }

/* Keys by which the quarks of a measurement may differ from those of a monomial (measurement.h). */
#define WILSON_QUARK_KEYS { "c_sw", "clover", "boundary", "theta", NULL }

typedef struct { double mass, kappa, mu; } wilson_mass;

static inline double wilson_bare_mass(const wilson_mass *m)
{
    return m->kappa > 0 ? 1 / (2 * m->kappa) - 4 : m->mass;
}

/* Whether it is given once, by mass or by kappa. */
static inline bool wilson_mass_is_given(const wilson_mass *m)
{
    return (m->mass != WILSON_NO_MASS) != (m->kappa > 0);
}

#endif
