/* test_energy_error.c - residuals of refresh and action move S by no more than actions/energy_error.h says, and where
 * Kiln gives no warning by less than its bound. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/staggered_input.h"
#include "tests/actions/wall_input.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"

#include <math.h>
#include <string.h>

#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */
#define TIGHT 1e-12

/* Parameters of either kind: where their residuals are. */
typedef struct { const monomial_kind *kind; staggered_params staggered; wall_params walls; } params;

static const struct { const char *name; bool walls; const char *yaml; } rows[] = {
    { "HISQ 2+1", false, "determinants: [ { quarks: [ { mass: 0.02, flavors: 2 }, { mass: 0.1, flavors: 1 } ] } ]" },
    { "HISQ with a Hasenbusch mass, half precision inside", false, "solver: double-single-half\n"
      "determinants: [ { quarks: [ { mass: 0.02, flavors: 2 } ], hasenbusch: [ { mass: 0.3 } ] } ]" },
    { "two flavours of walls", true, "slices: 4\ndeterminants: [ { flavors: 2, mass: 0.05 } ]" },
    { "two flavours of walls, half precision inside", true, "solver: double-single-half\naction: mobius\nslices: 4\n"
      "determinants: [ { flavors: 2, mass: 0.05, hasenbusch: [ { mass: 0.3 } ] } ]" },
    { "one flavour, rational", true, "slices: 4\ndeterminants: [ { flavors: 1, mass: 0.2 } ]" },
    { "one flavour, exact", true, "slices: 4\ndeterminants: [ { flavors: 1, mass: 0.2, method: exact } ]" },
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const double residuals[] = { 1e-1, 1e-2, 1e-3, 1e-5 };
enum { RESIDUALS = sizeof residuals / sizeof residuals[0] };

static params params_of(int row)
{
    params p = { .kind = rows[row].walls ? &wall_monomial : &staggered_monomial };
    if (rows[row].walls)
        p.walls = wall_from_text(rows[row].yaml);
    else
        p.staggered = staggered_from_text(rows[row].yaml);
    return p;
}

static void params_free(params *p)
{
    if (p->kind == &wall_monomial)
        wall_input_free(&p->walls);
    else
        staggered_input_free(&p->staggered);
}

static const void *with_residuals(params *p, double refresh, double action)
{
    role_values *r = p->kind == &wall_monomial ? &p->walls.residual : &p->staggered.residual;
    r->of[ROLE_HEAT_BATH] = refresh;
    r->of[ROLE_ACTION] = action;
    return p->kind == &wall_monomial ? (const void *)&p->walls : &p->staggered;
}

static energy_errors errors_of(params *p, double refresh, double action, const gauge *u)
{
    energy_errors e = { 0 };
    p->kind->energy_errors(&e, p->kind, with_residuals(p, refresh, action), lattice_shape_of(u->links.lattice));
    return e;
}

/* S - |eta|^2; NaN where the monomial itself finds that too much. */
static double measured(params *p, double refresh, double action, const gauge *u)
{
    monomial *m = monomial_create(p->kind, with_residuals(p, refresh, action), u);
    monomial_call call = { .clock = NULL };
    double s;
    require(monomial_refresh(m, u, rng_key_for(21, 0, 1, RNG_PSEUDOFERMION), &call), "%s", call.trouble.why);
    const double drawn = call.drawn;
    const bool done = monomial_action(&s, m, u, &call);
    monomial_free(m);
    return done ? s - drawn : NAN;
}

static void in_role(params *p, int role, const gauge *u, const char *name)
{
    double worst = 0;
    for (int i = 0; i < RESIDUALS; i++) {
        const double r = residuals[i];
        const double refresh = role == ROLE_HEAT_BATH ? r : TIGHT, action = role == ROLE_ACTION ? r : TIGHT;
        const energy_errors e = errors_of(p, refresh, action, u);
        const double error = measured(p, refresh, action, u), bound = energy_error_of_solves(&e, role);
        text lines = { 0 };
        const int advice = energy_errors_advise(&lines, &e, "quarks");
        note("%s, %s, residual %g: S - |eta|^2 = %.3g, bound %.3g", name, role_names[role], r, error, bound);
        worst = fmax(worst, fabs(error) / bound);
        const bool named = strstr(text_string(&lines), role_keys[role]) != NULL;
        fact(advice == (bound > ENERGY_ERROR_MAX) && (advice > 0) == named, "%s, %s: residual %g: %s", name,
             role_names[role], r, advice ? text_string(&lines) : "no warning");
        fact(advice > 0 || fabs(error) < ENERGY_ERROR_MAX, "and S - |eta|^2 is %.2g", error);
        text_free(&lines);
    }
    fact(worst < 1, "%s, %s: S is wrong by less than the bound (%.2g of it)", name, role_names[role], worst);

    energy_errors e = errors_of(p, 0.1, 0.1, u);
    const double allowed = energy_error_residual(&e, role, ENERGY_ERROR_MAX);
    e = errors_of(p, allowed, allowed, u);
    fact_close(energy_error_of_solves(&e, role), ENERGY_ERROR_MAX, 1e-9, "%s, %s: the advice is the bound", name,
               role_names[role]);
}

int main(void)
{
    const int extents[4] = { 4, 4, 2, 2 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    double *numbers = analytic_links(extents, ROUGHNESS);
    gauge_import(u, numbers);
    memory_free(numbers);
    for (int row = 0; row < ROWS; row++) {
        params p = params_of(row);
        in_role(&p, ROLE_HEAT_BATH, u, rows[row].name);
        in_role(&p, ROLE_ACTION, u, rows[row].name);
        params_free(&p);
    }
    gauge_free(u);
    lattice_free(l);
    return facts_end();
}
