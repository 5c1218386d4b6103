/* staggered_params.c - the input of staggered quarks, and the pseudofermions of their determinants. */
#include "actions/staggered_params.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const precisions[] = { "single", "double", NULL };         /* PRECISION_SINGLE, PRECISION_DOUBLE */

static const param_spec quark_specs[] = {
    { .key = "mass", .type = PARAM_REAL, .offset = offsetof(quark_params, mass), .min = 0,
      .max = STAGGERED_MASS_MAX, .flags = PARAM_ABOVE_MIN, .doc = "a m, in the usual normalization (M = m + D/2)" },
    { .key = "flavors", .type = PARAM_INT, .offset = offsetof(quark_params, flavors), .min = -STAGGERED_FLAVORS_MAX,
      .max = STAGGERED_FLAVORS_MAX,
      .doc = "number of flavors of this mass; negative: their determinant is in the denominator" },
    { 0 }
};

#define HASENBUSCH_AT(member) offsetof(hasenbusch_params, member)

static const param_spec hasenbusch_specs[] = {
    { .key = "mass", .type = PARAM_REAL, .offset = HASENBUSCH_AT(mass), .min = 0,
      .max = STAGGERED_MASS_MAX, .flags = PARAM_ABOVE_MIN | PARAM_TUNABLE, .doc = "a m of the intermediate mass" },
    { .key = "fields", .type = PARAM_INT, .offset = HASENBUSCH_AT(fields), .fallback = "1", .min = 1,
      .max = STAGGERED_FIELDS_MAX, .flags = PARAM_TUNABLE,
      .doc = "number n of independent pseudofermions, each for the n-th root of the factor that has this mass in "
             "the numerator: det(M_i)/det(M_i+1), or det(M_i) for the last mass" },
    ROLE_OWN_RESIDUALS_SPEC(HASENBUSCH_AT, "factor", "determinant"),
    { 0 }
};

#define DETERMINANT_AT(member) offsetof(determinant_params, member)

static const param_spec determinant_specs[] = {
    { .key = "quarks", .type = PARAM_LIST, .offset = DETERMINANT_AT(quarks), .flags = PARAM_NOT_EMPTY,
      .group = quark_specs, .element_size = sizeof(quark_params), .doc = "the quarks of this determinant",
      .example = "[ { mass: 0.013, flavors: 2 }, { mass: 0.065, flavors: 1 } ]",
      .see = "physics.md#masses-and-flavors" },
    { .key = "hasenbusch", .type = PARAM_LIST, .offset = DETERMINANT_AT(hasenbusch), .fallback = "[]",
      .group = hasenbusch_specs, .element_size = sizeof(hasenbusch_params), .flags = PARAM_NUMERICAL,
      .doc = "intermediate masses, lightest first; they split the determinant into ratios",
      .example = "[ { mass: 0.2, fields: 3 } ]", .see = "physics.md#hasenbusch-masses" },
    { .key = "fields", .type = PARAM_INT, .offset = DETERMINANT_AT(fields), .fallback = "1", .min = 1,
      .max = STAGGERED_FIELDS_MAX, .flags = PARAM_TUNABLE | PARAM_NUMERICAL,
      .doc = "number n of independent pseudofermions of the first factor (det(m)/det(M_1), or det(m) without "
             "`hasenbusch`), each for the n-th root of this factor" },
    { .key = "naik_epsilon", .type = PARAM_TEXT, .offset = DETERMINANT_AT(naik_epsilon), .fallback = "0",
      .flags = PARAM_NOT_EMPTY,
      .doc = "coefficient of the Naik term of these quarks: a number, or auto: the published series in the bare mass "
             "(determinants with one mass)" },
    ROLE_OWN_RESIDUALS_SPEC(DETERMINANT_AT, "determinant", "monomial"),
    { 0 }
};

#define AT(member) offsetof(staggered_params, member)
#define OPERATOR_AT(member) AT(of.member)

