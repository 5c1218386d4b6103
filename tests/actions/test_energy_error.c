/* test_energy_error.c - residuals of refresh and action move S by no more than actions/energy_error.h says, and where
 * Kiln gives no warning by less than its bound. */
#include "actions/staggered_quarks.h"
#include "actions/dwf_params.h"
#include "actions/wilson_params.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/quark_fields.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */
#define TIGHT 1e-12

typedef struct { const char *name; const monomial_kind *kind; const char *yaml; } row;
static const row rows[] = {
    { "HISQ 2+1", &staggered_monomial,
      "determinants: [ { quarks: [ { mass: 0.02, flavors: 2 }, { mass: 0.1, flavors: 1 } ] } ]" },
    { "HISQ with a Hasenbusch mass, half precision inside", &staggered_monomial, "solver: double-single-half\n"
      "determinants: [ { quarks: [ { mass: 0.02, flavors: 2 } ], hasenbusch: [ { mass: 0.3 } ] } ]" },
    { "two flavors of walls", &dwf_monomial, "Ls: 4\ndeterminants: [ { flavors: 2, mass: 0.05 } ]" },
    { "two flavors of walls, half precision inside", &dwf_monomial,
      "solver: double-single-half\naction: mobius\nLs: 4\n"
      "determinants: [ { flavors: 2, mass: 0.05, hasenbusch: [ { mass: 0.3 } ] } ]" },
    { "one flavor, rational", &dwf_monomial, "Ls: 4\ndeterminants: [ { flavors: 1, mass: 0.2 } ]" },
    { "one flavor, exact", &dwf_monomial, "Ls: 4\ndeterminants: [ { flavors: 1, mass: 0.2, method: exact } ]" },
    { "a ratio of Wilson quarks", &wilson_monomial, "determinants: [ { flavors: 2, mass: 0.05, heavy: 0.3 } ]" },
    { "a ratio of Wilson quarks, negative mass, half precision inside", &wilson_monomial,
      "solver: double-single-half\ndeterminants: [ { flavors: 2, mass: -0.3, heavy: 0.3 } ]" },
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const double residuals[] = { 1e-1, 1e-2, 1e-3, 1e-5 };
enum { RESIDUALS = sizeof residuals / sizeof residuals[0] };

static void *with_residuals(const row *of, double refresh, double action)
{
    char yaml[512];
    snprintf(yaml, sizeof yaml, "residuals: { refresh: %.17g, action: %.17g }\n%s", refresh, action, of->yaml);
    return monomial_params(of->kind, yaml);
}

static energy_errors errors_of(const row *of, double refresh, double action, const gauge *u)
{
    energy_errors e = { 0 };
    void *p = with_residuals(of, refresh, action);
    of->kind->energy_errors(&e, of->kind, p, lattice_shape_of(u->links.lattice));
    monomial_params_free(of->kind, p);
    return e;
}

/* S - |eta|^2; NaN where the monomial itself finds that too much. */
static double measured(const row *of, double refresh, double action, const gauge *u)
{
    void *p = with_residuals(of, refresh, action);
    monomial *m = monomial_create(of->kind, p, u);
    monomial_call call = { .clock = NULL };
    double s;
    require(monomial_refresh(m, u, rng_key_for(21, 0, 1, RNG_PSEUDOFERMION), &call), "%s", call.failure.why);
    const double drawn = call.drawn;
    const bool done = monomial_action(&s, m, u, &call);
    monomial_free(m);
    monomial_params_free(of->kind, p);
    return done ? s - drawn : NAN;
}

static void in_role(const row *of, int role, const gauge *u)
{
    const char *name = of->name;
    double worst = 0;
    for (int i = 0; i < RESIDUALS; i++) {
        const double r = residuals[i];
        const double refresh = role == ROLE_REFRESH ? r : TIGHT, action = role == ROLE_ACTION ? r : TIGHT;
        const energy_errors e = errors_of(of, refresh, action, u);
        const double error = measured(of, refresh, action, u), bound = energy_error_of_solves(&e, role);
        text lines = { 0 };
        const int advice = energy_errors_advise(&lines, &e, "quarks");
        note("%s, %s, residual %g: S - |eta|^2 = %.3g, bound %.3g", name, role_names[role], r, error, bound);
        worst = worse(worst, fabs(error) / bound);
        const bool named = strstr(text_string(&lines), role_keys[role]) != NULL;
        fact(advice == (bound > ENERGY_ERROR_MAX) && (advice > 0) == named, "%s, %s: residual %g: %s", name,
             role_names[role], r, advice ? text_string(&lines) : "no warning");
        fact(advice > 0 || fabs(error) < ENERGY_ERROR_MAX, "and S - |eta|^2 is %.2g", error);
        text_free(&lines);
    }
    fact(worst < 1, "%s, %s: S is wrong by less than the bound (%.2g of it)", name, role_names[role], worst);

    energy_errors e = errors_of(of, 0.1, 0.1, u);
    const double allowed = energy_error_residual(&e, role, ENERGY_ERROR_MAX);
    e = errors_of(of, allowed, allowed, u);
    fact_close(energy_error_of_solves(&e, role), ENERGY_ERROR_MAX, 1e-9, "%s, %s: the advice is the bound", name,
               role_names[role]);
}

/* How the bound grows with a small residual r: with r, or with r^2 where the action is variational. */
static double power_of(const row *of, int role, const gauge *u)
{
    const energy_errors one = errors_of(of, 1e-10, 1e-10, u), ten = errors_of(of, 1e-9, 1e-9, u);
    return log10(energy_error_of_solves(&ten, role) / energy_error_of_solves(&one, role));
}

static void orders(const gauge *u)
{
    for (int n = 0; n < ROWS; n++) {
        const bool ratio = strstr(rows[n].name, "two flavors of walls") || strstr(rows[n].name, "Wilson quarks");
        fact_close(power_of(&rows[n], ROLE_REFRESH, u), 1, 0.01, "%s: the refresh is wrong by the residual itself",
                   rows[n].name);
        fact_close(power_of(&rows[n], ROLE_ACTION, u), ratio ? 2 : 1, 0.01, "%s: the action by its %s", rows[n].name,
                   ratio ? "square" : "first power");
    }
}

int main(void)
{
    const int extents[4] = { 4, 4, 2, 2 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    double *numbers = analytic_links(extents, ROUGHNESS);
    gauge_import(u, numbers);
    memory_free(numbers);
    orders(u);
    for (int n = 0; n < ROWS; n++) {
        in_role(&rows[n], ROLE_REFRESH, u);
        in_role(&rows[n], ROLE_ACTION, u);
    }
    gauge_free(u);
    lattice_free(l);
    return facts_end();
}
