/* two_flavor_chain.h - split a determinant of two flavours by intermediate masses into ratios m / M_1, M_1 / M_2, ...,
 * and the last one over its denominator, or alone (M. Hasenbusch, hep-lat/0107019). */
#ifndef KILN_ACTIONS_TWO_FLAVOR_CHAIN_H
#define KILN_ACTIONS_TWO_FLAVOR_CHAIN_H

#include "actions/quarks.h"

/* An intermediate mass of an input: an element of a list with the rows below, within [least, most].  PARAM_TUNABLE is
 * for positive masses, which kiln tune multiplies by factors.  kappa, mu (not given: that of the former mass) and rho
 * (not given: 0) have rows of the family, or none. */
typedef struct {
    double mass, kappa, mu, rho;
    struct { bool mass, kappa, mu, rho; } given;
    own_role_values residual;
} intermediate_mass;
#define INTERMEDIATE_AT(member) offsetof(intermediate_mass, member)
#define INTERMEDIATE_RESIDUALS_SPEC                                                                                    \
    ROLE_OWN_RESIDUALS_SPEC(INTERMEDIATE_AT, "factor, which has this mass in the numerator", "determinant")
#define INTERMEDIATE_MASS_SPECS(least, most, tunable)                                                                  \
    { .key = "mass", .type = PARAM_REAL, .offset = INTERMEDIATE_AT(mass), .min = least, .max = most,                   \
      .flags = PARAM_ABOVE_MIN | tunable, .doc = "intermediate mass" },                                                \
    INTERMEDIATE_RESIDUALS_SPEC

/* Rows of a determinant, for files that include actions/start_vectors.h; at(member): where they are; `when`: for two
 * flavours, where there are others. */
#define HASENBUSCH_SPEC(at, intermediate_specs, when)                                                                  \
    { .key = "hasenbusch", .type = PARAM_LIST, .offset = at(hasenbusch), .fallback = "[]",                             \
      .group = intermediate_specs, .element_size = sizeof(intermediate_mass), .flags = PARAM_NUMERICAL, when           \
      .doc = "two flavours: intermediate masses, lightest first; they split the determinant into ratios",              \
      .example = "[ { mass: 0.1 }, { mass: 0.4 } ]", .see = "physics.md#hasenbusch-masses" }
#define CHRONOLOGICAL_SPEC(at, when)                                                                                   \
    { .key = "chronological", .type = PARAM_INT, .offset = at(chronological), .fallback = "0", .min = 0,               \
      .max = START_VECTORS_MAX, .flags = PARAM_NUMERICAL, when                                                         \
      .doc = "two flavours only; n above 0: chronological inversion. Each force solve then starts from the best "      \
             "vector in the span of the last n force solutions of this trajectory. This saves iterations, but "        \
             "trajectories are reversible only to the residual of the force. 0: solves start from zero, and "          \
             "trajectories are reversible to rounding" }

/* Factors of a plan that is being made.  add: the index of a mass in the list of the operator's parameters, which are
 * those of `d`; it is added there if it is new. */
typedef struct {
    quark_factor_plan *factor;
    int *count;
    const dirac_plan *d;
    int (*add)(void *operator_params, quark_mass m);
    void *operator_params;
} quark_factor_list;

/* A factor with its masses; the indices of `factor` come from the list. */
typedef struct { quark_factor_plan factor; quark_mass light, heavy; } quark_ratio;

/* Add a factor of determinant `number`; false with the reason if it is impossible, or if there are too many. */
bool quark_factor_list_add(quark_factor_list *list, quark_ratio ratio, int number, failure *f);

/* Add the ratios of a chain with the first mass and the last denominator of `ratio`, which has the residuals of the
 * determinant; a ratio in the middle has those of its mass, or of the determinant.  mass_of: the m of an element of the
 * input; needs_mu: its row of mu is not optional. */
typedef struct {
    param_list masses;                      /* of intermediate_mass */
    double (*mass_of)(const intermediate_mass *h, const void *params);
    const void *params;
    bool needs_mu;
} two_flavor_chain;
bool quark_factor_list_add_chain(quark_factor_list *list, quark_ratio ratio, const two_flavor_chain *chain, int number,
                                 failure *f);

#endif
