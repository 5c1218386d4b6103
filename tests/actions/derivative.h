/* derivative.h - check that a force is minus the derivative of its action, by finite differences of the action.
 *
 * Along dU/dtau = P U, dS/dtau = -sum Re Tr P^+F.  The derivative is
 *     D2(h) = (S(h) - S(-h)) / 2h                      wrong by O(h^2)
 *     D4(h) = (4 D2(h) - D2(2h)) / 3                   wrong by O(h^4)
 *     D6(h) = (16 D4(h) - D4(2h)) / 15                 wrong by O(h^6)
 * so the differences of the first two from the force must fall by 4 and by 16 when h is halved, and the
 * third is the force to many digits. */
#ifndef KILN_TESTS_ACTIONS_DERIVATIVE_H
#define KILN_TESTS_ACTIONS_DERIVATIVE_H

#include "actions/monomial.h"

double action_of(monomial *m, const gauge *u);

/* f += weight F */
void force_of(momentum *f, monomial *m, const gauge *u, double weight);

/* -sum Re Tr P^+F */
double minus_product(const momentum *p, const momentum *f);

/* The largest link of a - b, over the largest of b. */
double force_distance(const momentum *a, const momentum *b);

/* The facts above, for the monomial with its present fields; h from largest_step down, in units where P has norm
 * sqrt(8) a link.  `digits`: how near D6 must come, relative. */
void derivative_facts(monomial *m, const gauge *u, const momentum *p, double largest_step, double digits,
                      const char *name);

/* A force with a weight adds this multiple of the force to the momentum, for any momentum. */
void weight_facts(monomial *m, const gauge *u, const momentum *p, const char *name);

/* Single precision has no digits for differences: the force of a monomial without fields, on the links of u, must be
 * that of double precision. */
void single_precision_facts(const monomial_kind *kind, const void *params, const gauge *u, const double *links,
                            const char *name);

#endif
