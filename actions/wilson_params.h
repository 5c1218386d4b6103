/* wilson_params.h - the input of Wilson quarks, and the factors of their determinants.
 *
 * Intermediate masses M_1, M_2, ... (two_flavor_chain.h) split a determinant of two flavours, det [Mhat(m)^+ Mhat(m)]
 * (operators/wilson.h), into ratios m / M_1, M_1 / M_2, ..., and M_last alone or over a last denominator; the rest of
 * the chain is then in other determinants, possibly in other monomials, on other levels of the integrator.  Masses are
 * bare masses, m = 1 / (2 kappa) - 4. */
#ifndef KILN_ACTIONS_WILSON_PARAMS_H
#define KILN_ACTIONS_WILSON_PARAMS_H

#include "actions/qcdml_term.h"
#include "actions/two_flavor_chain.h"

typedef struct {
    int64_t flavors;                                        /* 2 */
    double mass, heavy;
    param_list hasenbusch;                                  /* of intermediate_mass */
    role_values residual;                                   /* 0: as the monomial says */
    int64_t chronological;
} wilson_determinant_params;

/* Bare masses may have any sign, so that 0 is a valid mass.  The lower end is kappa = infinity, which no quark has: as
 * the last denominator it means that there is none. */
enum { WILSON_MASS_MIN = -4, WILSON_MASS_MAX = 100, WILSON_NO_DENOMINATOR = WILSON_MASS_MIN };

static inline bool wilson_has_denominator(const wilson_determinant_params *d)
{
    return d->heavy != WILSON_NO_DENOMINATOR;
}

typedef struct {
    char *name;
    int64_t boundary;                                       /* 1 antiperiodic, 0 periodic */
    param_list determinants;                                /* of wilson_determinant_params */
    role_values residual;
    int64_t max_iterations;
    int solver;                                             /* solver_kind */
} wilson_params;

extern const param_spec wilson_specs[];

double wilson_kappa(double mass);                           /* 1 / (2 (4 + m)) */

extern const qcdml_term wilson_qcdml;

/* Two flavours of Wilson quarks as a monomial. */
extern const monomial_kind wilson_monomial;

#endif
