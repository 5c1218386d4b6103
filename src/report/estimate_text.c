/* estimate_text.c - a mean and its error in words: both end with the second digit of the error.
 *
 *     0.0123 +- 0.0045           0.0123(45)
 *     (1.2345 +- 0.0067)e-05     1.2345(67)e-05      where zeros would fill the line: small and large numbers
 *     0.5918712345 +- 1.2e-09    0.5918712345(12)    a small error of a number that is not small */
#include "src/report/run_view.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DECIMALS = 18, MANY_DECIMALS = 8 };         /* beyond double precision; in a column of the table */
#define ROUNDING 1e-14                                  /* errors below it, over |mean|, are rounding errors */
#define LARGE 1e6                                       /* numbers from here on have an exponent, */
#define SMALL 1e-3                                      /* and those below, if they have many decimals */

/* The exponent of a number that is rounded to this many decimals of its mantissa: -2 of 0.00999, rounded to 1.0e-02. */
static int exponent_of(double x, int decimals)
{
    char words[64];
    snprintf(words, sizeof words, "%.*e", decimals, x);
    return atoi(strchr(words, 'e') + 1);
}

static int within(int decimals)
{
    return decimals < 0 ? 0 : decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
}

/* Both numbers are divided by 10^exponent, unless it is 0, and printed with this many decimals. */
typedef struct { double mean, error; int exponent, decimals, of_error; } digits;

static digits digits_of(const correlated_mean *m)
{
    const int of_error = exponent_of(m->error, 1);
    const double largest = fmax(fabs(m->mean), m->error);
    digits d = { m->mean, m->error, 0, within(1 - of_error), of_error };
    if (largest < LARGE && (d.decimals <= MANY_DECIMALS || largest >= SMALL))
        return d;
    d.exponent = exponent_of(largest, within(exponent_of(largest, MOST_DECIMALS) - of_error + 1));
    d.decimals = within(d.exponent - of_error + 1);
    d.mean = m->mean * pow(10, -d.exponent);
    d.error = m->error * pow(10, -d.exponent);
    return d;
}

/* Append a mean without an error that could decide its digits.  False if it has such an error; nothing is appended. */
static bool add_without_digits(text *out, const correlated_mean *m)
{
    if (!isfinite(m->mean))
        text_add(out, "none");
    else if (m->count == 1 || m->verdict == SERIES_CONSTANT)
        text_add(out, m->count == 1 ? "%.6g (one value)" : "%.6g (constant)", m->mean);
    else if (!(m->error >= fmax(DBL_MIN, ROUNDING * fabs(m->mean)) && isfinite(m->error)))
        text_add(out, "%.6g +- %.2g", m->mean, m->error);
    else
        return false;
    return true;
}

void run_view_add_estimate(text *out, const correlated_mean *m)
{
    if (add_without_digits(out, m))
        return;
    const digits d = digits_of(m);
    if (d.exponent != 0)
        text_add(out, "(%.*f +- %.*f)e%+03d", d.decimals, d.mean, d.decimals, d.error, d.exponent);
    else if (d.decimals > MANY_DECIMALS)
        text_add(out, "%.*f +- %.1e", d.decimals, d.mean, d.error);
    else
        text_add(out, "%.*f +- %.*f", d.decimals, d.mean, d.decimals, d.error);
}

void run_view_add_concise(text *out, const correlated_mean *m)
{
    if (add_without_digits(out, m))
        return;
    const digits d = digits_of(m);
    if (d.of_error < d.exponent)
        text_add(out, "%.*f(%.0f)", d.decimals, d.mean, d.error * pow(10, d.decimals));
    else
        text_add(out, "%.*f(%.*f)", d.decimals, d.mean, d.decimals, d.error);
    if (d.exponent != 0)
        text_add(out, "e%+03d", d.exponent);
}
