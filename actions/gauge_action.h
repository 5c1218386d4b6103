/* gauge_action.h - pure-gauge actions from three loops.
 *
 *     S = beta sum_x { c_plaq sum_6 (1 - P) + c_rect sum_12 (1 - R) + c_par sum_16 (1 - C) }
 *
 * P, R, C: Re Tr / 3 of plaquettes, 2x1 rectangles and bent six-link loops (mu, nu, rho, -mu, -nu, -rho).
 * With open boundaries in t (kernels/open_args.h) the sum is over active loops, and those in space in the first and the
 * last time slice have the weight c_G/2.
 * An action is a row of coefficients; see gauge_action.c for the table with its sources. */
#ifndef KILN_ACTIONS_GAUGE_ACTION_H
#define KILN_ACTIONS_GAUGE_ACTION_H

#include "actions/monomial.h"

typedef struct {
    char *name;             /* every kind's parameters begin with the name that the levels use */
    int action;             /* index into gauge_action_names */
    double beta;
    struct { bool c1, u0, flavors, c_G; } given;    /* for gauge_params_check; flavors: by an option */
    double c1;              /* `rectangle` only */
    double u0;              /* `symanzik_1loop` only: the tadpole factor, the fourth root of the plaquette */
    double c_G;             /* open boundaries in t only: weight of loops at the ends; not given: 1 */
    int64_t flavors;        /* `symanzik_1loop` only: dynamical flavours that the one-loop coefficients count */
} gauge_params;

typedef struct { double plaquette, rectangle, parallelogram; } loop_coefficients;

extern const monomial_kind gauge_monomial;
extern const qcdml_term gauge_qcdml;
extern const char *const gauge_action_names[];            /* NULL at the end */

int gauge_action_find(const char *name);                  /* index, -1 if there is none */
loop_coefficients gauge_action_coefficients(const gauge_params *p);
/* False with the reason if a parameter was given that the action does not have, or if one lacks that it needs. */
bool gauge_params_check(const gauge_params *p, failure *f);

#endif
