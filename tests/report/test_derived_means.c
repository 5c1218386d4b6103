/* test_derived_means.c - numbers that follow from other means: the ratio of scales, the charge at t0, susceptibilities.
 *
 * Records are written by hand.  t^2 E of configuration n is c_n + 0.1 t: t0 = (0.3 - <c>) / 0.1, w0^2 = 3.  Its charge
 * at flow time t is q_n t/3, and its Polyakov loop has the size l_n.  Its condensates are l_n and q_n, the estimates of
 * their squares l_n^2 + c_n and q_n^2 - c_n.  The static potential is 0.5 r - 0.3/r in units of 1/a_t.
 *
 * The same record of an anisotropic lattice has xi and xi_0: susceptibilities in units of a_s, and units with a_s or
 * a_t. */
#include "src/measure/autocorrelation.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONFIGURATIONS = 200, THERMALIZATION = 5, ROWS = 17, USED = CONFIGURATIONS - THERMALIZATION };
#define STEP 0.25                      /* flow times up to 4 */
static const int extents[4] = { 4, 4, 4, 8 };
static double c_of[CONFIGURATIONS + 1], q_of[CONFIGURATIONS + 1], l_of[CONFIGURATIONS + 1];

static void make_numbers(void)
{
    uint64_t state = 5;
    double slow = 0;
    for (int n = 1; n <= CONFIGURATIONS; n++) {
        slow = 0.7 * slow + scratch_uniform(&state) - 0.5;
        c_of[n] = 0.02 + 0.01 * slow;
        q_of[n] = floor(5 * scratch_uniform(&state)) - 2 + 0.3 * slow;
        l_of[n] = 0.2 + 0.1 * scratch_uniform(&state) + 0.02 * slow;
    }
}

static void write_curve(FILE *file, const char *key, double offset, double slope)
{
    fprintf(file, "\"%s\": [", key);
    for (int i = 0; i < ROWS; i++)
        fprintf(file, "%s%.17g", i ? ", " : "", offset + slope * i * STEP);
    fprintf(file, "]");
}

/* Wilson quarks and loops. */
static void write_more(FILE *file, const char *xi, const char *xi_0)
{
    fprintf(file, "\"quarks\": {\"kind\": \"wilson\", %s\"masses\": [ {\"kappa\": 0.125, \"mu\": 0, "
            "\"pcac_mass\": 0.1, \"pion_mass\": 0.3, \"condensate\": 0.7, \"pion\": [9, 4, 2, 1.5, 1, 1.5, 2, 4], "
            "\"nucleon_mass\": 0.5} ], \"converged\": true}, \"static\": {\"kind\": \"wilson_loops\", "
            "\"t_potential\": 1, \"distance\": \"midpoint\", %s\"loops\": [", xi_0, xi);
    for (int r = 1; r <= 5; r++)
        fprintf(file, "%s[%.17g, %.17g]", r > 1 ? ", " : "", exp(-0.5 * r + 0.3 / r), exp(-r + 0.6 / r));
    fprintf(file, "], \"converged\": true}, ");
}

/* xi, xi_0: members of the results of an anisotropic lattice, or "". */
static void write_record(const char *path, const char *xi, const char *xi_0)
{
    FILE *file = fopen(path, "w");
    for (int n = 1; n <= CONFIGURATIONS; n++) {
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": %s, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, \"seconds\": 1, "
                "\"measurements\": {\"smooth\": {\"kind\": \"flow\", "
                "%s\"charge\": %.17g, \"along\": {", n, n <= THERMALIZATION ? "true" : "false", xi, q_of[n] * 4 / 3);
        write_curve(file, "t", 0, 1);
        fprintf(file, ", ");
        write_curve(file, "t2E_clover", c_of[n], 0.1);
        fprintf(file, ", ");
        write_curve(file, "t2E_plaquette", 0, 0.1);
        fprintf(file, ", ");
        write_curve(file, "charge", 0, q_of[n] / 3);
        fprintf(file, "}, \"converged\": true}, \"loop\": {\"kind\": \"polyakov\", \"re\": %.17g, \"im\": %.17g, "
                "\"abs\": %.17g, \"converged\": true}, ", l_of[n] * cos(n), l_of[n] * sin(n), l_of[n]);
        write_more(file, xi, xi_0);
        fprintf(file, "\"light\": {\"kind\": \"condensate\", \"masses\": [ {\"mass\": 0.01, \"condensate\": %.17g, "
                "\"condensate_squared\": %.17g}, {\"mass\": 0.5, \"condensate\": %.17g, "
                "\"condensate_squared\": %.17g}, {\"mass\": 2, \"condensate\": 0.3, \"condensate_squared\": null} ], "
                "\"converged\": true}}}\n", l_of[n], l_of[n] * l_of[n] + c_of[n], q_of[n], q_of[n] * q_of[n] - c_of[n]);
    }
    fclose(file);
}

