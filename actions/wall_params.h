/* wall_params.h - what an input says about domain-wall quarks, and the factors that come of it.
 *
 * A determinant of two flavours, det [C(m)^+C(m)] / det [C(M)^+C(M)], is cut by intermediate masses M_1, M_2, ...
 * (M. Hasenbusch, hep-lat/0107019) into ratios m / M_1, M_1 / M_2, ..., M_last / M with pseudofermions of their own.
 * M = 1 is the Pauli-Villars field; another M leaves the rest of the chain to other determinants, which may be in other
 * monomials, on other levels of the integrator. */
#ifndef KILN_ACTIONS_WALL_PARAMS_H
#define KILN_ACTIONS_WALL_PARAMS_H

#include "actions/wall_factor.h"
#include "src/operators/wall_weights.h"

typedef struct { double mass; role_values residual; } wall_hasenbusch_params;

typedef struct {
    int64_t flavors;
    double mass, heavy;                                     /* heavy 0: Pauli-Villars */
    param_list hasenbusch;                                  /* of wall_hasenbusch_params */
    int method;                                             /* of one flavour */
    int64_t fields;
    role_values residual;                                   /* 0: as the monomial says */
    role_values error;
    int64_t chronological;
    double smallest_eigenvalue, largest_eigenvalue;
} wall_determinant_params;

typedef struct {
    char *name;
    int action;                                             /* index into wall_kind_names */
    int64_t slices;
    double height, b, c, scale, lambda_min, lambda_max;
    int64_t boundary;                                       /* 1 antiperiodic, 0 periodic */
    int mass_convention;
    param_list determinants;                                /* of wall_determinant_params */
    role_values residual;
    int64_t max_iterations;
    int solver;                                             /* index into wall_solver_names */
} wall_params;

extern const param_spec wall_specs[];

/* The kinds of factors there are, NULL at the end. */
extern const wall_factor_kind *const wall_factor_kinds[];

enum { WALL_FACTORS_MAX = 32 };

typedef struct {
    wall_weights weights;
    double boundary;                                        /* in t: 1 or -1 */
    int count;
    wall_factor_plan factor[WALL_FACTORS_MAX];
} wall_plan;

/* False with the reason where the parameters make no action. */
bool wall_plan_make(wall_plan *plan, const wall_params *p, failure *f);

/* "(0.01)^2 (0.1)^-2", "(0.04)^1 (1)^-1, rational": masses and flavours, of one flavour the method. */
void wall_factor_describe(text *out, const wall_factor_plan *p);

#endif
