/* history_series.c - values of the lines of a record as series with equal steps. */
#include "src/report/run_history.h"

#include "src/base/memory.h"

#include <math.h>

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Largest number of steps: a trajectory number farther from the first one comes from a damaged line. */
enum { SERIES_LONGEST = 1 << 24 };

/* Collect the existing values and their trajectory numbers, in ascending order.  Returns their count. */
static int64_t collect_values(history_series *s, const run_history *h, int64_t from, history_value *value,
                              const void *context)
{
    int64_t n = 0;
    for (int64_t i = from; i < h->count; i++) {
        const int64_t number = h->line[i].trajectory;
        const double now = value(h, i, context);
        if (isnan(now) || (n > 0 && (number <= s->trajectory[n - 1] || number - s->trajectory[0] >= SERIES_LONGEST)))
            continue;
        s->trajectory[n] = number;
        s->value[n++] = now;
    }
    return n;
}

/* The step of a series with gaps: the greatest common divisor of all distances, if at least half of the neighbors are
 * one such step apart.  0 otherwise, for example after a change of `every`, because few pairs would then give the
 * autocovariance at one step. */
static int64_t regular_step(const history_series *s)
{
    int64_t step = 0, single = 0;
    for (int64_t i = 1; i < s->length; i++)
        step = common_divisor(s->trajectory[i] - s->trajectory[i - 1], step);
    for (int64_t i = 1; i < s->length; i++)
        single += s->trajectory[i] - s->trajectory[i - 1] == step;
    return s->length < 2 ? 1 : 2 * single >= s->length - 1 ? step : 0;
}

static void spread_values(history_series *s, int64_t step)
{
    const history_series packed = *s;
    s->length = (packed.trajectory[packed.length - 1] - packed.trajectory[0]) / step + 1;
    s->value = memory_alloc((size_t)s->length * sizeof *s->value, "a series of a run");
    s->trajectory = memory_alloc((size_t)s->length * sizeof *s->trajectory, "a series of a run");
    for (int64_t i = 0; i < s->length; i++) {
        s->value[i] = NAN;
        s->trajectory[i] = packed.trajectory[0] + i * step;
    }
    for (int64_t i = 0; i < packed.length; i++)
        s->value[(packed.trajectory[i] - packed.trajectory[0]) / step] = packed.value[i];
    memory_free(packed.value);
    memory_free(packed.trajectory);
}

history_series history_series_make(const run_history *h, int64_t from, history_value *value, const void *context)
{
    const size_t most = (size_t)(h->count > from ? h->count - from : 0) + 1;
    history_series s = { .every = 0 };
    s.value = memory_alloc(most * sizeof *s.value, "a series of a run");
    s.trajectory = memory_alloc(most * sizeof *s.trajectory, "a series of a run");
    s.length = collect_values(&s, h, from, value, context);
    if (s.length == 0)
        return s;
    const int64_t step = regular_step(&s);
    if (step > 0)
        spread_values(&s, step);
    s.every = step > 0 ? (double)step
                       : (double)(s.trajectory[s.length - 1] - s.trajectory[0]) / (double)(s.length - 1);
    return s;
}

void history_series_free(history_series *s)
{
    memory_free(s->value);
    memory_free(s->trajectory);
    *s = (history_series){ .every = 0 };
}

static double if_tested(const run_history *h, int64_t i, double value)
{
    return h->line[i].tested ? value : NAN;
}

double history_dh(const run_history *h, int64_t i, const void *context)
{
    (void)context;
    return if_tested(h, i, h->line[i].dh);
}

double history_exp_minus_dh(const run_history *h, int64_t i, const void *context)
{
    (void)context;
    return if_tested(h, i, h->line[i].exp_minus_dh);
}

double history_accepted(const run_history *h, int64_t i, const void *context)
{
    (void)context;
    return if_tested(h, i, h->line[i].accepted);
}

double history_plaquette(const run_history *h, int64_t i, const void *context)
{
    (void)context;
    return h->line[i].plaquette;
}

double history_seconds(const run_history *h, int64_t i, const void *context)
{
    (void)context;
    return h->line[i].seconds;
}

double history_joules(const run_history *h, int64_t i, const void *context)
{
    (void)context;
    return h->line[i].joules;
}

double history_column_value(const run_history *h, int64_t i, const void *context)
{
    (void)h;
    return ((const history_column *)context)->value[i];
}
