/* dwf_params.c - the input of domain-wall quarks, and the factors of their determinants. */
#include "actions/dwf_params.h"

#include "actions/rational_range.h"
#include "actions/start_vectors.h"
#include "src/base/memory.h"

static const char *const methods[] = { "rational", "exact", NULL };
static const quark_factor_kind *const kinds_of_methods[] = { &rational_ratio_factor, &exact_one_flavor_factor };

#define PAULI_VILLARS 1.0

static const param_spec intermediate_specs[] = { INTERMEDIATE_MASS_SPECS(0, DWF_MASS_MAX, PARAM_TUNABLE), { 0 } };

#define AT(member) offsetof(dwf_determinant_params, member)
#define OF_ONE_FLAVOR  .choice = "flavors", .chosen = "1",
#define OF_TWO_FLAVORS .choice = "flavors", .chosen = "2",

static const param_spec determinant_specs[] = {
    { .key = "flavors", .type = PARAM_INT, .offset = AT(flavors), .min = 1, .max = 2,
      .doc = "number of flavors of this mass" },
    { .key = "mass", .type = PARAM_REAL, .offset = AT(mass), .min = 0, .max = DWF_MASS_MAX,
      .doc = "quark mass, in the convention of the monomial" },
    HASENBUSCH_SPEC(AT, intermediate_specs, OF_TWO_FLAVORS),
    { .key = "heavy", .type = PARAM_REAL, .offset = AT(heavy), .given = AT(given.heavy), .formerly = "0",
      .min = 0, .max = DWF_MASS_MAX, .flags = PARAM_OPTIONAL,
      .doc = "mass of the last denominator of the Hasenbusch ratios, so that they can be distributed over several "
             "monomials; without it Pauli-Villars, m = 1" },
    { .key = "method", .type = PARAM_CHOICE, .offset = AT(method), .fallback = "rational", .choices = methods,
      .flags = PARAM_NUMERICAL, OF_ONE_FLAVOR
      .doc = "one flavor: RHMC with rational functions, or the exact one-flavor action" },
    { .key = "fields", .type = PARAM_INT, .offset = AT(fields), .fallback = "1", .min = 1,
      .max = QUARK_ROOTS_MAX, .flags = PARAM_TUNABLE | PARAM_NUMERICAL,
      OF_ONE_FLAVOR
      .doc = "method rational: number n of independent pseudofermions, each for the n-th root" },
    ROLE_OWN_RESIDUALS_SPEC(AT, "determinant", "monomial"),
    ROLE_ERRORS_SPEC(AT, OF_ONE_FLAVOR),
    CHRONOLOGICAL_SPEC(AT, OF_TWO_FLAVORS),
    RATIONAL_RANGE_SPECS(AT, OF_ONE_FLAVOR),
    { 0 }
};

#undef AT
#define AT(member) offsetof(dwf_params, member)
#define OPERATOR_AT(member) AT(of.member)

const param_spec dwf_specs[] = {
    { .key = "name", .type = PARAM_TEXT, .offset = AT(name), .fallback = "quarks", .flags = PARAM_NOT_EMPTY,
      .doc = "name of the term in `hmc.levels`" },
    DWF_ACTION_SPECS(OPERATOR_AT),
    STOUT_SPEC(OPERATOR_AT),
    { .key = "determinants", .type = PARAM_LIST, .offset = AT(determinants), .flags = PARAM_NOT_EMPTY,
      .group = determinant_specs, .element_size = sizeof(dwf_determinant_params),
      .doc = "determinants; their product is the weight",
      .example = "[ { flavors: 2, mass: 0.01, hasenbusch: [ { mass: 0.1 } ] },\n"
                 "                { flavors: 1, mass: 0.05, method: exact } ]",
      .see = "domain_wall.md#two-flavors" },
    ROLE_SOLVES_SPECS(AT),
    DWF_SOLVER_SPECS(AT),
    { 0 }
};

static double mass_of(const intermediate_mass *h, const void *params)
{
    return dwf_mass_of(h->mass, &((const dwf_params *)params)->of);
}

static bool add_determinant(quark_factor_list *list, const dwf_params *p, int number, failure *f)
{
    const dwf_determinant_params *d = (const dwf_determinant_params *)p->determinants.item + number;
    const two_flavor_chain chain = { .masses = d->hasenbusch, .mass_of = mass_of, .params = p };
    const quark_factor_plan factor = {
        .kind = d->flavors == 2 ? &two_flavors_factor : kinds_of_methods[d->method],
        .fields = (int)d->fields,
        .residual = role_values_or(d->residual, p->residual),
        .error = d->error,
        .smallest = d->smallest_eigenvalue,
        .largest = d->largest_eigenvalue,
        .given = { d->given.smallest_eigenvalue, d->given.largest_eigenvalue },
        .chronological = (int)d->chronological,
    };
    const quark_ratio ratio = { factor, { .mass = dwf_mass_of(d->mass, &p->of) },
                                { .mass = d->given.heavy ? dwf_mass_of(d->heavy, &p->of) : PAULI_VILLARS } };
    if (ratio.heavy.mass > PAULI_VILLARS)
        return fail(f, "determinants.%d: the last denominator has m = %g, above m = 1 of Pauli-Villars", number,
                    ratio.heavy.mass);
    return d->flavors == 2 ? quark_factor_list_add_chain(list, ratio, &chain, number, f)
                           : quark_factor_list_add(list, ratio, number, f);
}

static int add_mass(void *operator_params, quark_mass m)
{
    return dwf_operator_add_mass(operator_params, m.mass);
}

static bool make_plan(quark_plan *plan, const void *params, failure *f)
{
    const dwf_params *p = params;
    dwf_operator_params *own = memory_alloc(sizeof *own, "the plan of domain-wall quarks");
    failure why;
    *plan = (quark_plan){ .name = p->name, .systems = 1, .max_iterations = (int)p->max_iterations,
                          .norm = (residual_norm)p->residual_norm,
                          .solver = (solver_precision)p->solver, .own = own };
    if (!dwf_parameters.read(own, &p->of, &why))
        return fail(f, "%s: %s", p->name, why.why);
    plan->d = dwf_parameters.plan(own, &p->of);
    quark_factor_list list = { plan->factor, &plan->count, &plan->d, add_mass, own };
    for (int d = 0; d < p->determinants.count; d++)
        if (!add_determinant(&list, p, d, &why))
            return fail(f, "%s: %s", p->name, why.why);
    return true;
}

static void describe(text *lines, const void *params)
{
    dwf_parameters.describe(lines, &((const dwf_params *)params)->of);
}

static const quark_family dwf_family = { .plan = make_plan, .solvers = quark_plan_hop_solvers, .describe = describe };

const monomial_kind dwf_monomial = {
    .input = { .name = "domain_wall",
               .doc = "determinants of domain-wall quarks (Shamir, Moebius, optimal) over Pauli-Villars fields: two "
                      "flavors with Hasenbusch ratios, one flavor by RHMC or the exact one-flavor action",
               .params = dwf_specs,
               .example = "name: light\naction: mobius\nLs: 12\nM5: 1.8\nb: 1.5\nc: 0.5\ndeterminants:\n"
                          "  - { flavors: 2, mass: 0.01, hasenbusch: [ { mass: 0.1 } ] }",
               .see = "domain_wall.md",
               .size = sizeof(dwf_params) },
    .su3_links = true,
    .family = &dwf_family,
    .qcdml = &dwf_qcdml,
    QUARKS_MONOMIAL,
};
