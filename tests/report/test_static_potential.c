/* test_static_potential.c - V(r), r0 and r1 of kiln status, from records written by hand.
 *
 * Loops are 0.9 exp(-V(r) t) [1 + noise], with F = V(r) - V(r-1) = SIGMA + F2/d^2 at d = r - 1/2: r0^2 = (1.65 - F2) /
 * SIGMA.  The noise has no mean, so that the mean loops are exact. */
#include "src/measure/autocorrelation.h"
#include "src/measure/static_potential.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/report/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONFIGURATIONS = 120, THERMALIZATION = 4, USED = CONFIGURATIONS - THERMALIZATION, R_MAX = 9, T_MAX = 5,
       MEASURED = 90 };
#define SIGMA 0.06
#define F2 0.3
#define NOISE 0.002
static double xi = 1;          /* of an anisotropic lattice: loops are 0.9 exp(-V(r) t / xi) */
static double noise[CONFIGURATIONS + 1][R_MAX + 1][T_MAX + 1], potential[R_MAX + 1];

static void make_numbers(void)
{
    uint64_t state = 3;
    potential[1] = 0.5;
    for (int r = 2; r <= R_MAX; r++)
        potential[r] = potential[r - 1] + SIGMA + F2 / ((r - 0.5) * (r - 0.5));
    for (int r = 1; r <= R_MAX; r++)
        for (int t = 1; t <= T_MAX; t++) {
            double mean = 0, slow = 0;
            for (int n = 1; n <= CONFIGURATIONS; n++) {
                slow = 0.6 * slow + scratch_uniform(&state) - 0.5;
                noise[n][r][t] = NOISE * slow;
                mean += n > THERMALIZATION ? noise[n][r][t] / USED : 0;
            }
            for (int n = 1; n <= CONFIGURATIONS; n++)
                noise[n][r][t] -= mean;
        }
}

/* Loops up to r_max; the rows of one configuration have one column more.  RAGGED: those of another one have different
 * lengths.  NEGATIVE: the loops with one side of 5 have the wrong sign.  FAILED: the last quarter of them
 * have no loops. */
typedef enum { WHOLE, RAGGED, NEGATIVE, FAILED } damage;

static void write_record(const char *path, int r_max, const char *settings, damage d)
{
    FILE *file = fopen(path, "w");
    for (int n = 1; n <= CONFIGURATIONS; n++) {
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": %s, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, \"seconds\": 1, "
                "\"measurements\": {\"square\": {\"kind\": \"wilson_loops\", ", n,
                n <= THERMALIZATION ? "true" : "false");
        if (d == FAILED && n > MEASURED) {
            fputs("\"converged\": false, \"why\": \"broken\"}}}\n", file);
            continue;
        }
        fprintf(file, "%s \"loops\": [", settings);
        for (int r = 1; r <= r_max; r++) {
            for (int t = 1; t <= T_MAX; t++)
                fprintf(file, "%s%.17g", t > 1 ? ", " : r > 1 ? ", [" : "[",
                        (d == NEGATIVE && r == 5 ? -0.9 : 0.9) * exp(-potential[r] * t / xi) * (1 + noise[n][r][t]));
            fprintf(file, "%s]", n == 40 ? ", 0.1" : d == RAGGED && n == 50 && r == 2 ? ", 7, 7" : "");
        }
        fprintf(file, "], \"converged\": true}}}\n");
    }
    fclose(file);
}

static const yaml_node *number_of(const yaml_node *tree, const char *key)
{
    char title[40];
    snprintf(title, sizeof title, "square.%s", key);
    return yaml_get(yaml_get(tree, "measurements"), title);
}

/* The value, and the error that the Gamma method gives for the series of linearized numbers. */
static void compare(const yaml_node *tree, const char *key, double value, const double *linear)
{
    const int64_t count = USED;
    const correlated_mean m = correlated_mean_of((chain){ linear, 1, &count }, WINDOW_S);
    const yaml_node *found = number_of(tree, key);
    fact_close(json_number(found, "value"), value, 1e-11, "%s is that of the mean loops", key);
    fact_close(json_number(found, "error") / m.error, 1, 1e-6, "%s: its error is that of the linearized series", key);
    fact(json_number(found, "used") == USED, "%s: all configurations count", key);
}

/* Where r^2 F is `level`, with F through the points of the rows r - 1 and r. */
static double scale_between(const double *v, int r, double level)
{
    const double a = pow(r - 1.5, -2), b = pow(r - 0.5, -2), before = v[r - 1] - v[r - 2], after = v[r] - v[r - 1];
    const double f2 = (before - after) / (a - b);
    return sqrt((level - f2) / (after - f2 * b));
}

