/* test_solve_advice.c - a solve that did not converge: more iterations are advised where they were used up, and only
 * there; where double precision does not reach the residual, a larger one is. */
#include "actions/wilson_params.h"
#include "src/lattice/rng.h"
#include "tests/actions/staggered_input.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <stdio.h>
#include <string.h>

static const int extents[4] = { 4, 4, 4, 4 };

/* The reason why a refresh or the action after it fails; "" if both succeed. */
static failure reason_of(const monomial_kind *kind, const void *params, const gauge *u)
{
    monomial *m = monomial_create(kind, params, u);
    monomial_call call = { .failure = { "" } };
    double action;
    if (monomial_refresh(m, u, rng_key_for(5, 0, 1, RNG_PSEUDOFERMION), &call))
        monomial_action(&action, m, u, &call);
    monomial_free(m);
    return call.failure;
}

static failure of_staggered(const gauge *u, const char *solver, double residual, int max_iterations)
{
    char yaml[512];
    snprintf(yaml, sizeof yaml, "{ action: naive, boundary: 0, determinants: [{ quarks: [{ mass: 0.001, flavors: 2 "
                                "}] }], solver: "
                                "%s, max_iterations: %d, errors: { refresh: 1e-7, action: 1e-7, force: 1e-7 }, "
                                "largest_eigenvalue: 20, "
                                "residuals: { refresh: %g, action: %g } }",
             solver, max_iterations, residual, residual);
    staggered_params p = staggered_from_text(yaml);
    const failure f = reason_of(&staggered_monomial, &p, u);
    staggered_input_free(&p);
    return f;
}

static failure of_wilson(const gauge *u, const char *solver, double residual, int max_iterations)
{
    char yaml[512];
    snprintf(yaml, sizeof yaml, "{ boundary: 0, determinants: [{ mass: 1e-5 }], solver: %s, max_iterations: %d, "
                                "residuals: { refresh: %g, action: %g } }", solver, max_iterations, residual, residual);
    wilson_params p = { .name = NULL };
    params_from_text(&p, wilson_specs, yaml);
    const failure f = reason_of(&wilson_monomial, &p, u);
    schema_free_values(wilson_specs, &p);
    return f;
}

typedef failure maker(const gauge *u, const char *solver, double residual, int max_iterations);

/* The residual after "request a residual of "; 0: none is advised. */
static double advised(const failure *f)
{
    static const char before[] = "request a residual of ";
    const char *at = strstr(f->why, before);
    double residual = 0;
    return at && sscanf(at + strlen(before), "%lf", &residual) == 1 ? residual : 0;
}

static void advice(const gauge *u, maker *make, const char *quarks, const char *solver)
{
    failure f = make(u, solver, 1e-14, 20000);
    const double residual = advised(&f);
    fact(strstr(f.why, "did not converge") && !strstr(f.why, "raise max_iterations"),
         "%s, %s: a residual of 1e-14 is out of reach, and more iterations are not advised", quarks, solver);
    fact(residual > 1e-14 && residual < 1e-6, "%s, %s: but a larger residual, %g (%s)", quarks, solver, residual,
         f.why);
    if (residual == 0)
        return;
    f = make(u, solver, 10 * residual, 20000);
    fact(f.why[0] == '\0', "%s, %s: ten times the advised one is reached (%s)", quarks, solver, f.why);
    f = make(u, solver, 1e-10, 2);
    fact(strstr(f.why, "of at most 2 iterations") && strstr(f.why, "raise max_iterations") && advised(&f) == 0,
         "%s, %s: after 2 of 2 iterations more iterations are advised", quarks, solver);
}

int main(void)
{
    static const char *const solvers[] = { "double", "double-single", NULL };
    FOR_EVERY_PLACE(where) {
        lattice *l = lattice_create_single(extents);
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        gauge_set_unit(u);                             /* periodic: the smallest eigenvalue is that of the mass */
        for (int i = 0; solvers[i]; i++) {
            advice(u, of_staggered, "staggered quarks", solvers[i]);
            advice(u, of_wilson, "Wilson quarks", solvers[i]);
        }
        gauge_free(u);
        lattice_free(l);
    }
    return facts_end();
}
