/* shifted_systems.h - the systems of one Krylov space, that of the smallest shift.
 *
 * With rho_k the ratio of one zeta_k to the one before, d_k the distance of the shifts, and the alpha and beta of the
 * base system, whose residual is r,
 *     1 / rho_k = 1 + d_k alpha + (alpha / alpha_before) beta_before (1 - rho_k before),
 *     alpha_k = rho_k alpha,  beta_k = rho_k^2 beta,  r_k = zeta_k r:
 * sums of positive numbers, so nothing cancels and every rho_k lies between 0 and 1 (kernels/krylov_steps.h). */
#ifndef KILN_SOLVERS_SHIFTED_SYSTEMS_H
#define KILN_SOLVERS_SHIFTED_SYSTEMS_H

#include "src/solvers/krylov.h"
#include "src/solvers/solver.h"

/* The base first, then the others as the caller has them. */
typedef struct {
    int count;
    int number[SHIFTS_MAX];               /* in the caller's order */
    vec *x[SHIFTS_MAX], *p[SHIFTS_MAX];
} shifted_systems;
shifted_systems shifted_systems_of(vec *const *x, vec *const *p, const shifted *system, int count);

/* A Krylov space with all its shifts, from a residual with |r|^2 = rr. */
krylov_system *shifted_systems_begin(krylov *k, int number, const shifted_systems *s, const shifted *system, double bb,
                                     double rr);

/* Iterations, iterated residuals, and when systems were frozen, in the caller's order. */
void shifted_systems_tell(multishift_result *result, const shifted_systems *s, const krylov_system *state);

/* Systems but the base that are not frozen. */
int shifted_systems_left(const krylov_system *state);

#endif