static double number(const yaml_node *tree, const char *title, const char *key)
{
    return json_number(yaml_get(yaml_get(tree, "measurements"), title), key);
}

/* The mean of the numbers after thermalization. */
static double mean_of(const double *number_of)
{
    double sum = 0;
    for (int n = THERMALIZATION + 1; n <= CONFIGURATIONS; n++)
        sum += number_of[n] / USED;
    return sum;
}

/* The value, and the error that the Gamma method gives for the series of linearized numbers. */
static void compare(const yaml_node *tree, const char *title, double value, const double *linear)
{
    const int64_t count = USED;
    const correlated_mean m = correlated_mean_of((chain){ linear, 1, &count }, WINDOW_S);
    fact_close(number(tree, title, "value") / value, 1, 1e-11, "%s is that of the means, relative", title);
    fact_close(number(tree, title, "error") / m.error, 1, 1e-9,
               "%s: its error is that of the linearized series, relative", title);
    fact(number(tree, title, "used") == USED, "%s: all configurations count", title);
}

/* V (<y2> - <y>^2) with estimates y2 = y^2 + sign c of the squares. */
static void condensates(const yaml_node *tree, const char *title, const double *y, double sign)
{
    const double volume = (double)extents[0] * extents[1] * extents[2] * extents[3], mean = mean_of(y);
    double linear[USED], square = 0;
    for (int i = 0; i < USED; i++) {
        const int n = i + THERMALIZATION + 1;
        const double y2 = y[n] * y[n] + sign * c_of[n];
        linear[i] = volume * (y2 - 2 * mean * y[n]);
        square += y2 / USED;
    }
    compare(tree, title, volume * (square - mean * mean), linear);
}

static void numbers(scratch *s)
{
    const program_output *answer = program_run("status '%s' --json", s->folder);
    yaml_node *tree = output_json(answer);
    const double volume = (double)extents[0] * extents[1] * extents[2] * extents[3], space = volume / extents[3];
    const double c = mean_of(c_of), t0 = (0.3 - c) / 0.1, ratio = sqrt(t0 / 3), q = mean_of(q_of) * t0 / 3;
    double linear[USED], q2 = 0, l = mean_of(l_of), l2 = 0;
    for (int n = THERMALIZATION + 1; n <= CONFIGURATIONS; n++) {
        q2 += q_of[n] * q_of[n] / USED;
        l2 += l_of[n] * l_of[n] / USED;
    }
    for (int i = 0; i < USED; i++)
        linear[i] = ratio * (1 - (c_of[i + THERMALIZATION + 1] - c) / (2 * 0.1 * t0));
    compare(tree, "smooth.sqrt_t0_over_w0", ratio, linear);
    for (int i = 0; i < USED; i++)
        linear[i] = q_of[i + THERMALIZATION + 1] * t0 / 3;
    compare(tree, "smooth.charge_t0", q, linear);
    for (int i = 0; i < USED; i++)
        linear[i] = pow(q_of[i + THERMALIZATION + 1] * t0 / 3, 2) / volume;
    compare(tree, "smooth.susceptibility_t0", q2 * t0 * t0 / 9 / volume, linear);
    for (int i = 0; i < USED; i++)
        linear[i] = pow(q_of[i + THERMALIZATION + 1] * 4 / 3, 2) / volume;
    compare(tree, "smooth.susceptibility", q2 * 16 / 9 / volume, linear);
    for (int i = 0; i < USED; i++)
        linear[i] = space * (pow(l_of[i + THERMALIZATION + 1], 2) - 2 * l * l_of[i + THERMALIZATION + 1]);
    compare(tree, "loop.susceptibility", space * (l2 - l * l), linear);
    condensates(tree, "light.susceptibility_disconnected(0.01)", l_of, 1);
    condensates(tree, "light.susceptibility_disconnected(0.5)", q_of, -1);
    fact(!yaml_get(yaml_get(tree, "measurements"), "light.susceptibility_disconnected(2)"),
         "no susceptibility of a condensate from a single source");
    yaml_tree_free(tree);
}

