/* gauge_action.h - pure-gauge actions from three loops.
 *
 *     S = beta sum_x { c_plaq sum_6 (1 - P) + c_rect sum_12 (1 - R) + c_par sum_16 (1 - C) }
 *
 * P, R, C: Re Tr / 3 of plaquettes, 2x1 rectangles and bent six-link loops (mu, nu, rho, -mu, -nu, -rho).
 * On anisotropic lattices with a_s/a_t = xi_0 at tree level, loops with links in t have the factor xi_0, others 1/xi_0;
 * `symanzik_anisotropic` has tadpole factors, and no rectangles with two steps in t:
 *
 *     S = beta sum { 5/(3 xi_0 u_s^4) P_ij + 4 xi_0/(3 u_s^2 u_t^2) P_it - 1/(12 xi_0 u_s^6) R_ij
 *                    - xi_0/(12 u_s^4 u_t^2) R_it },   each loop as 1 - Re Tr / 3; R_it: one step in t
 *
 * With open boundaries in t (kernels/open_args.h) the sum is over active loops, and loops in space in the first and the
 * last time slice have the weight c_G/2.
 *
 * An action is a row of coefficients in the table of gauge_action.c, with its source. */
#ifndef KILN_ACTIONS_GAUGE_ACTION_H
#define KILN_ACTIONS_GAUGE_ACTION_H

#include "actions/monomial.h"

typedef struct {
    char *name;             /* used in hmc.levels; the first member of the parameters of every kind */
    int action;             /* index into gauge_action_names */
    double beta;
    struct { bool c1, u0, flavors, c_G, xi_0, u_s, u_t; } given;    /* flavors: set by options of commands only */
    double c1;              /* `rectangle` only */
    double u0;              /* `symanzik_1loop` only: the tadpole factor, the fourth root of the plaquette */
    double xi_0;            /* bare anisotropy; not given: the action is isotropic */
    double u_s, u_t;        /* `symanzik_anisotropic` only: tadpole factors of links in space and in t */
    double c_G;             /* open boundaries in t only: weight of loops at the ends; not given: 1 */
    int64_t flavors;        /* `symanzik_1loop` only: dynamical flavors that the one-loop coefficients count */
} gauge_params;

typedef struct { double plaquette, rectangle, parallelogram; } loop_coefficients;     /* c_plaq, c_rect, c_par */

extern const monomial_kind gauge_monomial;
extern const qcdml_term gauge_qcdml;
extern const char *const gauge_action_names[];            /* NULL at the end */

int gauge_action_find(const char *name);                  /* index, -1 if there is none */
loop_coefficients gauge_action_coefficients(const gauge_params *p);
double gauge_action_xi(const gauge_params *p);            /* xi_0; 1 if the action is isotropic */
double gauge_action_end_weight(const gauge_params *p);    /* c_G; 1 if it is not given */
/* The factors that multiply these coefficients, by steps in t and time slice (gauge/loop_weights.h). */
time_weights gauge_action_weights(const gauge_params *p, bool open);
/* False with the reason if a parameter is given that the action does not have, or if a required parameter is
 * missing. */
bool gauge_params_check(const gauge_params *p, failure *f);

#endif
