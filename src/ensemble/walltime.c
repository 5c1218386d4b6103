/* walltime.c - estimate the time of the next stretch, and compare it with the time that is left. */
#include "src/ensemble/walltime.h"

#include "src/base/clock.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The next stretch may take LONGER times the longest so far.  A margin at the end is for leaving the device and for the
 * batch system: a number of seconds, but at most a fraction of the whole time. */
#define LONGER 1.5
#define MARGIN 20.0
#define MARGIN_PART 0.02

walltime walltime_begin(double seconds)
{
    double now = clock_now();
    return (walltime){ .end = now + seconds, .margin = fmin(MARGIN, MARGIN_PART * fmax(seconds, 0)), .since = now };
}

void walltime_set_out(walltime *w)
{
    w->since = clock_now();
}

void walltime_passed(walltime *w, walltime_stretch what)
{
    double now = clock_now();
    w->longest[what] = fmax(w->longest[what], now - w->since);
    w->since = now;
}

void walltime_wrote(walltime *w, double seconds)
{
    w->writing = fmax(w->writing, seconds);
}

/* A kind of stretch that has not been timed yet counts as the longest of the other kinds. */
static double expected(const walltime *w, walltime_stretch what)
{
    double longest = w->longest[what];
    for (int i = 0; longest == 0 && i < STRETCHES; i++)
        longest = fmax(longest, w->longest[i]);
    return longest;
}

bool walltime_allows(const walltime *w, walltime_stretch next)
{
    return clock_now() + LONGER * (expected(w, next) + w->writing) + w->margin < w->end;
}

/* Read digits with an optional point; the position after them, or NULL. */
static const char *read_number(double *x, const char *words)
{
    char *end;
    if (!isdigit((unsigned char)*words))
        return NULL;
    *x = strtod(words, &end);
    return strspn(words, "0123456789.") == (size_t)(end - words) ? end : NULL;
}

static bool read_with_unit(double *seconds, const char *words)
{
    static const struct { char unit; double seconds; } units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 } };
    double x;
    const char *end = read_number(&x, words);
    for (size_t i = 0; end && i < sizeof units / sizeof *units; i++)
        if (end[0] == units[i].unit && !end[1]) {
            *seconds = x * units[i].seconds;
            return true;
        }
    return false;
}

/* Read up to three fields between colons, with optional days before them. */
static bool read_fields(double *seconds, const char *words)
{
    enum { DAY = 86400, HOUR = 3600, MINUTE = 60 };
    static const int with_days[] = { HOUR, MINUTE, 1 }, two[] = { MINUTE, 1 };
    double field[3], days = 0;
    const char *dash = strchr(words, '-'), *at = words;
    int count = 0;
    if (dash && (read_number(&days, words) != dash || days != floor(days)))
        return false;
    for (at = dash ? dash + 1 : words; count < 3; at++) {
        at = read_number(&field[count], at);
        if (!at || field[count] != floor(field[count]))
            return false;
        count++;
        if (*at != ':')
            break;
    }
    if (*at)
        return false;
    const int *unit = dash || count == 3 ? with_days : two;
    *seconds = days * DAY;
    for (int i = 0; i < count; i++)
        *seconds += field[i] * unit[i];
    return true;
}

bool walltime_read(double *seconds, const char *words, failure *f)
{
    return ((read_with_unit(seconds, words) || read_fields(seconds, words)) && *seconds > 0)
           || fail(f, "\"%.40s\" is not a time; examples: 11:55:00, 1-12:00:00, 90 (minutes), 5400s, 90m, 1.5h", words);
}

const char *walltime_of_scheduler(double *seconds)
{
    static const char slurm[] = "SLURM_JOB_END_TIME", pbs[] = "PBS_WALLTIME";
    double x;
    const char *value = getenv(slurm), *end = value ? read_number(&x, value) : NULL;
    if (end && !*end) {
        *seconds = fmax(x - (double)time(NULL), 0);
        return slurm;
    }
    value = getenv(pbs);
    end = value ? read_number(&x, value) : NULL;
    if (end && !*end) {
        *seconds = x;
        return pbs;
    }
    return NULL;
}
