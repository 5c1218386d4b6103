/* test_autocorrelation.c - means, errors and autocorrelation times of chains whose exact ones are known.
 *
 * x_(i+1) = a x_i + noise has rho(t) = a^t, so that tau = 1/2 (1 + a) / (1 - a).  The golden numbers are those of a
 * program in Python with NumPy, written from hep-lat/0306017 alone, for the same noise. */
#include "src/measure/autocorrelation.h"
#include "tests/facts.h"

#include <math.h>
#include <stdlib.h>

/* Nearly normal: the sum of twelve uniform numbers, which NumPy repeats to the last bit. */
static double noise(uint64_t *state)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*state >> 11) * 0x1p-53;
    }
    return sum - 6;
}

static void fill(double *x, int64_t n, double a, uint64_t seed)
{
    double last = 0;
    for (int64_t i = 0; i < n; i++)
        x[i] = last = a * last + noise(&seed);
}

static chain single(const double *x, const int64_t *n) { return (chain){ x, 1, n }; }

static void golden(double *x)
{
    int64_t n = 2000, several[] = { 1000, 700, 1300 };
    fill(x, n, 0.9, 1);
    correlated_mean m = correlated_mean_of(single(x, &n), WINDOW_S);
    fact(m.window == 37 && m.count == n, "one chain: Wolff's window");
    fact_close(m.mean, -0.059603289309308166, 1e-12, "the mean");
    fact_close(m.error, 0.20237870807711264, 1e-12, "its error");
    fact_close(m.error_error, 0.027711845893146885, 1e-12, "the error of that");
    fact_close(m.tau, 8.083683188463624, 1e-12, "the autocorrelation time");
    fact_close(m.tau_error, 1.9607328699731579, 1e-12, "its error");
    fact(isnan(m.replica_q), "a single replica agrees with nothing");

    fill(x, 1000, 0.7, 11);
    fill(x + 1000, 700, 0.7, 12);
    fill(x + 1700, 1300, 0.7, 13);
    m = correlated_mean_of((chain){ x, 3, several }, WINDOW_S);
    fact(m.window == 14, "three replicas: the window");
    fact_close(m.mean, -0.07941004513006543, 1e-12, "the mean of replicas");
    fact_close(m.error, 0.05263207093110722, 1e-12, "its error");
    fact_close(m.tau, 2.175481172387901, 1e-12, "their autocorrelation time");
    fact_close(m.replica_q, 0.9712441945894967, 1e-10, "how well they agree");
    for (int i = 0; i < 700; i++)
        x[1000 + i] += 0.5;
    m = correlated_mean_of((chain){ x, 3, several }, WINDOW_S);
    fact(m.replica_q < 0.02, "a replica that is off is seen");

    n = 2000;
    fill(x, n, 0, 5);
    m = correlated_mean_of(single(x, &n), WINDOW_S);
    fact(m.window == 2 && m.verdict == SERIES_LONG, "independent values: a short window");
    fact_close(m.tau, 0.5188886637237746, 1e-12, "tau of independent values");
}

static void known_times(double *x)
{
    static const double memory[] = { 0, 0.5, 0.9, 0.95 };
    int64_t n = 200000;
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        double a = memory[i], exact = 0.5 * (1 + a) / (1 - a), rho[4], error[4];
        fill(x, n, a, 100 + i);
        correlated_mean m = correlated_mean_of(single(x, &n), WINDOW_S);
        fact(fabs(m.tau - exact) < 4 * m.tau_error && m.tau_error < 0.06 * exact, "tau = 1/2 (1 + a) / (1 - a), a = %g",
             a);
        fact(fabs(m.error / (sqrt(1 / (double)n) / (1 - a)) - 1) < 0.05, "the error of the mean, a = %g", a);
        fact(fabs(m.mean) < 4 * m.error, "the mean is 0 within its error, a = %g", a);
        int64_t known = autocorrelation_function(rho, error, 4, single(x, &n));
        for (int t = 1; t < 4; t++)
            fact(known == 4 && fabs(rho[t] - pow(a, t)) < 4 * error[t] && error[t] < 0.02, "rho(%d) = a^%d, a = %g", t,
                 t, a);
    }
}

/* M. S. Bartlett, J. R. Stat. Soc. Suppl. 8 (1946) 27: the variance of rho(t) estimated from N values of a chain with
 * rho(t) = a^t is [(1 + a^2) (1 - a^(2t)) / (1 - a^2) - 2 t a^(2t)] / N; for t = 1 it is (1 - a^2) / N. */
static double bartlett(double a, int t, int64_t n)
{
    const double power = pow(a, 2 * t);
    return sqrt(((1 + a * a) * (1 - power) / (1 - a * a) - 2 * t * power) / (double)n);
}

static void errors_of_rho(double *x)
{
    enum { LAGS = 100 };
    static const double memory[] = { 0.3, 0.6, 0.8 };
    double rho[LAGS], error[LAGS];
    int64_t n = 200000;
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        fill(x, n, memory[i], 200 + i);
        autocorrelation_function(rho, error, LAGS, single(x, &n));
        for (int t = 1; t <= 8; t += t < 2 ? 1 : 3)
            fact_close(error[t] / bartlett(memory[i], t, n), 1, 0.02, "the error of rho(%d) is Bartlett's, a = %g", t,
                       memory[i]);
    }
}

