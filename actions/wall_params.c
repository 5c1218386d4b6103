/* wall_params.c - the input of domain-wall quarks, and how determinants become factors. */
#include "actions/wall_params.h"

#include "actions/start_vectors.h"
#include "src/base/memory.h"

#include <math.h>
#include <string.h>

static const char *const methods[] = { "rational", "exact", NULL };
static const quark_factor_kind *const kinds_of_methods[] = { &rational_ratio_factor, &exact_one_flavor_factor };

enum { CONVENTION_RBC, CONVENTION_CHIU };
const char *const wall_conventions[] = { "rbc", "chiu", NULL };

#define PAULI_VILLARS 1.0

static const param_spec intermediate_specs[] = { INTERMEDIATE_MASS_SPECS(0, WALL_MASS_MAX, PARAM_TUNABLE), { 0 } };

#define AT(member) offsetof(wall_determinant_params, member)
#define OF_TWO_FLAVORS .choice = "flavors", .chosen = "2",

static const param_spec determinant_specs[] = {
    { .key = "flavors", .type = PARAM_INT, .offset = AT(flavors), .min = 1, .max = 2, .doc = "2 or 1 of this mass" },
    { .key = "mass", .type = PARAM_REAL, .offset = AT(mass), .min = 0, .max = WALL_MASS_MAX,
      .doc = "of the quarks, in the convention of the monomial" },
    HASENBUSCH_SPEC(AT, intermediate_specs, OF_TWO_FLAVORS),
    { .key = "heavy", .type = PARAM_REAL, .offset = AT(heavy), .fallback = "0", .min = 0, .max = WALL_MASS_MAX,
      .doc = "mass of the last denominator, so that a chain can be spread over monomials; 0: Pauli-Villars, m = 1" },
    { .key = "method", .type = PARAM_CHOICE, .offset = AT(method), .fallback = "rational", .choices = methods,
      .choice = "flavors", .chosen = "1",
      .doc = "one flavour: by rational functions, or the exact one-flavour action" },
    { .key = "fields", .type = PARAM_INT, .offset = AT(fields), .fallback = "1", .min = 1,
      .max = QUARK_ROOTS_MAX,
      .choice = "flavors", .chosen = "1",
      .doc = "method rational: split into so many equal pseudofermions (n-th roots)" },
    { .key = "residuals", .type = PARAM_GROUP, .offset = AT(residual), .fallback = "{}",
      .group = role_own_residual_specs, .doc = "of its solves; 0: as the monomial has them" },
    { .key = "errors", .type = PARAM_GROUP, .offset = AT(error), .fallback = "{}", .group = role_error_specs,
      .choice = "flavors", .chosen = "1",
      .doc = "one flavour: of the rational functions: their orders follow" },
    CHRONOLOGICAL_SPEC(AT, OF_TWO_FLAVORS),
    { .key = "smallest_eigenvalue", .type = PARAM_REAL, .offset = AT(smallest_eigenvalue), .fallback = "0", .min = 0,
      .max = 1000, .flags = PARAM_FREE_TO_CHANGE,
      .choice = "flavors", .chosen = "1",
      .doc = "one flavour: the lower end of the rational functions' range; 0: measured" },
    { .key = "largest_eigenvalue", .type = PARAM_REAL, .offset = AT(largest_eigenvalue), .fallback = "0", .min = 0,
      .max = 1000, .flags = PARAM_FREE_TO_CHANGE,
      .choice = "flavors", .chosen = "1",
      .doc = "one flavour: the upper end of the rational functions' range; 0: measured" },
    { 0 }
};

#undef AT
#define AT(member) offsetof(wall_params, member)

const param_spec wall_specs[] = {
    { .key = "name", .type = PARAM_TEXT, .offset = AT(name), .fallback = "quarks", .flags = PARAM_NOT_EMPTY,
      .doc = "what the levels of the integrator call it" },
    WALL_ACTION_SPECS(AT),
    { .key = "determinants", .type = PARAM_LIST, .offset = AT(determinants), .flags = PARAM_NOT_EMPTY,
      .group = determinant_specs, .element_size = sizeof(wall_determinant_params),
      .doc = "their product is the weight" },
    { .key = "residuals", .type = PARAM_GROUP, .offset = AT(residual), .fallback = "{}", .group = role_residual_specs,
      .doc = "where solves stop" },
    { .key = "max_iterations", .type = PARAM_INT, .offset = AT(max_iterations), .fallback = "20000", .min = 1,
      .max = 10000000, .flags = PARAM_FREE_TO_CHANGE, .doc = "of a solve; one that needs more stops the run" },
    WALL_SOLVER_SPECS(AT),
    { 0 }
};

double wall_mass_of(double mass, const wall_params *p)
{
    return p->mass_convention == CONVENTION_CHIU ? wall_mass_of_chiu(mass, p->height) : mass;
}

