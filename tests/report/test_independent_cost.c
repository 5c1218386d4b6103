/* test_independent_cost.c - what an independent configuration costs, from chains whose autocorrelation time is known.
 *
 * x_(i+1) = a x_i + noise has tau = 1/2 (1 + a) / (1 - a) steps: a configuration costs 2 tau trajectories. */
#include "src/report/independent_cost.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <string.h>

enum { LONG = 20000, SHORT = 500, CHAINS = 400 };

static void fill(double *x, int64_t n, double a, uint64_t *seed)
{
    double last = 0;
    for (int64_t i = -100; i < n; i++) {
        double noise = -6;
        for (int k = 0; k < 12; k++)
            noise += scratch_uniform(seed);
        last = a * last + noise;
        if (i >= 0)
            x[i] = last;
    }
}

static correlated_mean mean_of(const double *x, int64_t n)
{
    return correlated_mean_of((chain){ x, 1, &n }, WINDOW_S);
}

static double exact(double a)
{
    return (1 + a) / (1 - a);
}

static void known_chains(double *x, double *seconds)
{
    static const double correlation[] = { 0, 0.5, 0.8, 0.95 };
    uint64_t seed = 2026;
    for (size_t i = 0; i < sizeof correlation / sizeof *correlation; i++) {
        const double a = correlation[i];
        fill(x, LONG, a, &seed);
        fill(seconds, LONG, 0, &seed);
        for (int k = 0; k < LONG; k++)
            seconds[k] = 3 + 0.5 * seconds[k];
        const correlated_mean of = mean_of(x, LONG), trajectory = mean_of(seconds, LONG);
        const independent_cost c = independent_cost_of(&of, &trajectory);
        fact(fabs(c.value - 3 * exact(a)) < 5 * c.error && c.error < 0.2 * c.value && !c.bound,
             "correlation %g, 3 s a trajectory: %g s, exact %g, within 5 errors of %g", a, c.value, 3 * exact(a),
             c.error);
    }
}

/* Short chains with long and uneven trajectories: the errors must be those that repetition shows. */
static void errors_of_repetition(double *x, double *seconds)
{
    const double a = 0.7;
    uint64_t seed = 7;
    double sum = 0, squares = 0, error2 = 0;
    for (int n = 0; n < CHAINS; n++) {
        fill(x, SHORT, a, &seed);
        fill(seconds, SHORT, 0, &seed);
        for (int k = 0; k < SHORT; k++)
            seconds[k] = 10 + 100 * seconds[k];                /* an error larger than that of tau */
        const correlated_mean of = mean_of(x, SHORT), trajectory = mean_of(seconds, SHORT);
        const independent_cost c = independent_cost_of(&of, &trajectory);
        sum += c.value / CHAINS;
        squares += c.value * c.value / CHAINS;
        error2 += c.error * c.error / CHAINS;
    }
    const double scatter = sqrt(squares - sum * sum);
    fact(fabs(sum - 10 * exact(a)) < 0.1 * 10 * exact(a), "many chains: %g on average, exact %g", sum, 10 * exact(a));
    fact(sqrt(error2) > 0.8 * scatter && sqrt(error2) < 1.25 * scatter,
         "their errors, %g, are the scatter of %g that repetition shows", sqrt(error2), scatter);
}

static bool writes(independent_cost c, const char *words)
{
    text out = { 0 };
    independent_cost_add(&out, &c);
    const bool same = strcmp(text_string(&out), words) == 0;
    note("%s", text_string(&out));
    text_free(&out);
    return same;
}

static void few_values(double *x)
{
    uint64_t seed = 3;
    const correlated_mean second = { .verdict = SERIES_LONG, .mean = 1, .error = 0 };
    fill(x, 40, 0.95, &seed);
    correlated_mean of = mean_of(x, 40);
    independent_cost c = independent_cost_of(&of, &second);
    fact(of.verdict == SERIES_TOO_SHORT && c.bound && c.value == 2 * of.tau,
         "a series shorter than ten tau gives a lower bound");
    of = mean_of(x, SERIES_LEAST - 1);
    c = independent_cost_of(&of, &second);
    fact(isnan(c.value) && isnan(c.error), "fewer than %d values give nothing", SERIES_LEAST);
    fact(writes(c, "-") && writes((independent_cost){ 123.4, 20, true }, "> 1.2e+02")
         && writes((independent_cost){ 4.56, 1.23, false }, "4.56 +- 1.2"), "and so they are written");
}

int main(void)
{
    static double x[LONG], seconds[LONG];
    known_chains(x, seconds);
    errors_of_repetition(x, seconds);
    few_values(x);
    return facts_end();
}