static void scale_of_loops(const yaml_node *tree, const char *key, double level, int t)
{
    const double exact = sqrt((level - F2) / SIGMA), step = 1e-5;
    const int r = (int)ceil(exact + 0.5);
    double linear[USED];
    for (int i = 0; i < USED; i++)
        linear[i] = exact;
    for (int k = r - 2; k <= r; k++) {
        double up[R_MAX + 1], down[R_MAX + 1];
        memcpy(up, potential, sizeof up);
        memcpy(down, potential, sizeof down);
        up[k] += step;
        down[k] -= step;
        const double slope = (scale_between(up, r, level) - scale_between(down, r, level)) / (2 * step);
        for (int i = 0; i < USED; i++)
            linear[i] += slope * xi * (noise[i + THERMALIZATION + 1][k][t] - noise[i + THERMALIZATION + 1][k][t + 1]);
    }
    compare(tree, key, exact, linear);
}

static void numbers(scratch *s, const char *settings, int t)
{
    write_record(scratch_path(s, "run.jsonl"), R_MAX, settings, WHOLE);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    double linear[USED];
    for (int r = 1; r <= R_MAX; r += 4) {
        char key[16];
        snprintf(key, sizeof key, "V(%d)", r);
        for (int i = 0; i < USED; i++)
            linear[i] = potential[r] + xi * (noise[i + THERMALIZATION + 1][r][t]
                                             - noise[i + THERMALIZATION + 1][r][t + 1]);
        compare(tree, key, potential[r], linear);
    }
    scale_of_loops(tree, "r0", 1.65, t);
    scale_of_loops(tree, "r1", 1, t);
    yaml_tree_free(tree);
}

static void as_people_read_it(scratch *s)
{
    write_record(scratch_path(s, "run.jsonl"), 3, "", RAGGED);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    fact(isnan(json_number(number_of(tree, "r0"), "value")) && isfinite(json_number(number_of(tree, "V(3)"), "value")),
         "short loops have a potential and no r0");
    const yaml_node *third = number_of(tree, "V(3)");
    fact(json_number(third, "used") == USED - 1 && json_number(third, "made") == USED,
         "a table with rows of different lengths is missing");
    yaml_tree_free(tree);
    const program_output *answer = program_run("status '%s'", s->folder);
    fact(stdout_has(answer, "square.r0 has no value: r^2 F(r) stays below 1.65"), "kiln status says why");
    fact(stdout_has(answer, "square.V(3)"), "and prints the potential");
    answer = program_run("report '%s' --output -", s->folder);
    fact(stdout_has(answer, "square: static potential<") && stdout_has(answer, ">a V(r)<"), "the report draws V(r)");
    fact(!strstr(text_string(&answer->out), "square.V(3), linear"), "and no history of each of its points");
}

/* Three distances of six are all that a lattice of extent 6 has. */
static void lattice_too_small(scratch *s)
{
    static const int extent[] = { 6, 8 };
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(scratch_path(s, "parameters.yaml"), "w");
        fprintf(file, "lattice: [8, %d, 8, 16]\nrandom: { seed: 1 }\n"
                      "monomials: [ { kind: gauge, action: wilson, beta: 6 } ]\nheatbath: { sweeps: 1 }\n"
                      "hmc: { trajectories: 9 }\noutput: { directory: ., name: c }\n",
                extent[i]);
        fclose(file);
        const program_output *answer = program_run("status '%s'", s->folder);
        fact(stdout_has(answer, "do not help: use a larger lattice") == (i == 0)
                 && stdout_has(answer, "measure larger r_max") == (i == 1), "extent %d: what helps", extent[i]);
        remove(scratch_path(s, "parameters.yaml"));
    }
}

/* The curve of r0 goes through the three points whose forces give it, up to the difference between the force at
 * r - 1/2 and that of the two ends. */
static void fits(scratch *s)
{
    enum { POINTS = 64 };
    double x[POINTS], y[POINTS];
    write_record(scratch_path(s, "run.jsonl"), R_MAX, "", WHOLE);
    const program_output *answer = program_run("report '%s' --output -", s->folder);
    const figure_part f = figure_titled(text_string(&answer->out), "square: static potential");
    fact(figure_count(f, "<path class=\"line fit\"") == 4, "r0 and r1 have a curve each, and a line in the legend");
    const int n = figure_path(x, y, POINTS, f, "line fit"), r = (int)ceil(sqrt((1.65 - F2) / SIGMA) + 0.5);
    if (!fact(n > 2, "the curve has points"))
        return;
    fact_close(figure_x(f, x[0]), r - 2, 0.02, "that of r0 begins at r = %d", r - 2);
    fact_close(figure_x(f, x[n - 1]), r, 0.02, "and ends at r = %d", r);
    fact_close(figure_y(f, y[0]), potential[r - 2], 0.01, "at its beginning it has the value of the potential");
    fact_close(figure_y(f, y[n - 1]), potential[r], 0.01, "and at its end");
    write_record(scratch_path(s, "run.jsonl"), 3, "", WHOLE);
    answer = program_run("report '%s' --output -", s->folder);
    fact(stdout_has(answer, "square: static potential<") && !stdout_has(answer, "line fit\" style=\"stroke:var(--c4)"),
         "potentials without r0 have no curve");
}