const param_spec staggered_specs[] = {
    { .key = "name", .type = PARAM_TEXT, .offset = AT(name), .fallback = "quarks", .flags = PARAM_NOT_EMPTY,
      .doc = "name of the term in `hmc.levels`" },
    STAGGERED_KIND_SPEC(OPERATOR_AT),
    { .key = "determinants", .type = PARAM_LIST, .offset = AT(determinants), .flags = PARAM_NOT_EMPTY,
      .group = determinant_specs, .element_size = sizeof(determinant_params),
      .doc = "the rooted determinants; each has its own pseudofermions, and the weight is the product of all of them",
      .example = "[ { quarks: [ { mass: 0.013, flavors: 2 }, { mass: 0.065, flavors: 1 } ],\n"
                 "                  hasenbusch: [ { mass: 0.2 } ] },\n"
                 "                { quarks: [ { mass: 0.838, flavors: 1 } ], naik_epsilon: auto } ]",
      .see = "physics.md#masses-and-flavors" },
    STAGGERED_LINKS_SPECS(OPERATOR_AT),
    ROLE_SOLVES_SPECS(AT),
    { .key = "solver", .type = PARAM_CHOICE, .offset = AT(solver), .fallback = "adaptive",
      .choices = solver_names, .flags = PARAM_FREE_TO_CHANGE, .lean = "double",
      .doc = "precisions of the solves. The first part of the name is the precision of residuals and solutions, the "
             "second that of the common Krylov space of all shifts, the third that of separate solves of single "
             "shifts; if there is no third part, these use the second precision. adaptive: a fixed table chooses by "
             "lattice and residual, for refresh, action and force separately; all reach the same residuals" },
    { .key = "max_rhs", .type = PARAM_INT, .offset = AT(max_rhs), .fallback = "8", .min = 1, .max = BATCH_MAX_RHS,
      .flags = PARAM_FREE_TO_CHANGE, .lean = "1",
      .doc = "largest number of pseudofermions (with the same Naik epsilon) whose systems are solved together; a "
             "smaller number needs less memory and more time, and gives the same results" },
    ROLE_ERRORS_SPEC(AT, ),
    { .key = "rational_file", .type = PARAM_TEXT, .offset = AT(rational_file), .fallback = "\"\"",
      .flags = PARAM_PATH | PARAM_FREE_TO_CHANGE,
      .doc = "rational functions from a file in MILC's format, one set for each pseudofermion; empty: Kiln computes "
             "them" },
    { .key = "largest_eigenvalue", .type = PARAM_REAL, .offset = AT(largest_eigenvalue),
      .given = AT(largest_eigenvalue_given), .formerly = "0", .min = 0, .max = 1000,
      .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN | PARAM_FREE_TO_CHANGE,
      .doc = "largest eigenvalue of K = -D_eo D_oe, the upper end of the range of the rational functions; without it "
             "Kiln measures it before the first trajectory and again every `measure_every` trajectories" },
    { .key = "measure_every", .type = PARAM_INT, .offset = AT(measure_every), .fallback = "10", .min = 1,
      .max = 4294967295, .flags = PARAM_NUMERICAL,
      .doc = "number of trajectories between two measurements of the largest eigenvalue of K" },
    { .key = "force_precision", .type = PARAM_CHOICE, .offset = AT(force_precision), .fallback = "double",
      .choices = precisions, .lean = "single", .flags = PARAM_NUMERICAL,
      .doc = "precision of the chain rule that takes the force from the smeared links to the thin links" },
    { .key = "force_filter", .type = PARAM_REAL, .offset = AT(force_filter), .fallback = "5e-5", .min = 0, .max = 1,
      .choice = "action", .chosen = "hisq", .flags = PARAM_NUMERICAL,
      .doc = "action hisq: on a link where the smallest eigenvalue of V^+V (V: links of the first smearing) is below "
             "this value, the force uses the projection V (V^+V + force_filter)^(-1/2); the record counts these links "
             "and gives the site of the first; 0: never" },
    { 0 }
};

static const determinant_params *determinant_at(const staggered_params *p, int index)
{
    return (const determinant_params *)p->determinants.item + index;
}

static const quark_params *quark_at(const determinant_params *d, int index)
{
    return (const quark_params *)d->quarks.item + index;
}

static const hasenbusch_params *mass_at(const determinant_params *d, int index)
{
    return (const hasenbusch_params *)d->hasenbusch.item + index;
}

static int flavors_of(const determinant_params *d)
{
    int flavors = 0;
    for (int q = 0; q < d->quarks.count; q++)
        flavors += (int)quark_at(d, q)->flavors;
    return flavors;
}

