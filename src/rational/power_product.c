/* power_product.c - products of powers of (x + 4 m^2), with exact exponents. */
#include "src/rational/power_product.h"

#include "src/config/number.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* y/z, reduced, z > 0 */
typedef struct { int64_t y, z; } fraction;

static fraction fraction_sum(fraction a, fraction b, int64_t times)
{
    fraction sum = { a.y * b.z + times * b.y * a.z, a.z * b.z };
    int64_t g = greatest_common_divisor(sum.y, sum.z);
    if (sum.z < 0)
        g = -g;
    return (fraction){ sum.y / g, sum.z / g };
}

static fraction power_of(const power_product *f, double mass, fraction from, int times)
{
    for (int j = 0; j < f->count; j++)
        if (f->factor[j].mass == mass)
            from = fraction_sum(from, (fraction){ f->factor[j].y, f->factor[j].z }, times);
    return from;
}

bool power_product_collect(power_product *collected, const power_product *f, failure *why)
{
    const int largest = 1000;         /* |y| and |z|: sums of sixteen such fractions fit into 64 bits in practice */
    const fraction none = { 0, 1 };
    *collected = (power_product){ 0 };
    if (f->count < 0 || f->count > RATIONAL_FACTORS)
        return fail(why, "%d factors, but at most %d are allowed", f->count, RATIONAL_FACTORS);
    for (int j = 0; j < f->count; j++) {
        const mass_power *p = &f->factor[j];
        if (!(p->mass >= 0) || !isfinite(p->mass))
            return fail(why, "%g is not a valid mass", p->mass);
        if (p->z == 0 || abs(p->y) > largest || abs(p->z) > largest)
            return fail(why, "%d/%d is not a valid power: numbers up to %d, denominator not 0", p->y, p->z, largest);
    }
    for (int j = 0; j < f->count; j++) {
        bool seen = false;
        for (int i = 0; i < j; i++)
            seen = seen || f->factor[i].mass == f->factor[j].mass;
        fraction power = power_of(f, f->factor[j].mass, none, 1);
        if (seen || power.y == 0)
            continue;
        if (power.z > INT32_MAX || llabs(power.y) > INT32_MAX)
            return fail(why, "the sum of the powers of mass %g has too large a denominator", f->factor[j].mass);
        collected->factor[collected->count++] = (mass_power){ f->factor[j].mass, (int)power.y, (int)power.z };
    }
    return true;
}

bool power_products_cancel(const power_product *f1, int times1, const power_product *f2, int times2)
{
    const power_product *both[2] = { f1, f2 };
    const fraction none = { 0, 1 };
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < both[i]->count; j++) {
            double mass = both[i]->factor[j].mass;
            if (power_of(f2, mass, power_of(f1, mass, none, times1), times2).y != 0)
                return false;
        }
    return true;
}

static long double exact_value(const power_product *f, double x)
{
    long double product = 1;
    for (int j = 0; j < f->count; j++) {
        const mass_power *p = &f->factor[j];
        if (p->y != 0)
            product *= powl(x + 4 * (long double)p->mass * p->mass, (long double)p->y / p->z);
    }
    return product;
}

double power_product_value(const power_product *f, double x)
{
    return (double)exact_value(f, x);
}

void power_product_describe(text *out, const power_product *f)
{
    for (int j = 0; j < f->count; j++) {
        text_add(out, "%s(x + 4*", j ? " " : "");
        number_add_real(out, f->factor[j].mass);
        text_add(out, "^2)^(%d/%d)", f->factor[j].y, f->factor[j].z);
    }
    if (f->count == 0)
        text_add(out, "1");
}

double rational_value(const rational *r, double x)
{
    double sum = r->constant;
    for (int k = 0; k < r->order; k++)
        sum += r->residue[k] / (x + r->pole[k]);
    return sum;
}

double rational_error_at(const rational *r, double x)
{
    long double sum = r->constant;
    for (int k = 0; k < r->order; k++)
        sum += r->residue[k] / ((long double)x + r->pole[k]);
    return (double)(sum / exact_value(&r->target, x) - 1);
}

/* (sum of |terms| of r) / f at x */
static double amplification(const rational *r, double x)
{
    double sizes = fabs(r->constant);
    for (int k = 0; k < r->order; k++)
        sizes += fabs(r->residue[k] / (x + r->pole[k]));
    return sizes / power_product_value(&r->target, x);
}

double rational_rounding(const rational *r, double lower, double upper)
{
    return 2 * DBL_EPSILON * fmax(amplification(r, lower), amplification(r, upper));
}

double rational_grid(const power_product *f, double lower, double upper, int i, int count)
{
    double least = INFINITY;
    for (int j = 0; j < f->count; j++)
        if (f->factor[j].y != 0)
            least = fmin(least, 4 * f->factor[j].mass * f->factor[j].mass);
    if (i <= 0 || i >= count - 1)
        return i <= 0 ? lower : upper;
    if (!isfinite(least) || !(lower + least > 0))
        return lower + (upper - lower) * i / (count - 1);
    double x = (lower + least) * pow((upper + least) / (lower + least), (double)i / (count - 1)) - least;
    return fmin(fmax(x, lower), upper);
}

double rational_error_seen(const rational *r, double lower, double upper)
{
    enum { GRID = 4000 };
    double largest = 0;
    for (int i = 0; i < GRID && !isnan(largest); i++) {
        double error = fabs(rational_error_at(r, rational_grid(&r->target, lower, upper, i, GRID)));
        if (!(error <= largest))
            largest = error;
    }
    return largest;
}