static void figures(scratch *s)
{
    const program_output *answer = program_run("report '%s' --output -", s->folder);
    fact(stdout_has(answer, "distribution of smooth.charge<") && stdout_has(answer,
                                                                            "distribution of smooth.charge_t0<"),
         "the report has histograms of the charge, also at t0");
    fact(stdout_has(answer, "distribution of loop.abs<") && stdout_has(answer, ">loop<"),
         "and of |L|, and the loops in the plane");
    fact(stdout_has(answer, "rotate(-90)\" text-anchor=\"middle\">im</text>") && stdout_has(answer, ">re</text>")
             && !stdout_has(answer, "rotate(-90)\" text-anchor=\"middle\">re<"),
         "whose upward axis is the imaginary part");
    fact(stdout_has(answer, "distribution of light.condensate(0.5)<"), "and of the condensate of each mass");
    fact(stdout_has(program_run("status '%s'", s->folder), "smooth.sqrt_t0_over_w0"), "kiln status prints the ratio");
}

static void write_parameters(const char *path, const int *n, const char *xi_0, const char *measurements)
{
    FILE *file = fopen(path, "w");
    fprintf(file, "lattice: [%d, %d, %d, %d]\nrandom: { seed: 1 }\n"
            "monomials: [ { kind: gauge, action: wilson, beta: 6%s } ]\n"
            "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [gauge] } ] }\n"
            "%soutput: { directory: . }\n", n[0], n[1], n[2], n[3], xi_0, measurements);
    fclose(file);
}

static bool warned(const scratch *s, const char *piece)
{
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    const yaml_node *list = yaml_get(tree, "warnings");
    bool found = false;
    for (int i = 0; i < list->count; i++)
        found |= strcmp(json_scalar(list->item[i], "kind"), "lattice too small") == 0
                 && strstr(json_scalar(list->item[i], "text"), piece) != NULL;
    yaml_tree_free(tree);
    return found;
}

/* Flow times up to 4, t0 about 2.8 and 3, on lattices that hold those up to 0.5, 4.5, and 0.5 at xi = 4. */
static void beyond_the_lattice(scratch *s)
{
    static const char flow[] = "measurements: [ { kind: flow, name: smooth, eps: 0.05, t_max: 4, xi: 4 } ]\n";
    static const int large[4] = { 12, 12, 12, 16 };
    const char *path = scratch_path(s, "parameters.yaml");
    fact(warned(s, "smooth.t0, smooth.w0, smooth.sqrt_t0_over_w0, smooth.t0_plaquette, smooth.w0_plaquette, ")
             && warned(s, "(L/2)^2/8, which is 0.5 here"), "scales beyond (L/2)^2/8 are warned of");
    fact(warned(s, "smooth.charge_t0, smooth.susceptibility_t0, smooth.charge, smooth.susceptibility: from flow times "
                   "up to 4,"), "charges and susceptibilities as well");
    const program_output *shown = program_run("status '%s'", s->folder);
    const char *row = strstr(text_string(&shown->out), "smooth.t0 "), *mark = row ? strstr(row, ", lattice too") : NULL;
    fact(mark && mark < strchr(row, '\n'), "and the row of the number says so");
    fact(stdout_has(program_run("report '%s' --output -", s->folder), "lattice too small"), "and the report");
    write_parameters(path, large, "", "");
    fact(!warned(s, ""), "a lattice of extent 12 holds them: no warning");
    write_parameters(path, large, ", xi_0: 3.5", flow);
    fact(warned(s, "which is 0.5 here"), "16 sites in t at xi = 4 are 4 in units of a_s");
}

