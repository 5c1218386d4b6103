/* remez.h - minimax rational functions in multiple precision: the exchange algorithm, and the partial fractions.
 *
 * For rational.c, which chooses order and precision.  r = P/Q with P, Q of degree `order` is the best approximation to
 * f when its relative error r/f - 1 has 2 order + 2 extrema of equal size and alternating sign on [lower, upper]. */
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
    mpfr_t *x, *fx;                               /* [points], ascending: the reference, whose points tend to the
                                                   * extrema of the error; f(x) */
    mpfr_t *t, *alpha, *beta;                     /* r(x) = [sum alpha_j / (x - t_j)] / [sum beta_j / (x - t_j)] */
    mpfr_t *error;                                /* E: r/f - 1 = (-1)^i E at point i of the latest equations */
    mpfr_t *constant, *residue, *pole;            /* r(x) = constant + sum residue_k / (x + pole_k) */
    mpfr_t *matrix, *image, *top, *work;          /* scratch: A of remez.c, A^-1 B beta, new extrema, temporaries */
    mpfr_t *pool;                                 /* the memory of all these numbers */
    int pool_count;
} remez;

/* The first reference is close to the final one (remez_start.c).  bits: precision of all numbers. */
remez *remez_create(const power_product *f, double lower, double upper, int order, int bits);
void remez_free(remez *r);

/* Copies the reference of an approximation of the same order, in another precision. */
void remez_copy_points(remez *r, const remez *from);

/* Iterates until the extrema of |r/f - 1| differ from |E| by at most the fraction `spread`; false with the reason if
 * this fails. */
bool remez_exchange(remez *r, double spread, failure *why);

/* Poles, residues and constant; false with the reason unless all poles are real and above -lower. */
bool remez_partial_fractions(remez *r, failure *why);

/* Whether |r/f - 1| of the partial fractions between the points of the reference does not exceed |E|; else the
 * reason. */
bool remez_verify(remez *r, failure *why);

/* |E| of the latest equations. */
double remez_error(const remez *r);

#endif
