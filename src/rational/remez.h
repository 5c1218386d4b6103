/* remez.h - minimax rational functions with any number of digits: the exchange, and the partial fractions.
 *
 * For rational.c, which chooses order and digits.  r = P/Q with P, Q of degree `order` is the best approximation to f
 * when its relative error r/f - 1 has 2 order + 2 extrema of equal size and alternating sign on [lower, upper]. */
#ifndef KILN_RATIONAL_REMEZ_H
#define KILN_RATIONAL_REMEZ_H

#include "src/rational/power_product.h"

#include <mpfr.h>

enum { REMEZ_POINTS = 2 * RATIONAL_POLES + 2 };

/* f must have no mass twice and no power 0. */
typedef struct {
    int order, points;                            /* points = 2 order + 2 */
    mpfr_prec_t bits;
    int factors;
    mpfr_t *shift, *power;                        /* f(x) = prod (x + shift)^power */
    mpfr_t *lower, *upper;
    mpfr_t *x, *fx;                               /* the reference: points where the error is to be extremal; f there */
    mpfr_t *t, *alpha, *beta;                     /* r(x) = [sum alpha_j / (x - t_j)] / [sum beta_j / (x - t_j)] */
    mpfr_t *error;                                /* r/f - 1 = (-1)^i error at point i of the latest equations */
    mpfr_t *constant, *residue, *pole;            /* r(x) = constant + sum residue_k / (x + pole_k) */
    mpfr_t *matrix, *image, *top, *work;
    mpfr_t *pool;                                 /* all of these */
    int pool_count;
} remez;

/* Starts from points spread over the logarithm of the distance from the singularities of f. */
remez *remez_create(const power_product *f, double lower, double upper, int order, int bits);
void remez_free(remez *r);

/* Take over the points of another precision. */
void remez_copy_points(remez *r, const remez *from);

/* Exchange until the extrema differ by at most `spread`, relatively; false with the reason. */
bool remez_exchange(remez *r, double spread, failure *why);

/* Poles, residues and constant; false with the reason unless all poles are real and above -lower. */
bool remez_partial_fractions(remez *r, failure *why);

/* Check that |r/f - 1| between the points of the reference does not exceed the error at them. */
bool remez_verify(remez *r, failure *why);

/* |E| of the latest equations. */
double remez_error(const remez *r);

#endif