/* The means of many chains scatter as their errors say; with every value, or with those that a gap has left. */
static void errors_cover(double *x, double kept, const char *what)
{
    enum { CHAINS = 400 };
    int64_t n = 600;
    double squares = 0, tau = 0;
    uint64_t holes = 7;
    for (int i = 0; i < CHAINS; i++) {
        fill(x, n, 0.8, 1000 + 17 * (uint64_t)i);
        for (int64_t k = 0; k < n; k++)
            if (kept < 1 && noise(&holes) > kept)
                x[k] = NAN;
        correlated_mean m = correlated_mean_of(single(x, &n), WINDOW_S);
        squares += m.mean * m.mean / (m.error * m.error) / CHAINS;
        tau += m.tau / CHAINS;
    }
    fact(squares > 0.75 && squares < 1.35, "means scatter as their errors say, %s (%.3f)", what, squares);
    fact(fabs(tau - 4.5) < 0.4, "tau is that of the chain, %s (%.3f of 4.5)", what, tau);
}

static void hard_cases(double *x)
{
    int64_t n = 0, gaps = 40;
    fact(correlated_mean_of(single(x, &n), WINDOW_S).verdict == SERIES_EMPTY, "no value: no mean");
    n = 1;
    x[0] = 3;
    correlated_mean m = correlated_mean_of(single(x, &n), WINDOW_S);
    fact(m.mean == 3 && isnan(m.error) && m.verdict == SERIES_TOO_SHORT, "one value has no error");
    n = 100;
    for (int i = 0; i < n; i++)
        x[i] = 0.1;
    m = correlated_mean_of(single(x, &n), WINDOW_S);
    fact(m.verdict == SERIES_CONSTANT && m.mean == 0.1 && m.error == 0 && isnan(m.tau), "a constant series has no tau");
    fact(autocorrelation_function(x, NULL, 4, (chain){ x, 1, &n }) == 0, "nor a function of it");
    n = 4;
    for (int i = 0; i < n; i++)
        x[i] = i;
    m = correlated_mean_of(single(x, &n), WINDOW_S);
    fact(m.verdict == SERIES_TOO_SHORT && isnan(m.tau), "four values are too few for a tau");
    fact_close(m.error, sqrt(5. / 3 / 4), 1e-15, "their error is that of independent values");
    fill(x, 10, 0.5, 7);
    n = 9;
    m = correlated_mean_of(single(x, &n), WINDOW_S);
    fact(m.verdict == SERIES_TOO_SHORT && isnan(m.tau)
             && autocorrelation_function(x, NULL, 4, (chain){ x, 1, &n }) == 0, "so are nine");
    n = 10;
    m = correlated_mean_of(single(x, &n), WINDOW_S);
    fact(m.tau >= 0.5 && autocorrelation_function(x, NULL, 4, (chain){ x, 1, &n }) == 4, "ten are not");
    n = 100;
    for (int i = 0; i < n; i++)
        x[i] = i % 2;
    m = correlated_mean_of(single(x, &n), WINDOW_S);
    fact(m.error > 0.03 && m.tau == 0.5, "values that alternate have the error of independent ones");
    int smaller = 0;
    n = 20;
    for (int i = 0; i < 200; i++) {
        fill(x, n, 0, 500 + (uint64_t)i);
        m = correlated_mean_of(single(x, &n), WINDOW_S);
        smaller += m.error < 0.999 * m.deviation / sqrt((double)n) || m.tau < 0.5;
    }
    fact(smaller == 0, "twenty independent values never have a smaller error than that");
    n = 4000;
    fill(x, n, -0.3, 11);
    m = correlated_mean_of(single(x, &n), WINDOW_S);
    fact(m.tau < 0.35 && m.error < 0.9 * m.deviation / sqrt((double)n), "many anticorrelated values: tau < 1/2");
    n = 100;
    for (int i = 0; i < n; i++)
        x[i] = i;
    fact(correlated_mean_of(single(x, &n), WINDOW_S).verdict == SERIES_TOO_SHORT, "a drift is too short for a tau");
    fill(x, 40, 0.9, 3);
    n = 40;
    fact(correlated_mean_of(single(x, &n), WINDOW_S).verdict < SERIES_LONG, "forty values at tau = 9.5 are few");
    for (int i = 0; i < gaps; i++)
        x[i] = i % 2 ? NAN : x[i];
    m = correlated_mean_of(single(x, &gaps), WINDOW_S);
    fact(m.count == 20 && isfinite(m.error), "every second value missing: the others count");
}

static void equilibrium(double *x)
{
    enum { LENGTH = 1000 };
    uint64_t seed = 42;
    for (int i = 0; i < LENGTH; i++)
        x[i] = 5 + 0.1 * noise(&seed) + 3 * exp(-i / 10.);
    int64_t begin = equilibrium_begin(x, LENGTH);
    fact(begin > 20 && begin < 80, "a start that dies out as exp(-i / 10) is left out, little else (%d)", (int)begin);
    for (int i = 0; i < LENGTH; i++)
        x[i] = i;
    fact(equilibrium_begin(x, LENGTH) >= LENGTH / 2 - 1, "what drifts all the time loses half");
    for (int i = 0; i < LENGTH; i++)
        x[i] = i < 100 ? NAN : 0.1;
    fact(equilibrium_begin(x, LENGTH) <= 100, "what never moves begins at once");
}

int main(void)
{
    double *x = malloc(200000 * sizeof *x);
    golden(x);
    known_times(x);
    errors_of_rho(x);
    errors_cover(x, 1, "all values there");
    errors_cover(x, 0.5, "three tenths missing");
    hard_cases(x);
    equilibrium(x);
    free(x);
    return facts_end();
}
