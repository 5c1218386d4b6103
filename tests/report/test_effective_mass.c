/* test_effective_mass.c - effective masses of kiln status --json and kiln report, from records written by hand.
 *
 * Correlators are A cosh M (T/2 - t) [1 + noise], also with a state of sign (-1)^t.  The noise has no mean, so that the
 * mean correlators, and with them the masses, are exact. */
#include "src/measure/autocorrelation.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/report/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONFIGURATIONS = 120, THERMALIZATION = 4, USED = CONFIGURATIONS - THERMALIZATION, TIMES = 12 };
#define NOISE 0.002
static double noise[CONFIGURATIONS + 1][TIMES];

static void make_noise(void)
{
    uint64_t state = 5;
    for (int t = 0; t < TIMES; t++) {
        double mean = 0, slow = 0;
        for (int n = 1; n <= CONFIGURATIONS; n++) {
            slow = 0.6 * slow + scratch_uniform(&state) - 0.5;
            noise[n][t] = NOISE * slow;
            mean += n > THERMALIZATION ? noise[n][t] / USED : 0;
        }
        for (int n = 1; n <= CONFIGURATIONS; n++)
            noise[n][t] -= mean;
    }
}

/* SIGNS: the middle of the correlators is negative, and they rise at time 2. */
typedef enum { EXACT, NOISY, SIGNS } disturbance;

/* `mass`: of the state; `partner`: of one with a sign (-1)^t, 0 for none. */
typedef struct { double mass, partner; } states;

static double exact_at(states of, int t)
{
    const double partner = of.partner > 0 ? 0.2 * cosh(of.partner * (TIMES / 2 - t)) / cosh(of.partner * TIMES / 2) : 0;
    return 3 * (cosh(of.mass * (TIMES / 2 - t)) / cosh(of.mass * TIMES / 2) + (t % 2 ? -partner : partner));
}

static double correlator_at(states of, int t, int n, disturbance d)
{
    const double c = exact_at(of, t) * (1 + (d != EXACT ? noise[n][t] : 0));
    return d != SIGNS ? c : t == TIMES / 2 ? -c : t == 2 ? 3 * c : c;
}

static void write_correlator(FILE *file, states of, int n, disturbance d)
{
    fputs("\"pion\": [", file);
    for (int t = 0; t < TIMES; t++)
        fprintf(file, "%s%.17g", t > 0 ? ", " : "", correlator_at(of, t, n, d));
    fputs("]}", file);
}

/* A measurement of two masses, described by these members, and of their pair. */
typedef struct { const char *kind, *masses[2]; int step_of_pair; } quarks;
static const states in_masses[2] = { { 0.3, 0 }, { 0.7, 0 } };
static states in_pair(const quarks *of)
{
    return of->step_of_pair > 1 ? (states){ 0.5, 0.9 } : (states){ 0.5, 0 };
}

static void write_record(const char *path, const quarks *of, disturbance d)
{
    FILE *file = fopen(path, "w");
    for (int n = 1; n <= CONFIGURATIONS; n++) {
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": %s, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, \"seconds\": 1, "
                "\"measurements\": {\"mesons\": {\"kind\": \"%s\", \"masses\": [", n,
                n <= THERMALIZATION ? "true" : "false", of->kind);
        for (int m = 0; m < 2; m++) {
            fprintf(file, "%s{%s, \"pion_mass\": %.17g, ", m ? ", " : "", of->masses[m],
                    in_masses[m].mass * (1 + (d == EXACT ? 0 : 5 * noise[n][0])));
            write_correlator(file, in_masses[m], n, d);
        }
        fputs("], \"pairs\": [{\"quark\": 0, \"antiquark\": 1, ", file);
        write_correlator(file, in_pair(of), n, d);
        fputs("], \"converged\": true}}}\n", file);
    }
    fclose(file);
}

/* NULL without this point. */
static const yaml_node *point_at(const yaml_node *tree, int t, const char *label)
{
    char title[64];
    snprintf(title, sizeof title, "mesons.pion_m_eff(%d)%s", t, label);
    return yaml_get(yaml_get(tree, "measurements"), title);
}

static double mass_of(const double *c, int t, int step)
{
    const int before = (t + TIMES - step) % TIMES, after = (t + step) % TIMES;
    return acosh((c[before] + c[after]) / (2 * c[t])) / step;
}

