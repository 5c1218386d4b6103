/* comparison_choice.c - compare the costs of streams; short series do not justify a choice. */
#include "src/compare/comparison_choice.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define GAIN 0.95
#define ERRORS 2

const char *const stream_verdict_names[] = { "given", "unknown", "within errors", "more", "less" };

int compared_slowest(const compared_stream *s)
{
    int slowest = -1;
    for (int i = 0; i < s->observables; i++)
        if (isfinite(s->observable[i].cost.value)
            && (slowest < 0 || s->observable[i].cost.value > s->observable[slowest].cost.value))
            slowest = i;
    return slowest;
}

int compared_short(const compared_stream *s)
{
    for (int i = 0; i < s->observables; i++)
        if (s->observable[i].of.verdict != SERIES_LONG || !isfinite(s->observable[i].cost.error))
            return i;
    return -1;
}

static bool is_known(const compared_stream *s)
{
    return s->observables > 0 && compared_short(s) < 0;
}

independent_cost compared_unit(const compared_stream *s)
{
    const double value = s->price.mean / (s->acceptance.mean * s->length);
    const double error = hypot(s->price.error / s->price.mean, s->acceptance.error / s->acceptance.mean);
    return (independent_cost){ value, value * error, false };
}

independent_cost compared_unit_ratio(const compared_stream *s, const compared_stream *to)
{
    const independent_cost mine = compared_unit(s), other = compared_unit(to);
    const double ratio = mine.value / other.value;
    return (independent_cost){ ratio, ratio * hypot(mine.error / mine.value, other.error / other.value), false };
}

static stream_verdict compare(const independent_cost *c, const independent_cost *given)
{
    const double apart = given->value - c->value;
    if (!(fabs(apart) > ERRORS * hypot(c->error, given->error)))
        return STREAM_OVERLAPS;
    if (apart < 0)
        return STREAM_COSTS_MORE;
    return c->value < GAIN * given->value ? STREAM_COSTS_LESS : STREAM_OVERLAPS;
}

/* The reason why the cost of a stream is not known. */
static void explain_unknown(char why[240], const compared_stream *s, int stream)
{
    const int at = compared_short(s);
    if (s->observables == 0) {
        snprintf(why, 240, "stream %d: no observable was measured", stream);
        return;
    }
    const compared_observable *o = &s->observable[at];
    if (isfinite(o->of.tau))
        snprintf(why, 240, "stream %d: %" PRId64 " values of %.63s are %.0f autocorrelation times (%.2g trajectories "
                 "each); %d are needed", stream, o->of.count, o->title, (double)s->trajectories / o->of.tau, o->of.tau,
                 SERIES_TAUS);
    else
        snprintf(why, 240, "stream %d: %" PRId64 " values of %.63s give no autocorrelation time (%s)", stream,
                 o->of.count, o->title, series_verdict_names[o->of.verdict]);
}

compared_choice comparison_choose(const compared_stream *stream, int count)
{
    compared_choice c = { .chosen = 0 };
    const bool known = is_known(&stream[0]);
    const independent_cost *given = known ? &stream[0].observable[compared_slowest(&stream[0])].cost : NULL;
    double least = INFINITY;
    int unknown = known ? -1 : 0;
    c.ratio[0] = 1;
    for (int k = 1; k < count; k++) {
        c.verdict[k] = STREAM_UNKNOWN;
        c.ratio[k] = c.ratio_error[k] = NAN;
        if (!is_known(&stream[k]))
            unknown = unknown < 0 ? k : unknown;
        if (!known || !is_known(&stream[k]))
            continue;
        const independent_cost *mine = &stream[k].observable[compared_slowest(&stream[k])].cost;
        c.verdict[k] = compare(mine, given);
        c.ratio[k] = mine->value / given->value;
        c.ratio_error[k] = c.ratio[k] * hypot(mine->error / mine->value, given->error / given->value);
        if (c.verdict[k] == STREAM_COSTS_LESS && mine->value < least) {
            least = mine->value;
            c.chosen = k;
        }
    }
    if (c.chosen > 0)
        snprintf(c.why, sizeof c.why, "an independent configuration costs %.3g +- %.2g of stream 0",
                 c.ratio[c.chosen], c.ratio_error[c.chosen]);
    else if (unknown >= 0)
        explain_unknown(c.why, &stream[unknown], unknown);
    else
        snprintf(c.why, sizeof c.why, "no other stream costs less by more than %d errors and %.0f %%", ERRORS,
                 100 * (1 - GAIN));
    return c;
}

compared_choice comparison_choose_none(int count, const char *device, const char *other)
{
    compared_choice c = { .apart = true };
    c.ratio[0] = 1;
    for (int k = 1; k < count; k++) {
        c.verdict[k] = STREAM_UNKNOWN;
        c.ratio[k] = c.ratio_error[k] = NAN;
    }
    snprintf(c.why, sizeof c.why, "seconds on different devices do not compare (%.60s and %.60s): take --cost work, or "
             "another folder of streams", device, other);
    return c;
}
