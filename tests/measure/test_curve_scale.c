/* test_curve_scale.c - numbers read off curves: known crossings, the linearized number, how far to follow a curve. */
#include "src/measure/curve_scale.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdint.h>

enum { ROWS = 41 };
static const curve_scale value = { "t0", CURVE_VALUE, 0.3, 1, "a^2" }, slope = { "w0", CURVE_LOG_SLOPE, 0.3, 0.5, "a" };

static void crossings(void)
{
    double t[ROWS], y[ROWS], falling[ROWS];
    for (int i = 0; i < ROWS; i++) {
        t[i] = 0.1 * i;
        y[i] = t[i] * t[i] / (1 + t[i]);
        falling[i] = 1 - y[i];
    }
    /* t^2 / (1 + t) = 0.3, and t (t^2 + 2 t) / (1 + t)^2 = 0.3 */
    const double t0 = 0.15 + sqrt(0.15 * 0.15 + 0.3), w0_squared = 0.5258608622863421;
    const curve_points c = { ROWS, t, y };
    fact_close(curve_find_crossing(&value, c).value, t0, 1e-5, "where a curve crosses 0.3");
    const curve_crossing w = curve_find_crossing(&slope, c);
    fact_close(w.x, w0_squared, 1e-4, "where t times its slope does");
    fact_close(w.value, sqrt(w.x), 1e-15, "w0 is the square root of that");
    const curve_scale high = { "high", CURVE_VALUE, 10, 1, "a^2" };
    const curve_crossing none = curve_find_crossing(&high, c);
    fact(none.verdict == CURVE_STAYS_BELOW && isnan(none.value), "a level that is not reached");
    fact_close(none.most, 3.2, 1e-14, "the largest value");
    fact(none.most_x == t[ROWS - 1], "and where it is");
    fact(curve_find_crossing(&value, (curve_points){ ROWS, t, falling }).verdict == CURVE_COMES_FROM_ABOVE,
         "a curve that comes from above");
    fact(curve_find_crossing(&value, (curve_points){ 2, t, y }).verdict == CURVE_TOO_FEW_POINTS,
         "two rows are no curve");
    fact(curve_find_crossing(&value, (curve_points){ 0, t, y }).verdict == CURVE_TOO_FEW_POINTS, "nor is none");
}

/* y = s t: t0 = 0.3 / s and w0 = sqrt(0.3 / s), whose derivatives are -0.3 / s^2 and -(1/2) sqrt(0.3) s^(-3/2). */
static void straight_lines(void)
{
    const double mean = 0.12, other = 0.17;
    double t[ROWS], y[ROWS], z[ROWS];
    for (int i = 0; i < ROWS; i++) {
        t[i] = 0.1 * i;
        y[i] = mean * t[i];
        z[i] = other * t[i];
    }
    const curve_points of_mean = { ROWS, t, y }, of_one = { ROWS, t, z };
    const curve_crossing t0 = curve_find_crossing(&value, of_mean), w0 = curve_find_crossing(&slope, of_mean);
    fact_close(t0.value, 0.3 / mean, 1e-13, "a straight line: t0 = 0.3 / slope");
    fact_close(w0.value, sqrt(0.3 / mean), 1e-13, "w0 is its square root");
    fact_close(curve_linearized(&value, &t0, of_mean), t0.value, 1e-13, "the linearized number of the mean is its own");
    fact_close(curve_linearized(&value, &t0, of_one), 0.3 / mean - 0.3 / (mean * mean) * (other - mean), 1e-12,
               "another curve the tangent: t0");
    fact_close(curve_linearized(&slope, &w0, of_one),
               sqrt(0.3 / mean) - 0.5 * sqrt(0.3) * pow(mean, -1.5) * (other - mean), 1e-12, "and w0");
    for (int i = 0; i < ROWS; i++)
        z[i] = 0.01 * t[i];
    fact_close(curve_linearized(&value, &t0, of_one), 0.3 / mean + 0.3 / (mean * mean) * (mean - 0.01), 1e-12,
               "a curve that stays far below the level has a number too");
}

/* The number of all but one configuration is what the jackknife takes: its pseudovalues are the linearized numbers, but
 * for what is of second order. */
static void jackknife(const curve_scale *s)
{
    enum { N = 300 };
    static double y[N][ROWS];
    double t[ROWS], mean[ROWS] = { 0 }, without[ROWS];
    uint64_t seed = 5;
    for (int n = 0; n < N; n++) {
        const double a = 0.15 + 0.1 * (scratch_uniform(&seed) - 0.5), b = 0.02 * (scratch_uniform(&seed) - 0.5);
        for (int i = 0; i < ROWS; i++) {
            t[i] = 0.1 * i;
            y[n][i] = a * t[i] * t[i] / (0.5 + t[i]) + b * t[i] * t[i];
            mean[i] += y[n][i] / N;
        }
    }
    const curve_crossing c = curve_find_crossing(s, (curve_points){ ROWS, t, mean });
    double sum = 0, squares = 0, off = 0;
    for (int n = 0; n < N; n++) {
        const double linear = curve_linearized(s, &c, (curve_points){ ROWS, t, y[n] });
        for (int i = 0; i < ROWS; i++)
            without[i] = (N * mean[i] - y[n][i]) / (N - 1);
        const double left = curve_find_crossing(s, (curve_points){ ROWS, t, without }).value;
        sum += linear / N;
        squares += (linear - c.value) * (linear - c.value) / N;
        off = worse(off, fabs(N * c.value - (N - 1) * left - linear));
    }
    fact_close(sum, c.value, 1e-12, "%s: linearized numbers average to that of the mean", s->key);
    note("%s: %.6f, deviation %.4f, pseudovalues of the jackknife differ by at most %.2g", s->key, c.value,
         sqrt(squares), off);
    fact(off < 0.03 * sqrt(squares), "%s: they are the jackknife's pseudovalues", s->key);
}

/* The x to ask for where y = 0.3 is not reached at x_end. */
static double needed(const curve_scale *s, double (*y)(double), double end)
{
    double t[ROWS], of[ROWS];
    for (int i = 0; i < ROWS; i++) {
        t[i] = end * i / (ROWS - 1);
        of[i] = y(t[i]);
    }
    const curve_crossing c = curve_find_crossing(s, (curve_points){ ROWS, t, of });
    fact(c.verdict == CURVE_STAYS_BELOW, "the level is not reached");
    return c.needed_x;
}

static double tenth(double t) { return 0.1 * t; }
static double steeper(double t) { return 0.07 * t; }
static double bending(double t) { return 0.25 * sqrt(t); }
static double falling(double t) { return 0.2 * t * (2 - t); }

static void to_ask_for(void)
{
    fact_close(needed(&value, tenth, 2), 3.6, 1e-12, "0.1 t: 0.3 at t = 3, and a fifth more");
    fact_close(needed(&slope, tenth, 2), 3.6, 1e-12, "t times its slope is the same");
    fact_close(needed(&value, steeper, 4), 5.2, 1e-12, "0.07 t: 1.2 times 4.286, rounded upwards to 5.2");
    const double t = needed(&value, bending, 1);
    fact(t > 1.44 && t < 2, "0.25 sqrt(t), followed to 1: enough for its 0.3 at 1.44 (%g)", t);
    fact(isnan(needed(&value, falling, 1.5)), "a curve that falls at its end says nothing");
}

int main(void)
{
    crossings();
    straight_lines();
    jackknife(&value);
    jackknife(&slope);
    to_ask_for();
    return facts_end();
}
