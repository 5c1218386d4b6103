/* test_comparison_choice.c - which of several streams is chosen, from costs and errors that are known; few values are
 * no reason for a choice. */
#include "src/compare/comparison_choice.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <string.h>

/* An observable with this cost; 10 s a trajectory. */
static compared_observable observable(double cost, double error, series_verdict verdict)
{
    return (compared_observable){ .title = "flow.charge",
                                  .of = { .verdict = verdict, .count = 1000, .mean = 1, .tau = cost / 20,
                                          .tau_error = error / 20 },
                                  .cost = { cost, error, verdict == SERIES_TOO_SHORT } };
}

static compared_stream stream(double cost, double error, series_verdict verdict)
{
    return (compared_stream){ .length = 1, .trajectories = 1000, .observables = 1,
                              .observable = { observable(cost, error, verdict) } };
}

static compared_choice of_two(compared_stream given, compared_stream other)
{
    return comparison_choose((compared_stream[]){ given, other }, 2);
}

static void known_costs(void)
{
    compared_choice c = of_two(stream(100, 5, SERIES_LONG), stream(70, 5, SERIES_LONG));
    fact(c.chosen == 1 && c.verdict[1] == STREAM_COSTS_LESS, "70 +- 5 is less than 100 +- 5: 4.2 combined errors");
    fact_close(c.ratio[1], 0.7, 1e-12, "their ratio");
    fact_close(c.ratio_error[1], 0.7 * hypot(5. / 70, 0.05), 1e-12, "and its error");
    c = of_two(stream(100, 10, SERIES_LONG), stream(70, 12, SERIES_LONG));
    fact(c.chosen == 0 && c.verdict[1] == STREAM_OVERLAPS && strstr(c.why, "no other stream costs less"),
         "70 +- 12 is not less than 100 +- 10: 1.9 combined errors");
    c = of_two(stream(100, 10, SERIES_LONG), stream(70, 11, SERIES_LONG));
    fact(c.chosen == 1, "70 +- 11 is: 2.02 combined errors");
    c = of_two(stream(100, 0.1, SERIES_LONG), stream(96, 0.1, SERIES_LONG));
    fact(c.chosen == 0 && c.verdict[1] == STREAM_OVERLAPS, "a gain of 4 %% is none, however small the errors");
    c = of_two(stream(100, 5, SERIES_LONG), stream(150, 5, SERIES_LONG));
    fact(c.chosen == 0 && c.verdict[1] == STREAM_COSTS_MORE, "150 +- 5 is more");
    const compared_stream many[] = { stream(100, 1, SERIES_LONG), stream(80, 1, SERIES_LONG),
                                     stream(60, 1, SERIES_LONG), stream(70, 1, SERIES_LONG) };
    c = comparison_choose(many, 4);
    fact(c.chosen == 2, "the least of several is chosen");
}

static void few_values(void)
{
    static const series_verdict verdicts[] = { SERIES_EMPTY, SERIES_CONSTANT, SERIES_TOO_SHORT, SERIES_SHORT };
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        const char *name = series_verdict_names[verdicts[i]];
        compared_choice c = of_two(stream(100, 1, SERIES_LONG), stream(10, 1, verdicts[i]));
        fact(c.chosen == 0 && c.verdict[1] == STREAM_UNKNOWN && isnan(c.ratio[1]) && strstr(c.why, "stream 1"),
             "a tenth of the cost from a series that is \"%s\" is not chosen (%s)", name, c.why);
        c = of_two(stream(100, 1, verdicts[i]), stream(10, 1, SERIES_LONG));
        fact(c.chosen == 0 && c.verdict[1] == STREAM_UNKNOWN && strstr(c.why, "stream 0"),
             "nor where that of the input is so");
    }
    compared_stream two = stream(10, 1, SERIES_LONG);
    two.observable[two.observables++] = observable(5, 1, SERIES_SHORT);
    compared_choice c = of_two(stream(100, 1, SERIES_LONG), two);
    fact(c.chosen == 0, "nor where one observable of several has few values");
    c = of_two(stream(100, 1, SERIES_LONG), (compared_stream){ .length = 1 });
    fact(c.chosen == 0 && strstr(c.why, "no observable"), "nor where nothing was measured");
}

