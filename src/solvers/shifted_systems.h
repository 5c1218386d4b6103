/* shifted_systems.h - many shifts in the Krylov space of the smallest shift (the base).
 *
 * With rho_k = zeta_k / (zeta_k before), d_k = shift_k - smallest shift, and alpha, beta and the residual r of the base
 * system,
 *     1 / rho_k = 1 + d_k alpha + (alpha / alpha_before) beta_before (1 - rho_k before),
 *     alpha_k = rho_k alpha,  beta_k = rho_k^2 beta,  r_k = zeta_k r:
 * All terms of the sum are positive, so nothing cancels, and 0 < rho_k <= 1 (kernels/krylov_steps.h). */
#ifndef KILN_SOLVERS_SHIFTED_SYSTEMS_H
#define KILN_SOLVERS_SHIFTED_SYSTEMS_H

#include "src/solvers/krylov.h"
#include "src/solvers/solver.h"

/* The base first, then the other shifts in the order of the caller. */
typedef struct {
    int count;
    int number[SHIFTS_MAX];               /* in the caller's order */
    vec *x[SHIFTS_MAX], *p[SHIFTS_MAX];
} shifted_systems;
shifted_systems shifted_systems_of(vec *const *x, vec *const *p, const shifted *system, int count);

/* Sets up system `number` of k with all shifts, for a residual with |r|^2 = rr. */
krylov_system *shifted_systems_begin(krylov *k, int number, const shifted_systems *s, const shifted *system, double bb,
                                     double rr);

/* Writes iterations, iterated residuals and the iterations of freezing, in the caller's order. */
void shifted_systems_report(multishift_result *result, const shifted_systems *s, const krylov_system *state);

/* Number of systems that are not frozen, except the base. */
int shifted_systems_left(const krylov_system *state);

#endif