/* The error that the Gamma method gives for the series linearized by numerical derivatives. */
static double error_of(states of, int t, int step)
{
    enum { NEIGHBORS = 3 };
    const int at[NEIGHBORS] = { (t + TIMES - step) % TIMES, t, (t + step) % TIMES };
    const int64_t count = USED;
    double linear[USED], c[TIMES];
    for (int k = 0; k < TIMES; k++)
        c[k] = exact_at(of, k);
    for (int i = 0; i < USED; i++)
        linear[i] = mass_of(c, t, step);
    for (int k = 0; k < NEIGHBORS; k++) {
        const double exact = c[at[k]], change = 1e-5 * exact;
        c[at[k]] = exact + change;
        const double up = mass_of(c, t, step);
        c[at[k]] = exact - change;
        const double slope = (up - mass_of(c, t, step)) / (2 * change);
        c[at[k]] = exact;
        for (int i = 0; i < USED; i++)
            linear[i] += slope * exact * noise[i + THERMALIZATION + 1][at[k]];
    }
    return correlated_mean_of((chain){ linear, 1, &count }, WINDOW_S).error;
}

/* At all times whose neighbors are on the same side of the source: the known mass, and the error. */
static void compare(const yaml_node *tree, const char *label, states of, int step, disturbance d)
{
    double c[TIMES];
    for (int t = 0; t < TIMES; t++)
        c[t] = exact_at(of, t);
    for (int t = step; t <= TIMES - step; t++) {
        const yaml_node *found = point_at(tree, t, label);
        const double expected = of.partner > 0 ? mass_of(c, t, step) : of.mass;
        if (!fact(found != NULL, "m(%d)%s is there", t, label))
            continue;
        fact_close(json_number(found, "value"), expected, 1e-10, "m(%d)%s is that of the mean correlator", t, label);
        fact(json_number(found, "used") == USED, "all configurations count");
        if (d == NOISY)
            fact_close(json_number(found, "error") / error_of(of, t, step), 1, 1e-6,
                       "m(%d)%s: its error is that of the linearized series", t, label);
        else
            fact(json_number(found, "error") < 1e-12, "without noise m(%d)%s has no error", t, label);
    }
    fact(point_at(tree, 0, label) == NULL, "the source has no mass");
}

static void numbers(scratch *s, const quarks *of, const char *const labels[2], disturbance d)
{
    write_record(scratch_path(s, "run.jsonl"), of, d);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    for (int m = 0; m < 2; m++)
        compare(tree, labels[m], in_masses[m], 1, d);
    compare(tree, "(0,1)", in_pair(of), of->step_of_pair, d);
    yaml_tree_free(tree);
}

/* The number of points in the figure of effective masses. */
static int points_drawn(const program_output *answer)
{
    const char *figure = strstr(text_string(&answer->out), "mesons: effective mass<");
    const char *end = figure ? strstr(figure, "</figure>") : NULL;
    int points = 0;
    for (const char *p = figure; end && p && (p = strstr(p, "r=\"2\"/>")) && p < end; p++)
        points++;
    return points;
}

static void as_people_read_it(scratch *s, const quarks *of)
{
    write_record(scratch_path(s, "run.jsonl"), of, NOISY);
    const program_output *answer = program_run("status '%s'", s->folder);
    fact(stdout_has(answer, "plaquette") && !strstr(text_string(&answer->out), "m_eff"),
         "kiln status does not list them");
    answer = program_run("report '%s' --output -", s->folder);
    fact(stdout_has(answer, "mesons: effective mass<") && stdout_has(answer, ">a m(t)<"), "kiln report draws m(t)");
    fact(stdout_has(answer, ">pion (0.02)<") && stdout_has(answer, ">pair (0,1)<"), "with the masses in its legend");
    fact(points_drawn(answer) == 2 * (TIMES - 1) + TIMES - 3, "and each point once, with its mass");
    fact(!strstr(text_string(&answer->out), "m_eff"), "and does not list them");
}

