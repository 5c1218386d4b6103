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
    double error;                            /* the largest relative error there, without the rounding of doubles */
    int order;                               /* number of poles; 0: f is 1, or another constant */
    double constant, residue[RATIONAL_POLES], pole[RATIONAL_POLES];
} rational;

double power_product_value(const power_product *f, double x);
void power_product_describe(text *out, const power_product *f);        /* "(x + 4*0.01^2)^(-2/4) ..." */

/* Whether f1^times1 f2^times2 is 1 for all x: exactly, mass by mass. */
bool power_products_cancel(const power_product *f1, int times1, const power_product *f2, int times2);

/* The same function with every mass once, reduced fractions, and no power 0; false with the reason if a mass or a power
 * is not valid. */
bool power_product_collect(power_product *collected, const power_product *f, failure *why);

double rational_value(const rational *r, double x);

/* r/f - 1 with the doubles of r, and its largest size on a fine grid of [lower, upper]. */
double rational_error_at(const rational *r, double x);
double rational_error_seen(const rational *r, double lower, double upper);

/* The relative difference of r and f that rounding alone may cause: the sizes of the terms over their sum. */
double rational_rounding(const rational *r, double lower, double upper);

/* Point i of `count` from lower to upper, spread evenly over log(x + the smallest 4 m^2 of f). */
double rational_grid(const power_product *f, double lower, double upper, int i, int count);

#endif
