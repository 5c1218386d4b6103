/* doublet_params.c - the input of a non-degenerate doublet of twisted-mass quarks, and its determinant. */
#include "actions/doublet_params.h"

#include "actions/quarks.h"
#include "actions/rational_range.h"
#include "actions/two_flavor_chain.h"
#include "src/base/memory.h"

#include <math.h>

#define AT(member) offsetof(doublet_params, member)
#define OPERATOR_AT(member) AT(doublet.of.member)
#define MASS_AT(member) AT(doublet.light.member)
#define DOUBLET_AT(member) AT(doublet.member)

static const param_spec intermediate_specs[] = {
    { .key = "mu_sigma", .type = PARAM_REAL, .offset = INTERMEDIATE_AT(mu), .min = 0, .max = 100,
      .flags = PARAM_ABOVE_MIN | PARAM_TUNABLE,
      .doc = "larger than the previous one; `mu_delta` and mass are those of the doublet" },
    INTERMEDIATE_RESIDUALS_SPEC,
    { 0 }
};

const param_spec doublet_specs[] = {
    { .key = "name", .type = PARAM_TEXT, .offset = AT(name), .fallback = "quarks", .flags = PARAM_NOT_EMPTY,
      .doc = "name of the term in `hmc.levels`" },
    WILSON_TERM_SPECS(OPERATOR_AT),
    WILSON_BOUNDARY_SPEC(OPERATOR_AT),
    WILSON_THETA_SPEC(OPERATOR_AT),
    WILSON_MASS_SPECS(MASS_AT),
    DOUBLET_MUS_SPECS(DOUBLET_AT),
    { .key = "hasenbusch", .type = PARAM_LIST, .offset = AT(hasenbusch), .fallback = "[]",
      .group = intermediate_specs, .element_size = sizeof(intermediate_mass), .flags = PARAM_NUMERICAL,
      .doc = "intermediate values of mu_sigma, smallest first; they split the determinant into ratios",
      .example = "[ { mu_sigma: 0.6 } ]", .see = "wilson.md#hasenbusch-ratios-of-a-doublet" },
    { .key = "heavy_mu_sigma", .type = PARAM_REAL, .offset = AT(heavy_mu_sigma), .given = AT(given.heavy_mu_sigma),
      .min = 0, .max = 100, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,
      .doc = "mu_sigma of the last denominator of the ratios, so that they can be distributed over several monomials; "
             "without it there is none" },
    { .key = "fields", .type = PARAM_INT, .offset = AT(fields), .fallback = "1", .min = 1, .max = QUARK_ROOTS_MAX,
      .flags = PARAM_TUNABLE | PARAM_NUMERICAL,
      .doc = "number n of independent pseudofermions of each factor, each for the n-th root" },
    ROLE_SOLVES_SPECS(AT),
    ROLE_ERRORS_SPEC(AT, ),
    RATIONAL_RANGE_ENDS_SPECS(AT, "", ),
    { .key = "solver", .type = PARAM_CHOICE, .offset = AT(solver), .fallback = "adaptive", .choices = solver_names,
      .flags = PARAM_FREE_TO_CHANGE,
      .doc = "precisions of the solves, as of `wilson`. adaptive: chooses by the table of domain-wall quarks, at "
             "Ls = 2; all reach the same residuals" },
    { 0 }
};

doublet_operator_params doublet_operator_of(const doublet_input *in)
{
    doublet_operator_params op = { .boundary = quark_boundary_of(in->of.boundary, in->of.theta), .c_sw = in->of.c_sw,
                                   .kind = (clover_kind)in->of.clover };
    doublet_operator_add(&op, (doublet_matrix_params){ wilson_bare_mass(&in->light), { in->mu_sigma, in->mu_delta } });
    return op;
}

dirac_plan doublet_plan_of(const doublet_operator_params *op, const doublet_input *in)
{
    dirac_plan plan = doublet_operator_plan(op);
    plan.stout = in->of.stout;
    return plan;
}

bool doublet_is_possible(const doublet_input *in, failure *f)
{
    return fabs(in->mu_delta) != in->mu_sigma || in->mu_sigma == 0
           || fail(f, "|mu_delta| and mu_sigma must differ, but both are %g", in->mu_sigma);
}

/* Whether mu_sigma ascends along the chain, and never equals |mu_delta|. */
static bool check_chain(const doublet_params *p, failure *f)
{
    const intermediate_mass *h = p->hasenbusch.item;
    double former = p->doublet.mu_sigma;
    const double delta = fabs(p->doublet.mu_delta);
    for (int i = 0; i < p->hasenbusch.count; i++) {
        if (h[i].mu == delta)
            return fail(f, "hasenbusch.%d: mu_sigma must differ from |mu_delta|, but both are %g", i, delta);
        if (!(h[i].mu > former))
            return fail(f, "hasenbusch.%d: mu_sigma must ascend, up to the last denominator, but %g is followed by %g",
                        i, former, h[i].mu);
        former = h[i].mu;
    }
    if (p->given.heavy_mu_sigma && p->heavy_mu_sigma == delta)
        return fail(f, "heavy_mu_sigma: mu_sigma must differ from |mu_delta|, but both are %g", delta);
    return !p->given.heavy_mu_sigma || p->heavy_mu_sigma > former
           || fail(f, "heavy_mu_sigma: mu_sigma must ascend, up to the last denominator, but %g is followed by %g",
                   former, p->heavy_mu_sigma);
}

