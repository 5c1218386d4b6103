/* test_wall_params.c - inputs of domain-wall quarks: what is refused, and how; what is warned of; what a default is. */
#include "src/base/log.h"
#include "tests/actions/wall_input.h"
#include "tests/facts.h"

#include <stdio.h>
#include <string.h>

/* ---- what is refused, and how */

static const struct { const char *yaml, *sentence; } refusals[] = {
    { "slices: 4\ndeterminants: [ { flavors: 2, mass: 0.2, hasenbusch: [ { mass: 0.1 } ] } ]",
      "quarks: determinants.0: masses must ascend, up to the last denominator, but after m = 0.2 comes 0.1" },
    { "slices: 4\ndeterminants: [ { flavors: 2, mass: 0.2 }, { flavors: 2, mass: 0.1, heavy: 1.5 } ]",
      "quarks: determinants.1: the last denominator is m = 1.5, but Pauli-Villars is m = 1" },
    { "slices: 4\ndeterminants: [ { flavors: 1, mass: 0.2, hasenbusch: [ { mass: 0.3 } ] } ]",
      "quarks: determinants.0: hasenbusch and chronological are for two flavours" },
    { "slices: 4\ndeterminants: [ { flavors: 2, mass: 0.2, fields: 2 } ]",
      "quarks: determinants.0: method, fields, errors and eigenvalues are for one flavour" },
    { "slices: 4\ndeterminants: [ { flavors: 2, mass: 0.2, method: exact } ]",
      "quarks: determinants.0: method, fields, errors and eigenvalues are for one flavour" },
    { "slices: 4\ndeterminants: [ { flavors: 2, mass: 0.2, errors: { force: 1e-9 } } ]",
      "quarks: determinants.0: method, fields, errors and eigenvalues are for one flavour" },
    { "slices: 4\ndeterminants: [ { flavors: 2, mass: 0.2, residuals: { force: 1e-16 } } ]",
      "quarks: determinants.0.residuals: 1e-16 for the force: 0, or from 1e-14 on" },
    { "slices: 5\naction: optimal_symmetric\ndeterminants: [ { flavors: 2, mass: 0.2 } ]",
      "quarks: the weights of kind optimal_symmetric need an even number of slices, not 5" },
    { "slices: 4\nb: 2\ndeterminants: [ { flavors: 2, mass: 0.2 } ]",
      "quarks: b is for the action mobius, not for shamir" },
    { "slices: 4\naction: mobius\nlambda_min: 0.1\ndeterminants: [ { flavors: 2, mass: 0.2 } ]",
      "quarks: lambda_min is for the action optimal or optimal_symmetric, not for mobius" },
    { "slices: 4\naction: optimal\nscale: 3\ndeterminants: [ { flavors: 2, mass: 0.2 } ]",
      "quarks: scale is for the action scaled_shamir, not for optimal" },
};

static void refused(void)
{
    static const int extents[4] = { 4, 4, 4, 4 };
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        wall_params p = wall_from_text(refusals[i].yaml);
        failure f = { "" };
        if (!fact(!wall_monomial.check(&p, extents, &f) && strcmp(f.why, refusals[i].sentence) == 0,
                  "it is said: %s", refusals[i].sentence))
            note("but: %s", f.why);
        wall_input_free(&p);
    }
}

/* Whether there are words of warning when a monomial is made. */
static bool warned(const wall_params *p, const gauge *u)
{
    static const char path[] = "test_wall_params.log";
    char line[1024];
    bool found = false;
    failure f;
    require(log_open_file(path, &f), "%s", f.why);
    monomial_free(wall_monomial.create(p, u));
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
    lattice *l = lattice_create((const int[]){ 2, 2, 2, 2 });
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char yaml[256];
        snprintf(yaml, sizeof yaml, "slices: 4\nresiduals: { force: %s }\n"
                 "determinants: [ { flavors: 2, mass: 0.2, chronological: %d } ]", rows[i].residual,
                 rows[i].chronological);
        wall_params p = wall_from_text(yaml);
        fact(warned(&p, u) == rows[i].warned, "%s", rows[i].what);
        wall_input_free(&p);
    }
    gauge_free(u);
    lattice_free(l);
}

#define TWO "determinants: [ { flavors: 2, mass: 0.1 } ]"

static double boundary_of(const char *yaml)
{
    wall_params p = wall_from_text(yaml);
    wall_plan plan;
    failure f;
    require(wall_plan_make(&plan, &p, &f), "%s", f.why);
    wall_input_free(&p);
    return plan.boundary;
}

static void boundaries(void)
{
    fact(boundary_of("slices: 4\n" TWO) == -1, "quarks are antiperiodic in t where nothing is said");
    fact(boundary_of("slices: 4\nboundary: 0\n" TWO) == 1, "and periodic where their phase is 0");
}

int main(void)
{
    boundaries();
    refused();
    warnings();
    return facts_end();
}