static bool unit_is(const yaml_node *tree, const char *title, const char *unit)
{
    const yaml_node *of = yaml_get(yaml_get(tree, "measurements"), title);
    const char *found = of ? json_scalar(of, "unit") : "no such number";
    if (strcmp(found, unit) != 0)
        note("%s: %s", title, found);
    return strcmp(found, unit) == 0;
}

static bool units_are(const yaml_node *tree, bool anisotropic)
{
    static const struct { const char *title, *isotropic, *anisotropic; } numbers[] = {
        { "smooth.t0", "a\u00b2", "a_s\u00b2" }, { "smooth.w0", "a", "a_s" },
        { "smooth.susceptibility_t0", "1/a\u2074", "1/a_s\u2074" },
        { "static.V(2)", "1/a", "1/a_s" }, { "static.r0", "a", "a_s" },
        { "quarks.pion_mass(0.125)", "1/a", "1/a_t" }, { "quarks.pcac_mass(0.125)", "1/a", "1/a_t" },
        { "quarks.nucleon_mass(0.125)", "1/a", "1/a_t" }, { "quarks.pion_m_eff(2)(0.125,0)", "1/a", "1/a_t" },
        { "quarks.condensate(0.125)", "1/a\u00b3", "1/a_s\u00b3" },
        { "light.condensate(0.5)", "1/a\u00b3", "1/a\u00b3" },          /* isotropic quarks: xi_0 is not theirs */
    };
    bool all = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        all = unit_is(tree, numbers[i].title, anisotropic ? numbers[i].anisotropic : numbers[i].isotropic) && all;
    return all;
}

static bool figure_has(const program_output *page, const char *x_label, const char *y_label)
{
    char x[64], y[64];
    snprintf(x, sizeof x, ">%s<", x_label);
    snprintf(y, sizeof y, ">%s<", y_label);
    return stdout_has(page, x) && stdout_has(page, y);
}

/* The anisotropic record has the numbers of the isotropic one, and xi = 2.5. */
static void anisotropic(scratch *s)
{
    yaml_node *before = output_json(program_run("status '%s' --json", s->folder));
    fact(units_are(before, false), "isotropic: all spacings are a");
    const program_output *page = program_run("report '%s' --output -", s->folder);
    fact(figure_has(page, "r/a", "a V(r)") && figure_has(page, "t/a", "a m(t)"), "and so in figures");
    write_record(scratch_path(s, "run.jsonl"), "\"xi\": 2.5, ", "\"xi_0\": 2, ");
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    static const char *const keys[] = { "smooth.susceptibility", "smooth.susceptibility_t0" };
    for (int i = 0; i < 2; i++) {
        fact_close(number(tree, keys[i], "value") / number(before, keys[i], "value"), 2.5, 1e-11,
                   "%s: xi <Q^2>/sites", keys[i]);
        fact_close(number(tree, keys[i], "error") / number(before, keys[i], "error"), 2.5, 1e-9, "and its error");
    }
    fact_close(number(tree, "loop.susceptibility", "value") / number(before, "loop.susceptibility", "value"), 1, 1e-11,
               "that of the Polyakov loop counts sites of a time slice");
    fact_close(number(tree, "static.V(2)", "value"), 2.5 * (0.5 * 2 - 0.3 / 2), 1e-11, "V has the factor xi");
    fact(units_are(tree, true), "anisotropic: a_s of the flow and the potential, a_t of masses");
    page = program_run("report '%s' --output -", s->folder);
    fact(figure_has(page, "r/a_s", "a_s V(r)") && figure_has(page, "t/a_t", "a_t m(t)")
             && figure_has(page, "in units of a_s\u00b2", "in units of 1/a_t"), "and so in figures");
    yaml_tree_free(before);
    yaml_tree_free(tree);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    write_parameters(scratch_path(&s, "parameters.yaml"), extents, "", "");
    make_numbers();
    write_record(scratch_path(&s, "run.jsonl"), "", "");
    numbers(&s);
    figures(&s);
    beyond_the_lattice(&s);
    anisotropic(&s);
    scratch_remove(&s);
    return facts_end();
}
