/* power_product.h - products of powers of (x + 4 m^2), and the values and errors of partial fractions that approximate
 * them (rational.h). */
#ifndef KILN_RATIONAL_POWER_PRODUCT_H
#define KILN_RATIONAL_POWER_PRODUCT_H

#include "src/base/text.h"

enum { RATIONAL_POLES = 40, RATIONAL_FACTORS = 16 };

typedef struct { double mass; int y, z; } mass_power;                  /* (x + 4 mass^2)^(y/z) */
typedef struct { int count; mass_power factor[RATIONAL_FACTORS]; } power_product;

typedef struct {
    power_product target;
    double lower, upper;                     /* of x */
    double error;                            /* the largest relative error there, before rounding to doubles */
    int order;                               /* number of poles; 0: the function is `constant` */
    double constant, residue[RATIONAL_POLES], pole[RATIONAL_POLES];
} rational;

double power_product_value(const power_product *f, double x);
void power_product_describe(text *out, const power_product *f);        /* "(x + 4*0.01^2)^(-2/4) ..." */

/* Whether f1^times1 f2^times2 is 1 for all x; compares the exact power of each mass. */
bool power_products_cancel(const power_product *f1, int times1, const power_product *f2, int times2);

/* The same function with every mass once, reduced fractions, and no power 0; false with the reason if a mass or a power
 * is not valid. */
bool power_product_collect(power_product *collected, const power_product *f, failure *why);

double rational_value(const rational *r, double x);

/* r/f - 1 at x, with r as rounded to doubles; and its largest absolute value on a grid of 4000 points of [lower, upper]
 * (rational_grid).  f is r->target. */
double rational_error_at(const rational *r, double x);
double rational_error_seen(const rational *r, double lower, double upper);

/* An estimate of the relative rounding error of r: 2 DBL_EPSILON times the sum of |terms| over f, at the end of
 * [lower, upper] where this is larger. */
double rational_rounding(const rational *r, double lower, double upper);

/* Point i of `count` points from lower to upper, evenly spaced in log(x + the smallest 4 m^2 of f). */
double rational_grid(const power_product *f, double lower, double upper, int i, int count);

#endif
