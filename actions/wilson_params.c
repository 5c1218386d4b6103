/* wilson_params.c - the input of Wilson quarks, and the factors of their determinants. */
#include "actions/wilson_params.h"

#include "actions/start_vectors.h"
#include "src/base/memory.h"
#include "src/operators/wilson_operator.h"

static const param_spec intermediate_specs[] = { INTERMEDIATE_MASS_SPECS(WILSON_MASS_MIN, WILSON_MASS_MAX, 0), { 0 } };

#define AT(member) offsetof(wilson_determinant_params, member)

static const param_spec determinant_specs[] = {
    { .key = "flavors", .type = PARAM_INT, .offset = AT(flavors), .fallback = "2", .min = 2, .max = 2,
      .doc = "number of flavours of this mass" },
    { .key = "mass", .type = PARAM_REAL, .offset = AT(mass), .min = WILSON_MASS_MIN, .max = WILSON_MASS_MAX,
      .flags = PARAM_ABOVE_MIN, .doc = "bare mass m = 1 / (2 kappa) - 4" },
    HASENBUSCH_SPEC(AT, intermediate_specs, ),
    { .key = "heavy", .type = PARAM_REAL, .offset = AT(heavy), .fallback = "-4", .min = WILSON_NO_DENOMINATOR,
      .max = WILSON_MASS_MAX,
      .doc = "mass of the last denominator of the Hasenbusch ratios, so that they can be distributed over several "
             "monomials; -4: there is none" },
    ROLE_OWN_RESIDUALS_SPEC(AT, "determinant", "monomial"),
    CHRONOLOGICAL_SPEC(AT, ),
    { 0 }
};

#undef AT
#define AT(member) offsetof(wilson_params, member)

const param_spec wilson_specs[] = {
    { .key = "name", .type = PARAM_TEXT, .offset = AT(name), .fallback = "quarks", .flags = PARAM_NOT_EMPTY,
      .doc = "name of the term in `hmc.levels`" },
    { .key = "boundary", .type = PARAM_INT, .offset = AT(boundary), .fallback = "1", .min = 0, .max = 1,
      .doc = "phase of the boundary in t, in units of pi: 1 antiperiodic, 0 periodic" },
    { .key = "determinants", .type = PARAM_LIST, .offset = AT(determinants), .flags = PARAM_NOT_EMPTY,
      .group = determinant_specs, .element_size = sizeof(wilson_determinant_params),
      .doc = "determinants; their product is the weight",
      .example = "[ { mass: 0.05, hasenbusch: [ { mass: 0.3 } ] } ]", .see = "wilson.md#input" },
    ROLE_SOLVES_SPECS(AT),
    { .key = "solver", .type = PARAM_CHOICE, .offset = AT(solver), .fallback = "adaptive", .choices = solver_names,
      .flags = PARAM_FREE_TO_CHANGE,
      .doc = "precisions of the solves. The first part of the name is the precision of residuals and solutions, the "
             "second that of the common Krylov space of multi-shift solves, the third that of solves of one system; "
             "if there is no third part, these use the second precision. adaptive: chooses by the table of "
             "domain-wall quarks, at Ls = 1; all reach the same residuals" },
    { 0 }
};

double wilson_kappa(double mass)
{
    return 1 / (2 * (4 + mass));
}

static double mass_as_given(double mass, const void *params)
{
    (void)params;
    return mass;
}

static bool add_determinant(quark_factor_list *list, const wilson_params *p, int number, failure *f)
{
    const wilson_determinant_params *d = (const wilson_determinant_params *)p->determinants.item + number;
    const two_flavor_chain chain = { d->hasenbusch, mass_as_given, p, d->residual, p->residual };
    const quark_factor_plan factor = {
        .kind = &two_flavors_factor,
        .mass = d->mass,
        .heavy = d->heavy,
        .alone = !wilson_has_denominator(d),
        .fields = 1,
        .residual = role_values_or(d->residual, p->residual),
        .chronological = (int)d->chronological,
    };
    return role_residuals_check(d->residual, number, f)
           && quark_factor_list_add_chain(list, factor, &chain, number, f);
}

static bool make_plan(quark_plan *plan, const void *params, failure *f)
{
    const wilson_params *p = params;
    wilson_operator_params *op = memory_alloc(sizeof *op, "the plan of Wilson quarks");
    failure why;
    op->boundary = p->boundary ? -1 : 1;
    *plan = (quark_plan){ .name = p->name, .d = wilson_operator_plan(op), .systems = 1,
                          .max_iterations = (int)p->max_iterations, .solver = (solver_kind)p->solver, .own = op };
    quark_factor_list list = { plan->factor, &plan->count, &plan->d };
    for (int n = 0; n < p->determinants.count; n++)
        if (!add_determinant(&list, p, n, &why))
            return fail(f, "%s: %s", p->name, why.why);
    return true;
}

static void describe(text *lines, const void *params)
{
    const wilson_params *p = params;
    for (int n = 0; n < p->determinants.count; n++) {
        const wilson_determinant_params *d = (const wilson_determinant_params *)p->determinants.item + n;
        text_add(lines, "mass %g: kappa %.8g\n", d->mass, wilson_kappa(d->mass));
    }
}

/* kappa = 1/4 is the critical value at infinitely strong coupling, 1/8 that of free quarks: between them lie those of
 * all couplings (K. G. Wilson, Phys. Rev. D 10 (1974) 2445). */
#define KAPPA_MAX 0.25

static void advise(text *lines, const void *params)
{
    const wilson_params *p = params;
    for (int n = 0; n < p->determinants.count; n++) {
        const wilson_determinant_params *d = (const wilson_determinant_params *)p->determinants.item + n;
        if (wilson_kappa(d->mass) > KAPPA_MAX)
            text_add(lines, "%s: determinants.%d.mass: %g means kappa = %.4g, which is above %g, the critical value at "
                     "strong coupling; check mass = 1 / (2 kappa) - 4\n", p->name, n, d->mass, wilson_kappa(d->mass),
                     KAPPA_MAX);
    }
}

static const quark_family wilson = { .plan = make_plan, .solvers = quark_plan_hop_solvers, .describe = describe };

const monomial_kind wilson_monomial = {
    .input = { .name = "wilson",
               .doc = "determinants of two flavours of Wilson quarks, with Hasenbusch ratios",
               .params = wilson_specs,
               .example = "name: light\ndeterminants:\n  - { mass: 0.05, hasenbusch: [ { mass: 0.3 } ] }",
               .see = "wilson.md",
               .size = sizeof(wilson_params) },
    .family = &wilson,
    .qcdml = &wilson_qcdml,
    .advise = advise,
    QUARKS_MONOMIAL,
};