static bool read_epsilon(double *epsilon, const determinant_params *d, int number, failure *f)
{
    double mass = quark_at(d, 0)->mass;
    bool is_series = strcmp(d->naik_epsilon, "auto") == 0;
    for (int q = 1; is_series && q < d->quarks.count; q++)
        if (quark_at(d, q)->mass != mass)
            return fail(f, "determinants.%d.naik_epsilon: auto needs one mass, but this determinant has the masses %g "
                           "and %g: give a number, or put each mass into its own determinant", number, mass,
                        quark_at(d, q)->mass);
    return naik_epsilon_read(epsilon, d->naik_epsilon, mass)
           || fail(f, "determinants.%d.naik_epsilon: \"%s\" is neither auto nor a number of size below 10", number,
                   d->naik_epsilon);
}

static void add_mass(pseudofermion_plan *pf, double mass, int flavors)
{
    pf->quark[pf->count].mass = mass;
    pf->quark[pf->count++].flavors = flavors;
}

static bool add_fields(staggered_plan *plan, const pseudofermion_plan *pf, int number, failure *f)
{
    if (plan->count + pf->roots > PSEUDOFERMIONS_MAX)
        return fail(f, "determinants.%d: more than %d pseudofermions", number, PSEUDOFERMIONS_MAX);
    for (int i = 0; i < pf->roots; i++)
        plan->field[plan->count++] = *pf;
    return true;
}

static bool add_determinant(staggered_plan *plan, const staggered_params *p, int number, failure *f)
{
    const determinant_params *d = determinant_at(p, number);
    int flavors = flavors_of(d), masses = d->hasenbusch.count;
    const role_values residual = role_values_or(d->residual, p->residual);
    pseudofermion_plan pf = { .roots = (int)d->fields, .residual = residual };
    double epsilon = 0;
    if (!read_epsilon(&epsilon, d, number, f))
        return false;
    if (epsilon != 0 && plan->op.links.kind != STAGGERED_HISQ)
        return fail(f, "determinants.%d: naik_epsilon: only action hisq has this key", number);
    if ((pf.set = staggered_links_add_epsilon(&plan->op.links, epsilon)) < 0)
        return fail(f, "determinants.%d.naik_epsilon: more than %d different values", number, EPSILONS_MAX);
    if (d->quarks.count + 1 > RATIONAL_FACTORS)
        return fail(f, "determinants.%d: more than %d masses", number, RATIONAL_FACTORS - 1);
    if (masses > 0 && flavors <= 0)
        return fail(f, "determinants.%d.hasenbusch: masses need a positive number of flavors, but it is %d",
                    number, flavors);
    for (int q = 0; q < d->quarks.count; q++) {
        if (quark_at(d, q)->flavors == 0)
            return fail(f, "determinants.%d.quarks.%d: flavors must not be 0", number, q);
        add_mass(&pf, quark_at(d, q)->mass, (int)quark_at(d, q)->flavors);
    }
    for (int h = 0; h < masses; h++) {
        double before = h > 0 ? mass_at(d, h - 1)->mass : 0, mass = mass_at(d, h)->mass;
        for (int q = 0; q < d->quarks.count; q++)
            before = fmax(before, quark_at(d, q)->mass);
        if (mass <= before)
            return fail(f, "determinants.%d.hasenbusch.%d.mass: %g is not above %g, the mass before it", number, h,
                        mass, before);
        add_mass(&pf, mass, -flavors);
        if (!add_fields(plan, &pf, number, f))
            return false;
        pf.count = 0;
        pf.roots = (int)mass_at(d, h)->fields;
        pf.residual = role_values_or(mass_at(d, h)->residual, residual);
        add_mass(&pf, mass, flavors);
    }
    return add_fields(plan, &pf, number, f);
}

bool staggered_plan_make(staggered_plan *plan, const staggered_params *p, failure *f)
{
    memset(plan, 0, sizeof *plan);
    if (!staggered_parameters.read(&plan->op, &p->of, f))
        return false;
    plan->op.filter = p->force_filter;
    plan->op.chain = (precision)p->force_precision;
    for (int d = 0; d < p->determinants.count; d++)
        if (!add_determinant(plan, p, d, f))
            return false;
    return true;
}

void pseudofermion_describe(text *out, const staggered_plan *plan, int index)
{
    const pseudofermion_plan *pf = &plan->field[index];
    for (int i = 0; i < pf->count; i++)
        text_add(out, "%s(%g)^%d", i > 0 ? " " : "", pf->quark[i].mass, pf->quark[i].flavors);
    if (pf->roots > 1)
        text_add(out, ", root %d", pf->roots);
    if (plan->op.links.epsilon[pf->set] != 0)
        text_add(out, ", epsilon %g", plan->op.links.epsilon[pf->set]);
}
