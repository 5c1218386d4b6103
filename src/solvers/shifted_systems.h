/* shifted_systems.h - the systems of one Krylov space, that of the smallest shift.
 *
 * With rho_k the ratio of one zeta_k to the one before, d_k the distance of the shifts, and the alpha and beta of the
 * base system, whose residual is r,
 *     1 / rho_k = 1 + d_k alpha + (alpha / alpha_before) beta_before (1 - rho_k before),
 *     alpha_k = rho_k alpha,  beta_k = rho_k^2 beta,  r_k = zeta_k r:
 * sums of positive numbers, so nothing cancels and every rho_k lies between 0 and 1. */
#ifndef KILN_SOLVERS_SHIFTED_SYSTEMS_H
#define KILN_SOLVERS_SHIFTED_SYSTEMS_H

#include "src/solvers/solver.h"

typedef struct {
    int number;                           /* in the caller's order */
    vec *x, *p;
    double distance, rho, zeta;
    bool done;                            /* met its tolerance; the base goes on for the others */
} shifted_system;

/* The systems that are not frozen, the base first: what one launch updates. */
typedef struct { int count; shifted_system of[SHIFTS_MAX]; } shifted_systems;

shifted_systems shifted_systems_all(vec *const *x, vec *const *p, const shifted *system, int count);

/* rho and zeta of a step alpha of the base; `former` is beta / alpha of the step before. */
void shifted_systems_step(shifted_systems *s, double alpha, double former);

/* x_k <- x_k + alpha_k p_k; and p_k <- zeta_k r + beta_k p_k, or left as it is. */
void shifted_systems_update(const shifted_systems *s, const vec *r, double alpha, double beta);
void shifted_systems_update_solutions(const shifted_systems *s, const vec *r, double alpha);

/* Note the systems whose residual is small enough, and drop them from the list; `relative` is |r| / |b|. */
void shifted_systems_freeze(shifted_systems *s, multishift_result *result, const shifted *system, double relative);

/* Whether the base is alone, and done. */
bool shifted_systems_are_done(const shifted_systems *s);

#endif
