/* test_dwf_params.c - inputs of domain-wall quarks: what is refused, and how; what is warned of; what a default is. */
#include "src/base/log.h"
#include "tests/actions/dwf_input.h"
#include "tests/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is refused, and how */

static const struct { const char *yaml, *sentence; } refusals[] = {
    { "Ls: 4\ndeterminants: [ { flavors: 2, mass: 0.2, hasenbusch: [ { mass: 0.1 } ] } ]",
      "quarks: determinants.0.hasenbusch.0: masses must ascend, up to the last denominator, but 0.2 is followed by "
      "0.1" },
    { "Ls: 4\ndeterminants: [ { flavors: 2, mass: 0.2, heavy: 0 } ]",
      "quarks: determinants.0: masses must ascend, up to the last denominator, but 0.2 is followed by 0" },
    { "Ls: 4\ndeterminants: [ { flavors: 2, mass: 0.2 }, { flavors: 2, mass: 0.1, heavy: 1.5 } ]",
      "quarks: determinants.1: the last denominator has m = 1.5, above m = 1 of Pauli-Villars" },
    { "Ls: 5\naction: optimal_symmetric\ndeterminants: [ { flavors: 2, mass: 0.2 } ]",
      "quarks: the weights of kind optimal_symmetric need an even number of slices, not 5" },
};

static void refused(void)
{
    const lattice_shape shape = lattice_shape_single((int[4]){ 4, 4, 4, 4 });
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        dwf_params p = dwf_from_text(refusals[i].yaml);
        failure f = { .why = "" };
        if (!fact(!monomial_check(&dwf_monomial, &p, &shape, &f) && strcmp(f.why, refusals[i].sentence) == 0,
                  "it is said: %s", refusals[i].sentence))
            note("but: %s", f.why);
        dwf_input_free(&p);
    }
}

/* Keys of another action, or of another number of flavors: refused where they stand, defaults as well. */
#define AFTER_SLICES(keys) "Ls: 4\n" keys "\ndeterminants: [ { flavors: 2, mass: 0.2 } ]"
#define IN_DETERMINANT(keys) "Ls: 4\ndeterminants:\n- mass: 0.2\n  " keys
static const struct { const char *yaml, *faults; } misplaced[] = {
    { AFTER_SLICES("b: 1.5\nc: 0.5\naction: shamir"),
      "q.yaml:2:1: b is for action mobius, not for shamir: remove it, or change action\n"
      "q.yaml:3:1: c is for action mobius, not for shamir: remove it, or change action\n" },
    { AFTER_SLICES("b: 1.5"), "q.yaml:2:1: b is for action mobius, not for shamir: remove it, or change action\n" },
    { AFTER_SLICES("lambda_min: 0.1\naction: mobius"),
      "q.yaml:2:1: lambda_min is for action optimal or optimal_symmetric, not for mobius: remove it, or change "
      "action\n" },
    { AFTER_SLICES("lambda_max: 6.2\naction: borici"),
      "q.yaml:2:1: lambda_max is for action optimal or optimal_symmetric, not for borici: remove it, or change "
      "action\n" },
    { AFTER_SLICES("scale: 2\naction: optimal"),
      "q.yaml:2:1: scale is for action scaled_shamir, not for optimal: remove it, or change action\n" },
    { AFTER_SLICES("action: mobious\nb: 1"), "q.yaml:2:9: action: expected one of shamir, borici, mobius, "
      "scaled_shamir, optimal, optimal_symmetric, found \"mobious\"; did you mean \"mobius\"?\n" },
    { AFTER_SLICES("action: mobius\nb: 1.5\nc: 0.5"), "" },
    { IN_DETERMINANT("flavors: 1\n  hasenbusch: []\n  chronological: 0"),
      "q.yaml:5:3: determinants.0: hasenbusch is for flavors 2, not for 1: remove it, or change flavors\n"
      "q.yaml:6:3: determinants.0: chronological is for flavors 2, not for 1: remove it, or change flavors\n" },
    { IN_DETERMINANT("flavors: 2\n  method: rational"),
      "q.yaml:5:3: determinants.0: method is for flavors 1, not for 2: remove it, or change flavors\n" },
    { IN_DETERMINANT("flavors: 2\n  fields: 1"),
      "q.yaml:5:3: determinants.0: fields is for flavors 1, not for 2: remove it, or change flavors\n" },
    { IN_DETERMINANT("flavors: 2\n  errors: { force: 1e-7 }"),
      "q.yaml:5:3: determinants.0: errors is for flavors 1, not for 2: remove it, or change flavors\n" },
    { IN_DETERMINANT("flavors: 2\n  smallest_eigenvalue: 1\n  largest_eigenvalue: 2"),
      "q.yaml:5:3: determinants.0: smallest_eigenvalue is for flavors 1, not for 2: remove it, or change flavors\n"
      "q.yaml:6:3: determinants.0: largest_eigenvalue is for flavors 1, not for 2: remove it, or change flavors\n" },
};

