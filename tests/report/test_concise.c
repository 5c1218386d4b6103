/* test_concise.c - means with errors in the concise form: 0.5919(18). */
#include "src/report/run_view.h"
#include "tests/facts.h"

#include <math.h>
#include <string.h>

static void written(double mean, double error, const char *expected)
{
    text words = { 0 };
    const correlated_mean m = { .mean = mean, .error = error, .count = 100, .verdict = SERIES_LONG };
    run_view_add_concise(&words, &m);
    fact(strcmp(text_string(&words), expected) == 0, "%g with error %g: %s, expected %s", mean, error,
         text_string(&words), expected);
    text_free(&words);
}

int main(void)
{
    written(0.59187, 0.0018, "0.5919(18)");
    written(-0.0163, 0.068, "-0.016(68)");
    written(0.25, 0.00999, "0.2500(100)");
    written(12.34, 1.53, "12.3(1.5)");
    written(1234.4, 15.2, "1234(15)");
    written(123456, 789.3, "123456(789)");
    written(NAN, NAN, "none");
    written(3e7, 1e5, "3e+07 +- 1e+05");
    written(0.5, 1e-12, "0.5 +- 1e-12");
    return facts_end();
}