static void most_expensive_decides(void)
{
    compared_stream given = stream(100, 1, SERIES_LONG), other = stream(20, 1, SERIES_LONG);
    given.observable[given.observables++] = observable(50, 1, SERIES_LONG);
    other.observable[other.observables++] = observable(130, 1, SERIES_LONG);
    fact(compared_slowest(&given) == 0 && compared_slowest(&other) == 1, "the most expensive observable of each");
    const compared_choice c = of_two(given, other);
    fact(c.chosen == 0 && fabs(c.ratio[1] - 1.3) < 1e-12, "decides: one that is fast in another observable is not "
         "chosen");
}

/* An observable of n trajectories with rho(t) = a^t, from a chain; a trajectory takes `seconds`. */
static compared_stream chain_stream(double a, int64_t n, double seconds, uint64_t *seed)
{
    static double x[40000];
    double last = 0;
    for (int64_t i = -200; i < n; i++) {
        double noise = -6;
        for (int k = 0; k < 12; k++)
            noise += scratch_uniform(seed);
        last = a * last + noise;
        if (i >= 0)
            x[i] = last;
    }
    compared_stream s = { .length = 1, .trajectories = n, .observables = 1,
                          .price = { .verdict = SERIES_LONG, .mean = seconds, .error = 0.001 * seconds } };
    s.observable[0].of = correlated_mean_of((chain){ x, 1, &n }, WINDOW_S);
    s.observable[0].cost = independent_cost_of(&s.observable[0].of, &s.price);
    return s;
}

/* tau of 9.5 trajectories of 1 s, or 1.5 of 2 s: 19 s against 6 s.  Short streams say nothing of it. */
static void chains(void)
{
    enum { TIMES = 50 };
    uint64_t seed = 35;
    int chosen[2] = { 0, 0 }, wrong = 0;
    double off = 0;
    for (int i = 0; i < TIMES; i++) {
        static const int64_t length[] = { 40, 4000 };
        for (int k = 0; k < 2; k++)
            chosen[k] += of_two(chain_stream(0.9, length[k], 1, &seed),
                                chain_stream(0.5, length[k], 2, &seed)).chosen == 1;
        const compared_choice c = of_two(chain_stream(0.5, length[1], 2, &seed),
                                         chain_stream(0.9, length[1], 1, &seed));
        wrong += c.chosen == 1;
        off = worse(off, fabs(c.ratio[1] - 19. / 6) / c.ratio_error[1]);
    }
    fact(chosen[1] == TIMES, "streams of 4000 trajectories: the chain that costs a third is chosen every time");
    fact(chosen[0] == 0, "streams of 40 trajectories: never (%d of %d)", chosen[0], TIMES);
    fact(wrong == 0 && off < 5, "the expensive one is never chosen; ratios within %.1f errors of the exact one", off);
    int same = 0;
    for (int i = 0; i < TIMES; i++)
        same += of_two(chain_stream(0.8, 20000, 1, &seed), chain_stream(0.8, 20000, 1, &seed)).chosen;
    fact(same <= 5, "of two streams that cost the same the second is chosen %d times of %d: 2 combined errors below "
         "are expected in 2.3 %%", same, TIMES);
}

static void units(void)
{
    const compared_stream s = { .length = 2, .acceptance = { .mean = 0.8, .error = 0.08 },
                                .price = { .mean = 10, .error = 0.5 } };
    const independent_cost unit = compared_unit(&s);
    fact_close(unit.value, 6.25, 1e-12, "10 s a trajectory of length 2, 80 %% accepted: 6.25 s per accepted unit");
    fact_close(unit.error, 6.25 * hypot(0.1, 0.05), 1e-12, "with both errors");
    const compared_stream other = { .length = 2, .acceptance = { .mean = 0.5, .error = 0.03 },
                                    .price = { .mean = 5, .error = 0.1 } };
    const independent_cost ratio = compared_unit_ratio(&other, &s);
    fact_close(ratio.value, 0.8, 1e-12, "half of the seconds at 50 %% of acceptance: 0.8 of it");
    fact_close(ratio.error, 0.8 * sqrt(0.02 * 0.02 + 0.06 * 0.06 + 0.1 * 0.1 + 0.05 * 0.05), 1e-12,
               "with all four errors");
}

int main(void)
{
    known_costs();
    few_values();
    most_expensive_decides();
    chains();
    units();
    return facts_end();
}
