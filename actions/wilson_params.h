/* wilson_params.h - the input of Wilson quarks without and with a clover term, and the factors of their determinants.
 *
 * Two flavors, det [Mhat(m)^+ Mhat(m)] (operators/clover.h): intermediate masses M_1, M_2, ... (two_flavor_chain.h)
 * split a determinant into ratios m / M_1, M_1 / M_2, ..., and M_last alone or over a last denominator.  With a last
 * denominator, the rest of the chain is in other determinants, possibly in other monomials on other levels.
 *
 * Two flavors may have a twisted mass, det [Mhat(m, mu)^+ Mhat(m, mu)]; |mu| must not decrease along the chain at the
 * same mass.  rho twists Mhat on odd sites only, in place of or in addition to an intermediate mass.
 *
 * One flavor: the square root of det [Mhat(m)^+ Mhat(m)], by RHMC, alone or over a denominator.
 *
 * Masses are bare masses, m = 1 / (2 kappa) - 4, or given by kappa.  With a clover term the action also has the
 * determinants of block_determinants.h. */
#ifndef KILN_ACTIONS_WILSON_PARAMS_H
#define KILN_ACTIONS_WILSON_PARAMS_H

#include "actions/multigrid_params.h"
#include "actions/qcdml_term.h"
#include "actions/two_flavor_chain.h"
#include "actions/wilson_operator.h"

typedef struct {
    int64_t flavors, fields;                                /* 1 or 2; of one flavor */
    wilson_mass_input light;
    double heavy, heavy_kappa;                              /* at most one of them is given */
    double mu, rho, heavy_mu, heavy_rho;                    /* of two flavors (dirac_twist) */
    struct {
        bool heavy, heavy_kappa, heavy_mu, heavy_rho, smallest_eigenvalue, largest_eigenvalue;
    } given;                                                /* others are 0 */
    param_list hasenbusch;                                  /* of intermediate_mass */
    own_role_values residual;                               /* not given: those of the monomial */
    role_values error;                                      /* of rational functions */
    double smallest_eigenvalue, largest_eigenvalue;         /* of Mhat^+ Mhat; not given: measured */
    int64_t chronological;
} wilson_determinant_params;

typedef struct {
    char *name;
    wilson_operator_input of;                               /* the operator of all determinants */
    param_list determinants;                                /* of wilson_determinant_params */
    role_values residual;
    int64_t residual_norm;                                  /* a residual_norm */
    int64_t max_iterations;
    int solver, method;                                     /* solver_precision; solver_kind_index, of two flavors */
    multigrid_params multigrid;                             /* of method multigrid */
} wilson_params;

extern const param_spec wilson_specs[];

double wilson_mass_of(const wilson_determinant_params *d);              /* the bare mass of a determinant */
/* Whether the determinant has a last denominator; its mass, which is the mass of the determinant if only a twist is
 * given. */
bool wilson_has_heavy(const wilson_determinant_params *d);
double wilson_heavy_of(const wilson_determinant_params *d);
double wilson_heavy_mu_of(const wilson_determinant_params *d);  /* not given: mu */

extern const qcdml_term wilson_qcdml;

/* Wilson quarks as a monomial. */
extern const monomial_kind wilson_monomial;

#endif
