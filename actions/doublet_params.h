/* doublet_params.h - the input of a non-degenerate doublet of twisted-mass quarks, as strange and charm.
 *
 * The weight is |det D| (operators/doublet.h), and det D is positive where |mu_delta| < mu_sigma.  RHMC has the square
 * root of det C^+C; with a clover term, block_determinants.h has the factor det E_e.  Larger mu_sigma split the
 * determinant into ratios
 *     det D(mu_sigma) = det D(mu_sigma) / det D(mu_1)  det D(mu_1) / det D(mu_2)  ...  det D(mu_n)
 * with the same mass and mu_delta (M. Hasenbusch, hep-lat/0107019).  The last determinant has no denominator, or the
 * denominator with heavy_mu_sigma. */
#ifndef KILN_ACTIONS_DOUBLET_PARAMS_H
#define KILN_ACTIONS_DOUBLET_PARAMS_H

#include "actions/monomial.h"
#include "actions/roles.h"
#include "actions/wilson_operator.h"
#include "src/operators/doublet_operator.h"

/* The doublet, in actions and in kiln probe. */
typedef struct {
    wilson_operator_input of;                               /* clover_links and even_odd are not read */
    wilson_mass_input light;                                /* of both flavors: m or kappa */
    double mu_sigma, mu_delta;
} doublet_input;

/* Rows of a table; at(member): the offset of a member of a doublet_input. */
#define DOUBLET_MUS_SPECS(at)                                                                                          \
    { .key = "mu_sigma", .type = PARAM_REAL, .offset = at(mu_sigma), .min = 0, .max = 100,                             \
      .doc = "twisted mass, M + i mu_sigma gamma5 tau3: the mean of both quark masses, up to renormalization" },       \
    { .key = "mu_delta", .type = PARAM_REAL, .offset = at(mu_delta), .min = -100, .max = 100,                          \
      .doc = "mass splitting, + mu_delta tau1: half the difference of both quark masses, up to renormalization. "      \
             "With |mu_delta| above mu_sigma the determinant may be negative; the weight is |det D|" }

doublet_operator_params doublet_operator_of(const doublet_input *in);
dirac_plan doublet_plan_of(const doublet_operator_params *op, const doublet_input *in);        /* borrows op */
/* Whether E has an inverse of the form of doublet.h: |mu_delta| and mu_sigma differ, or both are 0. */
bool doublet_is_possible(const doublet_input *in, failure *f);

typedef struct {
    char *name;
    doublet_input doublet;
    int64_t fields;
    role_values residual, error;                            /* of solves, of rational functions */
    double smallest_eigenvalue, largest_eigenvalue;         /* of C^+C; measured if not given */
    param_list hasenbusch;                                  /* of intermediate_mass, with mu = mu_sigma */
    double heavy_mu_sigma;                                  /* of the last denominator; not given: no denominator */
    struct { bool smallest_eigenvalue, largest_eigenvalue, heavy_mu_sigma; } given;
    int64_t residual_norm;                                  /* a residual_norm */
    int64_t max_iterations;
    int solver;                                             /* solver_precision */
} doublet_params;

extern const param_spec doublet_specs[];
extern const qcdml_term doublet_qcdml;
extern const monomial_kind doublet_monomial;

#endif