double wall_mass_as_given(double mass, const wall_params *p)
{
    return p->mass_convention == CONVENTION_CHIU ? wall_chiu_mass_of(mass, p->height) : mass;
}

static double mass_of(double mass, const void *params)
{
    return wall_mass_of(mass, params);
}

static bool add_determinant(quark_factor_list *list, const wall_params *p, int number, failure *f)
{
    const wall_determinant_params *d = (const wall_determinant_params *)p->determinants.item + number;
    const two_flavor_chain chain = { d->hasenbusch, mass_of, p, d->residual, p->residual };
    const quark_factor_plan factor = {
        .kind = d->flavors == 2 ? &two_flavors_factor : kinds_of_methods[d->method],
        .mass = wall_mass_of(d->mass, p),
        .heavy = d->heavy == 0 ? PAULI_VILLARS : wall_mass_of(d->heavy, p),
        .fields = (int)d->fields,
        .residual = role_values_or(d->residual, p->residual),
        .error = d->error,
        .smallest = d->smallest_eigenvalue,
        .largest = d->largest_eigenvalue,
        .chronological = (int)d->chronological,
    };
    if (!role_residuals_check(d->residual, number, f))
        return false;
    if (factor.heavy > PAULI_VILLARS)
        return fail(f, "determinants.%d: the last denominator is m = %g, but Pauli-Villars is m = 1", number,
                    factor.heavy);
    return d->flavors == 2 ? quark_factor_list_add_chain(list, factor, &chain, number, f)
                           : quark_factor_list_add(list, factor, number, f);
}

bool wall_plan_make(wall_plan *plan, const wall_params *p, failure *f)
{
    const wall_weights_params weights = { .kind = p->action, .slices = (int)p->slices, .height = p->height, .b = p->b,
                                          .c = p->c, .scale = p->scale, .lambda_min = p->lambda_min,
                                          .lambda_max = p->lambda_max };
    failure why;
    memset(plan, 0, sizeof *plan);
    plan->boundary = p->boundary ? -1 : 1;
    if (!wall_weights_make(&plan->weights, &weights, &why))
        return fail(f, "%s: %s", p->name, why.why);
    const dwf_operator_params op = { plan->weights, plan->boundary };
    const dirac_plan of_walls = dwf_operator_plan(&op);
    quark_factor_list list = { plan->factor, &plan->count, &of_walls };
    for (int d = 0; d < p->determinants.count; d++)
        if (!add_determinant(&list, p, d, &why))
            return fail(f, "%s: %s", p->name, why.why);
    return true;
}

/* ---- the family */

static bool make_plan(quark_plan *plan, const void *params, failure *f)
{
    const wall_params *p = params;
    wall_plan of_walls;
    if (!wall_plan_make(&of_walls, p, f))
        return false;
    dwf_operator_params *op = memory_alloc(sizeof *op, "the plan of domain-wall quarks");
    *op = (dwf_operator_params){ of_walls.weights, of_walls.boundary };
    *plan = (quark_plan){ .name = p->name, .d = dwf_operator_plan(op), .count = of_walls.count, .systems = 1,
                          .max_iterations = (int)p->max_iterations, .solver = (solver_kind)p->solver, .own = op };
    memcpy(plan->factor, of_walls.factor, sizeof plan->factor);
    return true;
}

/* "b = 1.5, c = 0.5", or all of them and how far S is from a sign */
static void describe(text *lines, const void *params)
{
    const wall_params *p = params;
    const bool symmetric = p->action == WALL_OPTIMAL_SYMMETRIC;
    wall_plan plan;
    if (!wall_plan_make(&plan, p, NULL))
        return;
    const wall_weights *w = &plan.weights;
    text_add(lines, "%d slices, ", w->slices);
    if (p->action != WALL_OPTIMAL && !symmetric) {
        text_add(lines, "b = %.6g, c = %.6g\n", w->b[0], w->c[0]);
        return;
    }
    text_add(lines, "b = c =");
    for (int s = 0; s < w->slices; s++)
        text_add(lines, " %.6g", w->b[s]);
    const double d = wall_zolotarev_deviation(w->slices, p->lambda_min, p->lambda_max);
    const double largest = symmetric ? 2 * d / (1 + d) : d;
    text_add(lines, "\n|1 - S| at most %.3g for |gamma5 Dw| from %g to %g\n", largest, p->lambda_min,
             p->lambda_max);
}

static const quark_family walls = { .plan = make_plan, .solvers = hop_solvers, .describe = describe };

const monomial_kind wall_monomial = {
    .input = { .name = "domain_wall",
               .doc = "determinants of domain-wall quarks (Shamir, Moebius, optimal) over Pauli-Villars fields: two "
                      "flavours with Hasenbusch ratios, one flavour by RHMC or the exact one-flavour action",
               .params = wall_specs,
               .size = sizeof(wall_params) },
    .family = &walls,
    .qcdml = &wall_qcdml,
    QUARKS_MONOMIAL,
};