/* One more configuration, with a first row of many loops and as many rows without any. */
static void add_wide_line(const char *path)
{
    enum { MANY = 50000 };                                  /* MANY^2 is larger than INT_MAX */
    FILE *file = fopen(path, "a");
    fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"dH\": 0, \"exp_minus_dH\": 1, "
            "\"plaquette\": {\"average\": 0.5}, \"seconds\": 1, \"measurements\": {\"square\": "
            "{\"kind\": \"wilson_loops\", \"loops\": [[0", CONFIGURATIONS + 1);
    for (int i = 1; i < MANY; i++)
        fputs(",0", file);
    fputs("]", file);
    for (int i = 1; i < MANY; i++)
        fputs(",[]", file);
    fputs("]}}}\n", file);
    fclose(file);
}

/* Why a scale has no value. */
static void no_scale(scratch *s, const char *settings, damage d, const char *why)
{
    write_record(scratch_path(s, "run.jsonl"), R_MAX, settings, d);
    fact(stdout_has(program_run("status '%s'", s->folder), why), "kiln status says: %s", why);
}

static void damaged_records(scratch *s)
{
    no_scale(s, "", NEGATIVE, "square.r0 has no value: r^2 F(r) is above 1.65 at r = 8.5, but loops at smaller");
    no_scale(s, "\"t_potential\": 5,", WHOLE, "square.r1 has no value: t_potential 5 needs loops up to t = 6");
    write_record(scratch_path(s, "run.jsonl"), 3, "", WHOLE);
    add_wide_line(scratch_path(s, "run.jsonl"));
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    const yaml_node *third = number_of(tree, "V(3)");
    fact(json_number(third, "used") == USED && json_number(third, "made") == USED + 1,
         "a line that is no table, however large, is missing");
    yaml_tree_free(tree);
}

/* Configurations without loops count neither in the mean nor in the fluctuations about it. */
static void failed_ones(scratch *s)
{
    const int64_t count = MEASURED - THERMALIZATION;
    const int t = POTENTIAL_TIME;
    double linear[USED], mean[2] = { 0, 0 };
    write_record(scratch_path(s, "run.jsonl"), R_MAX, "", FAILED);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    for (int n = THERMALIZATION + 1; n <= MEASURED; n++)
        for (int k = 0; k < 2; k++)
            mean[k] += (1 + noise[n][1][t + k]) / (double)count;
    const double value = potential[1] + log(mean[0] / mean[1]);
    for (int n = THERMALIZATION + 1; n <= MEASURED; n++)
        linear[n - THERMALIZATION - 1] = value + (1 + noise[n][1][t]) / mean[0] - (1 + noise[n][1][t + 1]) / mean[1];
    const correlated_mean m = correlated_mean_of((chain){ linear, 1, &count }, WINDOW_S);
    const yaml_node *found = number_of(tree, "V(1)");
    fact_close(json_number(found, "value"), value, 1e-11, "V(1) is that of the loops that are there");
    fact_close(json_number(found, "error") / m.error, 1, 1e-6, "and so is its error");
    fact(json_number(found, "used") == (double)count && json_number(found, "made") == USED, "the others are counted");
    yaml_tree_free(tree);
}

/* By another route, the sum over all three momenta; and the numbers of R. Necco and R. Sommer, hep-lat/0108008. */
static void tree_level_distance(int r)
{
    static const double published[] = { 0, 0, 1.358, 2.277, 3.312 };
    enum { N = 96 };
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                const double p[3] = { 2 * M_PI * (i + 0.5) / N, 2 * M_PI * (j + 0.5) / N, 2 * M_PI * (k + 0.5) / N };
                double square = 0;
                for (int mu = 0; mu < 3; mu++)
                    square += 4 * pow(sin(p[mu] / 2), 2);
                sum += (cos(p[0] * (r - 1)) - cos(p[0] * r)) / square;
            }
    const double distance = 1 / sqrt(4 * M_PI * sum / ((double)N * N * N));
    fact_close(static_force_distance(FORCE_AT_WILSON_TREE, r) / distance, 1, 2e-4,
               "the distance of the tree-level force at r = %d is that of a sum over all momenta", r);
    fact_close(static_force_distance(FORCE_AT_WILSON_TREE, r), published[r], 6e-4, "and the published one");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    make_numbers();
    numbers(&s, "\"t_potential\": 2, \"distance\": \"midpoint\",", 2);
    numbers(&s, "", POTENTIAL_TIME);
    xi = 2.5;
    numbers(&s, "\"xi\": 2.5,", POTENTIAL_TIME);
    xi = 1;
    as_people_read_it(&s);
    lattice_too_small(&s);
    fits(&s);
    damaged_records(&s);
    failed_ones(&s);
    for (int r = 2; r <= 4; r++)
        tree_level_distance(r);
    fact(static_force_distance(FORCE_AT_MIDPOINT, 4) == 3.5, "the midpoint is r - 1/2");
    scratch_remove(&s);
    return facts_end();
}
