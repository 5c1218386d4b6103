/* curve_scale.c - find where a spline, or x times its slope, reaches a level; linearize this about a mean curve. */
#include "src/measure/curve_scale.h"

#include <gsl/gsl_spline.h>
#include <math.h>
#include <stdbool.h>

static gsl_spline *spline_of(curve_points c)
{
    gsl_spline *s = gsl_spline_alloc(gsl_interp_cspline, (size_t)c.count);
    gsl_spline_init(s, c.x, c.y, (size_t)c.count);
    return s;
}

static double value_at(const curve_scale *s, const gsl_spline *y, double x)
{
    return s->of == CURVE_VALUE ? gsl_spline_eval(y, x, NULL) : x * gsl_spline_eval_deriv(y, x, NULL);
}

static double slope_at(const curve_scale *s, const gsl_spline *y, double x)
{
    const double slope = gsl_spline_eval_deriv(y, x, NULL);
    return s->of == CURVE_VALUE ? slope : slope + x * gsl_spline_eval_deriv2(y, x, NULL);
}

/* The crossing between two points, by bisection; NaN if there is none. */
static double first_crossing(const curve_scale *s, const gsl_spline *y, curve_points c)
{
    enum { BISECTIONS = 60 };
    for (int i = 1; i < c.count; i++) {
        double below = c.x[i - 1], above = c.x[i];
        if (!(value_at(s, y, below) < s->level && value_at(s, y, above) >= s->level))
            continue;
        for (int n = 0; n < BISECTIONS; n++) {
            const double middle = 0.5 * (below + above);
            *(value_at(s, y, middle) < s->level ? &below : &above) = middle;
        }
        return above;
    }
    return NAN;
}

static double round_up_to_two_digits(double x)
{
    const double unit = pow(10, floor(log10(x)) - 1);
    return ceil(x / unit - 1e-9) * unit;                    /* 1e-9: do not round up values that are rounded already */
}

/* The straight line through the points of the last quarter (least squares), continued to the level. */
static double needed_x(const curve_scale *s, const gsl_spline *y, curve_points c)
{
    const double end = c.x[c.count - 1];
    int first = c.count - CURVE_LEAST;
    while (first > 0 && c.x[first - 1] >= 0.75 * end)
        first--;
    const double n = c.count - first;
    double mean_x = 0, mean = 0, xx = 0, xf = 0;
    for (int i = first; i < c.count; i++) {
        mean_x += c.x[i] / n;
        mean += value_at(s, y, c.x[i]) / n;
    }
    for (int i = first; i < c.count; i++) {
        xx += (c.x[i] - mean_x) * (c.x[i] - mean_x);
        xf += (c.x[i] - mean_x) * (value_at(s, y, c.x[i]) - mean);
    }
    if (!(xx > 0 && xf > 0))
        return NAN;
    return round_up_to_two_digits(CURVE_MARGIN * fmax(end, mean_x + (s->level - mean) * xx / xf));
}

curve_crossing curve_find_crossing(const curve_scale *s, curve_points c)
{
    curve_crossing found = { CURVE_TOO_FEW_POINTS, NAN, NAN, NAN, NAN, NAN, NAN };
    if (c.count < CURVE_LEAST)
        return found;
    gsl_spline *y = spline_of(c);
    found.x = first_crossing(s, y, c);
    for (int i = 0; i < c.count; i++) {
        const double here = value_at(s, y, c.x[i]);
        if (i == 0 || here > found.most) {
            found.most = here;
            found.most_x = c.x[i];
        }
    }
    if (isfinite(found.x)) {
        found.verdict = CURVE_CROSSES;
        found.value = pow(found.x, s->power);
        found.slope = slope_at(s, y, found.x);
    } else if (value_at(s, y, c.x[0]) >= s->level) {
        found.verdict = CURVE_COMES_FROM_ABOVE;
    } else {
        found.verdict = CURVE_STAYS_BELOW;
        found.needed_x = needed_x(s, y, c);
    }
    gsl_spline_free(y);
    return found;
}

double curve_linearized(const curve_scale *s, const curve_crossing *mean, curve_points c)
{
    gsl_spline *y = spline_of(c);
    const double off = (value_at(s, y, mean->x) - s->level) / mean->slope;
    gsl_spline_free(y);
    return mean->value - s->power * pow(mean->x, s->power - 1) * off;
}