static bool check_input(const doublet_params *p, failure *f)
{
    if (!wilson_mass_is_given_once(&p->doublet.light))
        return fail(f, "mass: give either mass, which is above -4, or kappa");
    failure why;
    if (!doublet_is_possible(&p->doublet, &why))
        return fail(f, "mu_delta: %s", why.why);
    return check_chain(p, f);
}

/* The mu of a quark_mass is mu_sigma; mu_delta is the same for all matrices of a doublet. */
static int add_matrix(void *operator_params, quark_mass m)
{
    doublet_operator_params *op = operator_params;
    return doublet_operator_add(op, (doublet_matrix_params){ m.mass, { m.twist.mu, op->matrix[0].mus.delta } });
}

static double mass_of(const intermediate_mass *h, const void *params)
{
    (void)h;
    return wilson_bare_mass(&((const doublet_params *)params)->doublet.light);
}

static bool make_plan(quark_plan *plan, const void *params, failure *f)
{
    const doublet_params *p = params;
    const double mass = mass_of(NULL, p);
    failure why;
    if (!check_input(p, &why))
        return fail(f, "%s: %s", p->name, why.why);
    doublet_operator_params *own = memory_alloc(sizeof *own, "the plan of a doublet of quarks");
    *own = doublet_operator_of(&p->doublet);
    *plan = (quark_plan){ .name = p->name, .d = doublet_plan_of(own, &p->doublet), .systems = 1,
                          .max_iterations = (int)p->max_iterations,
                          .norm = (residual_norm)p->residual_norm, .solver = (solver_precision)p->solver,
                          .own = own };
    const quark_factor_plan factor = {
        .kind = &rational_ratio_factor,
        .alone = !p->given.heavy_mu_sigma,
        .fields = (int)p->fields,
        .residual = p->residual,
        .error = p->error,
        .smallest = p->smallest_eigenvalue,
        .largest = p->largest_eigenvalue,
        .given = { p->given.smallest_eigenvalue, p->given.largest_eigenvalue },
    };
    quark_factor_list list = { plan->factor, &plan->count, &plan->d, add_matrix, own };
    const two_flavor_chain chain = { p->hasenbusch, mass_of, p, true };
    const quark_ratio ratio = { factor, { mass, { .mu = p->doublet.mu_sigma } },
                                { mass, { .mu = p->heavy_mu_sigma } } };
    return quark_factor_list_add_chain(&list, ratio, &chain, 0, &why) || fail(f, "%s: %s", p->name, why.why);
}

static void describe(text *lines, const void *params)
{
    const doublet_params *p = params;
    const double mass = wilson_bare_mass(&p->doublet.light), kappa = wilson_kappa(mass);
    text_add(lines, "doublet: mass %.8g, kappa %.8g, mu_sigma %.8g, mu_delta %.8g; 2 kappa mu_sigma %.8g, "
             "2 kappa mu_delta %.8g\n", mass, kappa, p->doublet.mu_sigma, p->doublet.mu_delta,
             2 * kappa * p->doublet.mu_sigma, 2 * kappa * p->doublet.mu_delta);
    if (fabs(p->doublet.mu_delta) > p->doublet.mu_sigma)
        text_add(lines, "weight |det D|: the determinant may be negative, because |mu_delta| is larger than "
                        "mu_sigma\n");
}

static void advise(text *lines, const void *params)
{
    const doublet_params *p = params;
    wilson_advise_mass(lines, p->name, "mass", wilson_bare_mass(&p->doublet.light));
}

static bool check_shape(const void *params, const lattice_shape *shape, failure *f)
{
    const doublet_params *p = params;
    failure why;
    return wilson_boundary_check(&p->doublet.of, shape, &why) || fail(f, "%s: %s", p->name, why.why);
}

static const quark_family doublet = { .check = check_shape, .plan = make_plan,
                                      .solvers = quark_plan_hop_solvers, .describe = describe };

const monomial_kind doublet_monomial = {
    .input = { .name = "wilson_doublet",
               .doc = "determinant of a non-degenerate doublet of twisted-mass quarks without or with a clover term, "
                      "as strange and charm, by RHMC",
               .params = doublet_specs,
               .example = "name: heavy\nkappa: 0.17\nmu_sigma: 0.325\nmu_delta: 0.275",
               .see = "wilson.md#non-degenerate-doublet",
               .size = sizeof(doublet_params) },
    .su3_links = true,
    .open_in_time = true,
    .family = &doublet,
    .qcdml = &doublet_qcdml,
    .advise = advise,
    QUARKS_MONOMIAL,
};
