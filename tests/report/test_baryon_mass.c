/* test_baryon_mass.c - effective masses of baryons in kiln status --json, and their headline, from a record written by
 * hand.
 *
 * Correlators are A exp(-M t) [1 + noise], negative at one time in the first half of the lattice; the noise has no
 * mean, so that the masses of the mean correlators are exact. */
#include "src/measure/autocorrelation.h"
#include "src/measure/baryons.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONFIGURATIONS = 100, TIMES = 16, LAST = 6 };
#define M_NUCLEON 0.6
#define M_DELTA 0.9
static double noise[CONFIGURATIONS][TIMES];

static void make_noise(void)
{
    uint64_t state = 11;
    for (int t = 0; t < TIMES; t++) {
        double mean = 0;
        for (int n = 0; n < CONFIGURATIONS; n++) {
            noise[n][t] = 0.01 * (scratch_uniform(&state) - 0.5);
            mean += noise[n][t] / CONFIGURATIONS;
        }
        for (int n = 0; n < CONFIGURATIONS; n++)
            noise[n][t] -= mean;
    }
}

static double correlator_at(double mass, int n, int t)
{
    return 5 * exp(-mass * t) * (t == LAST + 1 ? -1 : 1) * (1 + noise[n][t]);
}

static void write_list(FILE *file, const char *name, double mass, int n)
{
    fprintf(file, ", \"%s\": [", name);
    for (int t = 0; t < TIMES; t++)
        fprintf(file, "%s%.17g", t > 0 ? ", " : "", correlator_at(mass, n, t));
    fputs("]", file);
}

static void write_record(const char *path)
{
    FILE *file = fopen(path, "w");
    for (int n = 0; n < CONFIGURATIONS; n++) {
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, \"seconds\": 1, \"measurements\": "
                "{\"quarks\": {\"kind\": \"wilson\", \"masses\": "
                "[{\"kappa\": 0.14, \"mu\": 0, \"nucleon_mass\": %.17g", n + 1,
                M_NUCLEON * (1 + noise[n][0]));
        write_list(file, "nucleon", M_NUCLEON, n);
        write_list(file, "delta", M_DELTA, n);
        fputs("}], \"converged\": true}}}\n", file);
    }
    fclose(file);
}

static void compare(const yaml_node *tree, const char *name, double mass)
{
    for (int t = 0; t < TIMES - 1; t++) {
        char title[64];
        double linear[CONFIGURATIONS];
        const int64_t count = CONFIGURATIONS;
        snprintf(title, sizeof title, "quarks.%s_m_eff(%d)(0.14)", name, t);
        const yaml_node *found = yaml_get(yaml_get(tree, "measurements"), title);
        if (t >= LAST) {
            fact(!found, "%s: none where a correlator is negative, or beyond T/2", title);
            continue;
        }
        if (!fact(found != NULL, "%s is there", title))
            continue;
        for (int n = 0; n < CONFIGURATIONS; n++)
            linear[n] = mass + noise[n][t] - noise[n][t + 1];
        fact_close(json_number(found, "value"), mass, 1e-12, "%s is that of the mean correlator", title);
        fact_close(json_number(found, "error") / correlated_mean_of((chain){ linear, 1, &count }, WINDOW_S).error, 1,
                   1e-9, "its error is that of the linearized series");
    }
}

/* The mass of one correlator, from T/8 to T/4, and where there are fewer times. */
static void mass_of_one(void)
{
    const double c[8] = { 1, 0.5, 0.2, 0.05, -0.01, 0, 0, 0 }, longer[16] = { [2] = 3, [4] = 1 };
    fact_close(baryon_mass(c, 8), log(0.5 / 0.2), 1e-15, "T = 8: from t = 1 to 2");
    fact_close(baryon_mass(longer, 16), log(3) / 2, 1e-15, "T = 16: from t = 2 to 4");
    fact_close(baryon_mass(c, 4), log(0.5 / 0.2), 1e-15, "T = 4: from t = 1 to 2");
    fact(isnan(baryon_mass(c, 2)), "T = 2 has no mass");
    fact(isnan(baryon_mass((const double[4]){ 1, 1, -1, 1 }, 4)), "nor have negative correlators");
}

int main(void)
{
    mass_of_one();
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    make_noise();
    write_record(scratch_path(&s, "run.jsonl"));
    yaml_node *tree = output_json(program_run("status '%s' --json", s.folder));
    compare(tree, "nucleon", M_NUCLEON);
    compare(tree, "delta", M_DELTA);
    fact_close(json_number(yaml_get(yaml_get(tree, "measurements"), "quarks.nucleon_mass(0.14)"), "value"), M_NUCLEON,
               1e-12, "nucleon_mass is a headline");
    yaml_tree_free(tree);
    const program_output *answer = program_run("status '%s'", s.folder);
    fact(stdout_has(answer, "quarks.nucleon_mass") && !strstr(text_string(&answer->out), "m_eff"),
         "kiln status shows it, and does not list effective masses");
    answer = program_run("report '%s' --output -", s.folder);
    fact(stdout_has(answer, "quarks: effective mass<") && stdout_has(answer, ">nucleon (0.14)<")
             && stdout_has(answer, ">nucleon_mass<"), "kiln report draws them with the plateau");
    scratch_remove(&s);
    return facts_end();
}
