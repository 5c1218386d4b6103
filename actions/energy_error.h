/* energy_error.h - the error of dH that residuals of solves and errors of rational functions cause.
 *
 * New pseudofermions have S = |eta|^2 with N complex degrees of freedom, <S> = N.  A solve that stops at |rho| = r |b|
 * changes the vector whose square is S by delta, |delta| <= g r sqrt(N), where the gain g is the amplification of a
 * residual by the inverse and the functions around it:
 *     S -> |v + delta|^2 = S + 2 Re v^+ delta + |delta|^2.
 * The term |delta|^2 is at most N (g r)^2.  In the term 2 Re v^+ delta, v is random and rho is not aligned with it:
 * conjugate gradients with start vector 0 leave rho orthogonal to their Krylov space, which contains v, so that this
 * term is of second order as well; but lower precision inside a solve adds a part with random direction, and a random
 * direction in N complex dimensions has the rms value |Re v^+ delta| = |v| |delta| / sqrt(2 N).  Together
 *     |error of S|  <~  sqrt(2 N) g r + N (g r)^2.
 * For several solves, terms linear in r add in quadrature and quadratic ones linearly.  A rational function with the
 * largest relative error e changes S by at most 2 e N; these changes add linearly.
 *
 * Gains.  Staggered, phi = r_h(K) eta, S = |r_a(K) phi|^2, r(x) = c + sum a_k / (x + b_k):
 *     refresh  max |r_a| sum |a_k| / b_k of r_h,    action  max |r_h| sum |a_k| / b_k of r_a.
 * Two flavors, phi = V (V^+V)^-1 C^+ eta and S = phi^+ V (C^+C)^-1 V^+ phi, with b = V^+ phi: a residual rho of the
 * refresh gives b = C^+ eta - rho, that is delta = -(C^+)^-1 rho; a residual of the action, which is variational
 * (two_flavors.c), gives S - |(C^+)^-1 rho|^2.  So g^2 = largest / smallest eigenvalue of C^+C, and the action has no
 * term linear in r. */
#ifndef KILN_ACTIONS_ENERGY_ERROR_H
#define KILN_ACTIONS_ENERGY_ERROR_H

#include "actions/roles.h"
#include "src/base/text.h"

/* Kiln warns of larger errors of dH.  An error of this size changes the acceptance probability by 5 %, and <exp(-dH)>
 * by about the square of that, because errors have both signs. */
#define ENERGY_ERROR_MAX 0.05

/* For one role (refresh or action) of a monomial: residual: the largest r; first2, second: sums over the solves of
 * 2 N (g r)^2 (0 if variational) and of N (g r)^2; first2_of_1, second_of_1: the same for r = 1; functions: sum of 2 e
 * N over the rational functions; error: the largest e. */
typedef struct { double residual, first2, second, first2_of_1, second_of_1, functions, error; } energy_error;
typedef struct { energy_error of[ROLES]; } energy_errors;

/* Add a solve with N = `freedom` complex degrees of freedom, gain g and residual r; `variational`: no term linear in
 * r. */
void energy_errors_add(energy_errors *e, int role, double freedom, double gain, double residual, bool variational);
/* Add a rational function with the largest relative error e = `error`. */
void energy_errors_add_function(energy_errors *e, int role, double freedom, double error);

/* The error of S in a role: from its solves; from its rational functions.  energy_error_residual: the residual r at
 * which the error from all solves of the role, each with this r, is `most`. */
double energy_error_of_solves(const energy_errors *e, int role);
double energy_error_of_functions(const energy_errors *e, int role);
double energy_error_residual(const energy_errors *e, int role, double most);

/* Add a line for each key of the monomial `name` with an error of dH above ENERGY_ERROR_MAX; returns their number. */
int energy_errors_advise(text *lines, const energy_errors *e, const char *name);

#endif
