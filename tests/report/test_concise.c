/* test_concise.c - means with errors, 0.5919 +- 0.0018, and in the concise form, 0.5919(18): two digits of the error,
 * whatever the sizes of both, and neither more nor fewer of the mean. */
#include "src/report/run_view.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void written_by(estimate_writer *add, double mean, double error, const char *expected)
{
    text words = { 0 };
    const correlated_mean m = { .mean = mean, .error = error, .count = 100, .verdict = SERIES_LONG };
    add(&words, &m);
    fact(strcmp(text_string(&words), expected) == 0, "%g with error %g: %s, expected %s", mean, error,
         text_string(&words), expected);
    text_free(&words);
}

static void written(double mean, double error, const char *expected)
{
    written_by(run_view_add_concise, mean, error, expected);
}

static void in_full(double mean, double error, const char *expected)
{
    written_by(run_view_add_estimate, mean, error, expected);
}

/* The text of any mean and error is within half of its last digit. */
static void reads_back(void)
{
    double worst = 0;
    size_t longest = 0;
    for (int e = -14; e <= 9; e++)
        for (int relative = -1; relative <= 5; relative++)
            for (double lead = 1.0037; lead < 10; lead += 0.4711) {
                const double error = lead * pow(10, e), mean = -1.2345678 * error * pow(10, relative);
                const correlated_mean m = { .mean = mean, .error = error, .count = 100, .verdict = SERIES_LONG };
                text words = { 0 };
                double read_mean = NAN, read_error = NAN;
                run_view_add_estimate(&words, &m);
                const char *s = text_string(&words), *exponent = strchr(s, ')');
                const double scale = exponent ? pow(10, atoi(exponent + 2)) : 1;
                sscanf(s + (*s == '('), "%lf +- %lf", &read_mean, &read_error);
                worst = worse(worst, worse(fabs(read_mean * scale - mean), fabs(read_error * scale - error)) / error);
                longest = words.length > longest ? words.length : longest;
                text_free(&words);
            }
    fact(worst < 0.0501, "what is printed reads back within 5 %% of the error (%g)", worst);
    fact(longest <= 30, "and is short (at most %zu characters)", longest);
}

/* Whether a word of the line that begins with `title` begins at this column. */
static bool begins_at(const program_output *answer, const char *title, size_t column)
{
    const char *line = strstr(text_string(&answer->out), title);
    const size_t length = line ? strcspn(line + 1, "\n") : 0;
    return length > column && line[column] == ' ' && line[column + 1] != ' ';
}

/* kiln status: a mean of small numbers with a much smaller error is wider than its column is elsewhere. */
static void columns(void)
{
    scratch s = scratch_create();
    FILE *file = fopen(scratch_path(&s, "run.jsonl"), "w");
    for (int t = 1; file && t <= 20; t++)
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"dH\": %s, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.%d}, \"seconds\": 1}\n", t,
                t * 7 % 5 < 2 ? "1.2345671e-4" : "1.2345672e-4", 50 + t * 3 % 7);
    require(file && fclose(file) == 0, "run.jsonl: cannot be written");
    const program_output *answer = program_run("status '%s'", s.folder);
    const char *head = strstr(text_string(&answer->out), "\n  quantity"), *tau = head ? strstr(head, " tau ") : NULL;
    const size_t column = tau ? (size_t)(tau - head) : 0;
    fact(tau && stdout_has(answer, ")e-04 ") && begins_at(answer, "\n  <dH> ", column)
             && begins_at(answer, "\n  plaquette ", column), "columns are as wide as their widest text");
    scratch_remove(&s);
}

int main(void)
{
    written(0.59187, 0.0018, "0.5919(18)");
    written(-0.0163, 0.068, "-0.016(68)");
    written(0.25, 0.00999, "0.250(10)");
    written(12.34, 1.53, "12.3(1.5)");
    written(1234.4, 15.2, "1234(15)");
    written(123456, 789.3, "123456(789)");
    written(NAN, NAN, "none");
    written(3e7, 1e5, "3.000(10)e+07");
    written(0.5, 1e-12, "0.5000000000000(10)");
    written(0.000012345, 0.000000067, "1.2345(67)e-05");
    written(-3e-9, 2e-9, "-3.0(2.0)e-09");
    written(2e-9, 3e-8, "0.2(3.0)e-08");
    written(1.5e6, 2e3, "1.5000(20)e+06");
    written(12.34, 0.996, "12.3(1.0)");
    written(0, 0, "0 +- 0");
    in_full(0.59187, 0.0018, "0.5919 +- 0.0018");
    in_full(0.25, 0.00999, "0.250 +- 0.010");
    in_full(0.000012345, 0.000000067, "(1.2345 +- 0.0067)e-05");
    in_full(0.000098, 0.000043, "0.000098 +- 0.000043");
    in_full(-3e-9, 2e-9, "(-3.0 +- 2.0)e-09");
    in_full(0, 2e-9, "(0.0 +- 2.0)e-09");
    in_full(9.99996e-6, 1e-9, "(1.00000 +- 0.00010)e-05");
    in_full(0.59187123456, 1.2e-9, "0.5918712346 +- 1.2e-09");
    in_full(0.5, 1e-12, "0.5000000000000 +- 1.0e-12");
    in_full(1.5e6, 2e3, "(1.5000 +- 0.0020)e+06");
    in_full(12345678, 12, "(1.2345678 +- 0.0000012)e+07");
    in_full(123456, 789.3, "123456 +- 789");
    in_full(0, 0, "0 +- 0");
    in_full(1.25, INFINITY, "1.25 +- inf");
    in_full(NAN, 1, "none");
    in_full(1.25, NAN, "1.25 +- nan");
    in_full(0.5, 1e-20, "0.5 +- 1e-20");
    written(0.5, 1e-20, "0.5 +- 1e-20");
    written(0.005, 3.2e-16, "0.00500000000000000(32)");
    written(0, 1e-310, "0 +- 1e-310");
    written(5, 1e7, "0.0(1.0)e+07");
    reads_back();
    if (program_is_there())
        columns();
    return facts_end();
}