/* The band is pion_mass +- its error, over the times from which that mass comes: T/2 -+ T/4. */
static void plateau(scratch *s, const quarks *of, const char *title)
{
    double x[8], y[8];
    write_record(scratch_path(s, "run.jsonl"), of, NOISY);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    const yaml_node *mass = yaml_get(yaml_get(tree, "measurements"), title);
    const double error = json_number(mass, "error");
    const program_output *answer = program_run("report '%s' --output -", s->folder);
    const figure_part f = figure_titled(text_string(&answer->out), "mesons: effective mass");
    const int corners = figure_path(x, y, 8, f, "band"), bands = figure_count(f, "class=\"band\"");
    fact(bands == 2, "the plateaus of %s: %d", title, bands);
    if (fact(corners == 4 && error > 0, "%s has an error", title)) {
        fact_close(figure_x(f, x[0]), TIMES / 4, 0.02, "the band begins at T/4");
        fact_close(figure_x(f, x[1]), TIMES / 2 + TIMES / 4, 0.02, "and ends at 3T/4");
        fact_close(figure_y(f, y[0]) - figure_y(f, y[3]), 2 * error, 1e-4, "it is two errors wide");
        fact_close((figure_y(f, y[0]) + figure_y(f, y[3])) / 2, json_number(mass, "value"), 1e-4, "about the mass");
        fact(figure_find(f, f.begin, ">pion_mass<") != NULL, "it has a name");
    }
    yaml_tree_free(tree);
}

static void noise_has_no_mass(scratch *s, const quarks *of)
{
    write_record(scratch_path(s, "run.jsonl"), of, SIGNS);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    fact(point_at(tree, TIMES / 2, "(0.02)") == NULL, "no mass of a negative correlator between positive ones");
    fact(point_at(tree, 2, "(0.02)") == NULL, "nor where it is larger than on both sides");
    fact(point_at(tree, 9, "(0.02)") != NULL, "the others are there");
    yaml_tree_free(tree);
    fact(stdout_has(program_run("report '%s' --output -", s->folder), "mesons: effective mass<"), "the report draws "
         "them");
}

/* Lists that are no correlators. */
static void damaged(scratch *s, const char *pion)
{
    FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
    for (int n = 1; n <= 3; n++)
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, \"seconds\": 1, "
                "\"measurements\": {\"mesons\": {\"kind\": \"staggered_mesons\", "
                "\"masses\": [{\"mass\": 0.02, \"pion\": %s}]}}}\n", n, pion);
    fclose(file);
    const program_output *answer = program_run("status '%s' --json", s->folder);
    fact(answer->status == 0 && !strstr(text_string(&answer->out), "m_eff"), "no masses of %s", pion);
    answer = program_run("report '%s' --output -", s->folder);
    fact(answer->status == 0 && !strstr(text_string(&answer->out), "effective mass"), "nor a figure");
}

int main(void)
{
    static const quarks staggered = { "staggered_mesons", { "\"mass\": 0.02", "\"mass\": 0.1" }, 2 };
    static const quarks wall = { "domain_wall", { "\"mass\": 0.02", "\"mass\": 0.1" }, 1 };
    static const quarks twisted = { "wilson", { "\"kappa\": 0.16, \"mu\": 0.01", "\"kappa\": 0.16, \"mu\": 0.2" }, 1 };
    static const quarks untwisted = { "wilson", { "\"kappa\": 0.16, \"mu\": 0", "\"kappa\": 0.14, \"mu\": 0" }, 1 };
    static const char *const by_mass[2] = { "(0.02)", "(0.1)" }, *const by_twist[2] = { "(0.16,0.01)", "(0.16,0.2)" };
    static const char *const lists[] = { "[]", "[1]", "[0, 0, 0, 0]", "[1, null, 0.2, 0.5]", "{\"a\": 1}",
                                         "[1, [0.5], 0.2, 0.5]", "[[1, 2], [0.5, 1], [0.6, 1]]", "[[], []]", "null",
                                         "[1, 1, 1, 1]", "[-1, 1, -1, 1]", "[1e308, 1, 1e308]" };
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    make_noise();
    for (int d = EXACT; d <= NOISY; d++) {
        numbers(&s, &staggered, by_mass, (disturbance)d);
        numbers(&s, &wall, by_mass, (disturbance)d);
        numbers(&s, &twisted, by_twist, (disturbance)d);
    }
    as_people_read_it(&s, &staggered);
    plateau(&s, &staggered, "mesons.pion_mass(0.02)");
    plateau(&s, &untwisted, "mesons.pion_mass(0.16)");
    plateau(&s, &twisted, "mesons.pion_mass(0.16,0.01)");
    noise_has_no_mass(&s, &staggered);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        damaged(&s, lists[i]);
    scratch_remove(&s);
    return facts_end();
}
