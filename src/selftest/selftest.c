/* selftest.c - the parts of the self-test, and reports of their facts one by one. */
#include "src/selftest/selftest.h"

#include "src/base/log.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static void report_fact(selftest *t, bool ok, const char *sentence)
{
    *(ok ? &t->passed : &t->failed) += 1;
    if (t->as_json) {
        json_open(&t->j, NULL, '{');
        json_bool(&t->j, "ok", ok);
        json_text(&t->j, "place", place_name(t->where));
        json_text(&t->j, "fact", sentence);
        json_close(&t->j);
    } else {
        printf("%-6s %-4s  %s\n", ok ? "ok" : "FAILED", place_name(t->where), sentence);
        fflush(stdout);
    }
}

void selftest_fact(selftest *t, bool ok, const char *sentence, ...)
{
    char whole[256];
    va_list arguments;
    va_start(arguments, sentence);
    vsnprintf(whole, sizeof whole, sentence, arguments);
    va_end(arguments);
    report_fact(t, ok, whole);
}

void selftest_close(selftest *t, double got, double want, double tolerance, const char *sentence, ...)
{
    char whole[256];
    va_list arguments;
    va_start(arguments, sentence);
    int n = vsnprintf(whole, sizeof whole, sentence, arguments);
    va_end(arguments);
    if (n > 0 && n < (int)sizeof whole && want == 0)
        snprintf(whole + n, sizeof whole - (size_t)n, ": difference %.2g, allowed %.2g", fabs(got), tolerance);
    else if (n > 0 && n < (int)sizeof whole)
        snprintf(whole + n, sizeof whole - (size_t)n, ": %.8g, expected %.8g within %.2g", got, want, tolerance);
    report_fact(t, fabs(got - want) <= tolerance, whole);
}

/* ---- the parts */

static const struct { const char *name; selftest_part *run; bool on[PLACES]; } parts[] = {
    { "random numbers", selftest_random, { [PLACE_CPU] = true, [PLACE_GPU] = true } },
    { "sums", selftest_sums, { [PLACE_CPU] = true } },
    { "gauge invariance", selftest_gauge, { [PLACE_CPU] = true, [PLACE_GPU] = true } },
    { "forces", selftest_force, { [PLACE_CPU] = true, [PLACE_GPU] = true } },
    { "dynamics", selftest_dynamics, { [PLACE_CPU] = true, [PLACE_GPU] = true } },
    { "quarks", selftest_quarks, { [PLACE_CPU] = true, [PLACE_GPU] = true } },
    { "backends", selftest_same_as_cpu, { [PLACE_GPU] = true } },
};
enum { PARTS = sizeof parts / sizeof *parts };

void selftest_run(selftest *t, place where)
{
    t->where = where;
    for (int i = 0; i < PARTS; i++) {
        if (!parts[i].on[where])
            continue;
        log_progress("%s: %s", place_name(where), parts[i].name);
        parts[i].run(t);
    }
    log_progress_end();
}

void selftest_report_skipped(const selftest *t)
{
    for (int i = 0; i < PARTS; i++)
        if (!parts[i].on[PLACE_CPU] && !t->as_json)
            printf("%s: skipped: no GPU\n", parts[i].name);
}
