/* selftest.c - report the facts of the self-test one by one. */
#include "src/cli/selftest/selftest.h"

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