static void in_place(void)
{
    for (size_t i = 0; i < sizeof misplaced / sizeof misplaced[0]; i++) {
        dwf_params p = { .name = NULL };
        fault_list faults = { 0 };
        yaml_node *tree = yaml_read_string(misplaced[i].yaml, "q.yaml", NULL);
        schema_read(tree, dwf_specs, &p, &faults);
        if (!fact(strcmp(text_string(&faults.lines), misplaced[i].faults) == 0, "keys that mean nothing: %s",
                  *misplaced[i].faults ? misplaced[i].faults : "none where the action has them"))
            note("but: %s", text_string(&faults.lines));
        text echo = { 0 };
        schema_echo(&echo, dwf_specs, &p, false);
        fact(faults.count > 0 || strstr(text_string(&echo), "\nb: 1.5\nc: 0.5\n"), "the echo has what the action has");
        fact(!strstr(text_string(&echo), "scale:"), "and leaves out what it has not");
        text_free(&echo);
        fault_list_free(&faults);
        dwf_input_free(&p);
        yaml_tree_free(tree);
    }
}

/* ---- what kiln check says of a sign function */

/* |1 - S| at x for S = (1 - T) / (1 + T), T = prod over the weights w of (1 - w x) / (1 + w x) */
static double deviation_at(const double *w, int count, double x)
{
    double t = 1;
    for (int s = 0; s < count; s++)
        t *= (1 - w[s] * x) / (1 + w[s] * x);
    return fabs(2 * t / (1 + t));
}

/* The weights that are printed have the error that is printed, both with a few digits. */
static void sign_functions(void)
{
    enum { SLICES = 6, POINTS = 20000 };
    static const char *const kinds[] = { "optimal", "optimal_symmetric" };
    const double least = 0.1, most = 6;
    const lattice_shape shape = lattice_shape_single((int[4]){ 4, 4, 4, 4 });
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char yaml[160];
        snprintf(yaml, sizeof yaml, "Ls: %d\naction: %s\nlambda_min: %g\nlambda_max: %g\n"
                 "determinants: [ { flavors: 2, mass: 0.2 } ]", SLICES, kinds[i], least, most);
        dwf_params p = dwf_from_text(yaml);
        text lines = { 0 };
        dwf_monomial.describe(&lines, &dwf_monomial, &p, &shape);
        const char *weights = strstr(text_string(&lines), "b = c ="), *bound = strstr(text_string(&lines), "at most ");
        require(weights && bound, "%s: %s", kinds[i], text_string(&lines));
        double w[SLICES], printed = strtod(bound + strlen("at most "), NULL), largest = 0;
        char *at = (char *)weights + strlen("b = c =");
        for (int s = 0; s < SLICES; s++)
            w[s] = strtod(at, &at);
        for (int n = 0; n <= POINTS; n++)
            largest = worse(largest, deviation_at(w, SLICES, least * pow(most / least, (double)n / POINTS)));
        fact(fabs(printed / largest - 1) < 0.01, "%s: |1 - S| of the weights that are printed is %.4g, printed is %.4g",
             kinds[i], largest, printed);
        text_free(&lines);
        dwf_input_free(&p);
    }
}

/* Whether there are words of warning when a monomial is made. */
static bool warned(const dwf_params *p, const gauge *u)
{
    static const char path[] = "test_dwf_params.log";
    char line[1024];
    bool found = false;
    failure f;
    require(log_open_file(path, &f), "%s", f.why);
    monomial_free(monomial_create(&dwf_monomial, p, u));
    log_close_file();
    FILE *log = fopen(path, "r");
    require(log != NULL, "%s was not written", path);
    while (fgets(line, sizeof line, log))
        found |= strstr(line, "warning: quarks: ") && strstr(line, "reversible");
    fclose(log);
    remove(path);
    return found;
}

static void warnings(void)
{
    static const struct { const char *residual; int chronological; bool warned; const char *what; } rows[] = {
        { "1e-7", 3, true, "who keeps solutions and solves the force to 1e-7 is told that reversibility suffers" },
        { "1e-8", 3, false, "to 1e-8 nothing is said" },
        { "1e-5", 0, false, "nor where solves start from zero" },
    };
    lattice *l = lattice_create_single((const int[]){ 2, 2, 2, 2 });
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char yaml[256];
        snprintf(yaml, sizeof yaml, "Ls: 4\nresiduals: { force: %s }\n"
                 "determinants: [ { flavors: 2, mass: 0.2, chronological: %d } ]", rows[i].residual,
                 rows[i].chronological);
        dwf_params p = dwf_from_text(yaml);
        fact(warned(&p, u) == rows[i].warned, "%s", rows[i].what);
        dwf_input_free(&p);
    }
    gauge_free(u);
    lattice_free(l);
}

#define TWO "determinants: [ { flavors: 2, mass: 0.1 } ]"

static double boundary_of(const char *yaml)
{
    dwf_params p = dwf_from_text(yaml);
    dwf_operator_params op;
    failure f;
    require(dwf_parameters.read(&op, &p.of, &f), "%s", f.why);
    dwf_input_free(&p);
    return op.boundary;
}

static void boundaries(void)
{
    fact(boundary_of("Ls: 4\n" TWO) == -1, "quarks are antiperiodic in t where nothing is said");
    fact(boundary_of("Ls: 4\nboundary: 0\n" TWO) == 1, "and periodic where their phase is 0");
}

int main(void)
{
    boundaries();
    refused();
    in_place();
    sign_functions();
    warnings();
    return facts_end();
}
