/* walltime.c - estimates of what comes next, held against the time that is left. */
#include "src/ensemble/walltime.h"

#include "src/base/clock.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What comes may take so much longer than what was; and at the end there are so many seconds, but at most that part of
 * all, to leave the device and for the batch system. */
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

/* A stretch that is not known yet is as long as the longest that is. */
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

/* Digits, and a point in a number with a unit; NULL if there is none. */
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

/* The fields between colons, of which there are at most three, days before them. */
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
           || fail(f, "\"%.40s\" is no time: 11:55:00, 1-12:00:00, minutes, or a number with s, m or h is one", words);
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
