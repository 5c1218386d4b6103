/* energy_error.h - the error of dH from residuals of solves and errors of rational functions.
 *
 * New pseudofermions have S = |eta|^2 with N complex degrees of freedom, <S> = N.  A solve that stops at |rho| = r |b|
 * changes the vector whose square is S by delta, |delta| <= g r sqrt(N), where the gain g is the amplification of a
 * residual by the inverse and the functions around it:
 *     S -> |v + delta|^2 = S + 2 Re v^+ delta + |delta|^2.
 * The second term is at most N (g r)^2.  In the first, v is random and rho is not aligned with it: conjugate gradients
 * that start from zero leave rho orthogonal to all of their Krylov space, to which v belongs, so that the term is of
 * second order as well; lower precision inside a solve adds a part of random direction, and a random direction in N
 * complex dimensions has |Re v^+ delta| = |v| |delta| / sqrt(2 N).  Together
 *     |error of S|  <~  sqrt(2 N) g r + N (g r)^2,
 * the first terms of several solves added in quadrature, the second ones linearly.  A rational function with the
 * largest relative error e changes S by 2 e N at most, and linearly.
 *
 * Gains.  Staggered, phi = r_h(K) eta, S = |r_a(K) phi|^2, r(x) = c + sum a_k / (x + b_k):
 *     refresh  max |r_a| sum |a_k| / b_k of r_h,    action  max |r_h| sum |a_k| / b_k of r_a.
 * Domain-wall quarks, two flavors, phi = V (V^+V)^-1 C^+ eta and S = phi^+ V (C^+C)^-1 V^+ phi: with b = V^+ phi a
 * residual rho of the refresh gives b = C^+ eta - rho, that is delta = C^+ ^-1 rho; one of the action, which is
 * variational, S - |C^+ ^-1 rho|^2: g^2 = largest / smallest eigenvalue of C^+C, and no first term in the action. */
#ifndef KILN_ACTIONS_ENERGY_ERROR_H
#define KILN_ACTIONS_ENERGY_ERROR_H

#include "actions/roles.h"
#include "src/base/text.h"

/* Kiln warns of larger errors of dH.  Below, the acceptance probability is right within 5 %, and <exp(-dH)>, because
 * errors have both signs, within about the square of that. */
#define ENERGY_ERROR_MAX 0.05

/* Sums over the solves of a monomial, for each role: of 2 N (g r)^2 and N (g r)^2; the same with r = 1; the largest r
 * in `residual`; the contribution of the rational functions. */
typedef struct { double residual, first2, second, first2_of_1, second_of_1, functions, error; } energy_error;
typedef struct { energy_error of[ROLES]; } energy_errors;

/* Add a solve with N = `freedom` degrees of freedom; `variational`: it has no term of first order. */
void energy_errors_add(energy_errors *e, int role, double freedom, double gain, double residual, bool variational);
/* Add a function with a relative error. */
void energy_errors_add_function(energy_errors *e, int role, double freedom, double error);

/* The error of S in a role: from its solves; from its rational functions.  energy_error_residual: the residual r, the
 * same for all solves of the role, with which their error would be `most`. */
double energy_error_of_solves(const energy_errors *e, int role);
double energy_error_of_functions(const energy_errors *e, int role);
double energy_error_residual(const energy_errors *e, int role, double most);

/* Add a line for each key of the monomial `name` with an error of dH above ENERGY_ERROR_MAX; returns their number. */
int energy_errors_advise(text *lines, const energy_errors *e, const char *name);

#endif
