/* two_flavor_chain.h - split a determinant of two flavors by intermediate masses into ratios m / M_1, M_1 / M_2, ...;
 * the last factor has a given denominator, or none (M. Hasenbusch, hep-lat/0107019). */
#ifndef KILN_ACTIONS_TWO_FLAVOR_CHAIN_H
#define KILN_ACTIONS_TWO_FLAVOR_CHAIN_H

#include "actions/quarks.h"

/* An intermediate mass of an input: an element of a list with the rows below; least < mass <= most.  tunable:
 * PARAM_TUNABLE or 0; kiln tune multiplies tunable masses by factors, so they must be positive.  A family may add rows
 * for kappa, mu (not given: that of the previous mass) and rho (not given: 0). */
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

/* Rows of a determinant, for files that include actions/start_vectors.h.  at(member): the offset of a member; `when`:
 * if the determinant may also have one flavor, the condition for two flavors. */
#define HASENBUSCH_SPEC(at, intermediate_specs, when)                                                                  \
    { .key = "hasenbusch", .type = PARAM_LIST, .offset = at(hasenbusch), .fallback = "[]",                             \
      .group = intermediate_specs, .element_size = sizeof(intermediate_mass), .flags = PARAM_NUMERICAL, when           \
      .doc = "two flavors: intermediate masses, lightest first; they split the determinant into ratios",               \
      .example = "[ { mass: 0.1 }, { mass: 0.4 } ]", .see = "physics.md#hasenbusch-masses" }
#define CHRONOLOGICAL_SPEC(at, when)                                                                                   \
    { .key = "chronological", .type = PARAM_INT, .offset = at(chronological), .fallback = "0", .min = 0,               \
      .max = START_VECTORS_MAX, .flags = PARAM_NUMERICAL, when                                                         \
      .doc = "two flavors only; n above 0: chronological inversion. Each force solve then starts from the best "       \
             "vector in the span of the last n force solutions of this trajectory. This saves iterations, but "        \
             "trajectories are reversible only to the residual of the force. 0: solves start from zero, and "          \
             "trajectories are reversible to rounding" }

/* The factors of a plan that is being made; all borrowed.  add: returns the index of m in the list of operator_params,
 * the parameters of `d`, and appends m if it is not yet in the list. */
typedef struct {
    quark_factor_plan *factor;
    int *count;
    const dirac_plan *d;
    int (*add)(void *operator_params, quark_mass m);
    void *operator_params;
} quark_factor_list;

/* A factor with its masses; quark_factor_list_add sets the members of `factor` that depend on the list. */
typedef struct { quark_factor_plan factor; quark_mass light, heavy; } quark_ratio;

/* Add a factor of determinant `number`; false with the reason if it is impossible, or if there are too many. */
bool quark_factor_list_add(quark_factor_list *list, quark_ratio ratio, int number, failure *f);

/* Add the ratios of a chain from the first mass to the last denominator, both in `ratio`.  Each ratio has the residuals
 * of its intermediate mass where they are given, else those of the determinant, in ratio.factor.  mass_of: the m of an
 * element of the input; needs_mu: each element must give mu. */
typedef struct {
    param_list masses;                      /* of intermediate_mass */
    double (*mass_of)(const intermediate_mass *h, const void *params);
    const void *params;
    bool needs_mu;
} two_flavor_chain;
bool quark_factor_list_add_chain(quark_factor_list *list, quark_ratio ratio, const two_flavor_chain *chain, int number,
                                 failure *f);

#endif
