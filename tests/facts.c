/* facts.c - TAP output of facts. */
#include "tests/facts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int reported, failed;

static void emit(bool ok, const char *sentence, va_list arguments)
{
    reported++;
    failed += !ok;
    printf("%sok %d - ", ok ? "" : "not ", reported);
    vprintf(sentence, arguments);
}

bool fact(bool ok, const char *sentence, ...)
{
    va_list arguments;
    va_start(arguments, sentence);
    emit(ok, sentence, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    return ok;
}

bool fact_close(double got, double want, double tolerance, const char *sentence, ...)
{
    bool ok = fabs(got - want) <= tolerance;      /* false for NaN */
    va_list arguments;
    va_start(arguments, sentence);
    emit(ok, sentence, arguments);
    va_end(arguments);
    printf(" (got %.17g, want %.17g, off by %.3g, allowed %.3g)\n", got, want, got - want, tolerance);
    fflush(stdout);
    return ok;
}

double worse(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

void skip(const char *sentence, const char *why)
{
    printf("ok %d - %s # SKIP %s\n", ++reported, sentence, why);
    fflush(stdout);
}

void note(const char *format, ...)
{
    va_list arguments;
    fputs("# ", stdout);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

int facts_end(void)
{
    printf("1..%d\n", reported);
    return failed != 0;
}

const char *reference_folder(void)
{
    const char *folder = getenv("KILN_SHARED");
    return folder && access(folder, R_OK) == 0 ? folder : NULL;
}
