/* wilson_params.c - the input of Wilson quarks without and with a clover term and a twisted mass, and the factors of
 * their determinants. */
#include "actions/wilson_params.h"

#include "actions/rational_range.h"
#include "actions/start_vectors.h"
#include "src/base/memory.h"
#include "src/solvers/solver_kinds.h"

#include <stdio.h>
#include <string.h>

static const param_spec intermediate_specs[] = {
    { .key = "mass", .type = PARAM_REAL, .offset = INTERMEDIATE_AT(mass), .given = INTERMEDIATE_AT(given.mass),
      .min = WILSON_MASS_MIN, .max = WILSON_MASS_MAX, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN | PARAM_TUNABLE,
      .formerly = "-4",
      .doc = "intermediate bare mass; without it `kappa` gives it, or with `mu` or `rho` the determinant" },
    { .key = "kappa", .type = PARAM_REAL, .offset = INTERMEDIATE_AT(kappa), .given = INTERMEDIATE_AT(given.kappa),
      .min = 0, .max = WILSON_KAPPA_MAX, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN | PARAM_TUNABLE, .formerly = "0",
      .doc = "in place of `mass`: m = 1 / (2 kappa) - 4" },
    { .key = "mu", .type = PARAM_REAL, .offset = INTERMEDIATE_AT(mu), .given = INTERMEDIATE_AT(given.mu), .min = -100,
      .max = 100, .flags = PARAM_OPTIONAL | PARAM_TUNABLE, .formerly = "0",
      .doc = "twisted mass of this factor, larger than that of the previous one at the same mass; without it, that of "
             "the previous one" },
    { .key = "rho", .type = PARAM_REAL, .offset = INTERMEDIATE_AT(rho), .given = INTERMEDIATE_AT(given.rho), .min = 0,
      .max = 100, .flags = PARAM_OPTIONAL | PARAM_TUNABLE, .formerly = "0",
      .doc = "twist of this factor: Mhat + i rho gamma5, at `mass` or `kappa`, or without them at the mass of the "
             "determinant; without it 0" },
    INTERMEDIATE_RESIDUALS_SPEC,
    { 0 }
};

#define AT(member) offsetof(wilson_determinant_params, member)
#define LIGHT_AT(member) AT(light.member)
#define OF_ONE_FLAVOR  .choice = "flavors", .chosen = "1",
#define OF_TWO_FLAVORS .choice = "flavors", .chosen = "2",

static const param_spec determinant_specs[] = {
    { .key = "flavors", .type = PARAM_INT, .offset = AT(flavors), .fallback = "2", .min = 1, .max = 2,
      .doc = "number of flavors of this mass" },
    WILSON_MASS_SPECS(LIGHT_AT),
    { .key = "mu", .type = PARAM_REAL, .offset = AT(mu), .fallback = "0", .min = -100, .max = 100, OF_TWO_FLAVORS
      .doc = "two flavors: twisted mass of a degenerate doublet, M + i mu gamma5 tau3",
      .see = "wilson.md#twisted-mass" },
    { .key = "rho", .type = PARAM_REAL, .offset = AT(rho), .fallback = "0", .min = 0, .max = 100, OF_TWO_FLAVORS
      .doc = "two flavors: det [Mhat^+ Mhat] of Mhat + i rho gamma5, on odd sites alone: a regulator, to be corrected "
             "by reweighting" },
    HASENBUSCH_SPEC(AT, intermediate_specs, OF_TWO_FLAVORS),
    { .key = "heavy", .type = PARAM_REAL, .offset = AT(heavy), .given = AT(given.heavy), .min = WILSON_MASS_MIN,
      .max = WILSON_MASS_MAX, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN, .formerly = "-4",
      .doc = "mass of the last denominator of the Hasenbusch ratios, so that they can be distributed over several "
             "monomials; without it there is none, or `heavy_kappa`, `heavy_mu` or `heavy_rho` give it" },
    { .key = "heavy_kappa", .type = PARAM_REAL, .offset = AT(heavy_kappa), .given = AT(given.heavy_kappa), .min = 0,
      .max = WILSON_KAPPA_MAX, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN, .formerly = "0",
      .doc = "in place of `heavy`" },
    { .key = "heavy_mu", .type = PARAM_REAL, .offset = AT(heavy_mu), .given = AT(given.heavy_mu), .min = -100,
      .max = 100, .flags = PARAM_OPTIONAL, .formerly = "0", OF_TWO_FLAVORS
      .doc = "two flavors: twisted mass of the last denominator, without `heavy` at the mass of the determinant; "
             "without it `mu`" },
    { .key = "heavy_rho", .type = PARAM_REAL, .offset = AT(heavy_rho), .given = AT(given.heavy_rho), .min = 0,
      .max = 100, .flags = PARAM_OPTIONAL, .formerly = "0", OF_TWO_FLAVORS
      .doc = "two flavors: rho of the last denominator, without `heavy` at the mass of the determinant; without it "
             "0" },
    { .key = "fields", .type = PARAM_INT, .offset = AT(fields), .fallback = "1", .min = 1, .max = QUARK_ROOTS_MAX,
      .flags = PARAM_TUNABLE | PARAM_NUMERICAL, OF_ONE_FLAVOR
      .doc = "one flavor: number n of independent pseudofermions, each for the n-th root" },
    ROLE_OWN_RESIDUALS_SPEC(AT, "determinant", "monomial"),
    ROLE_ERRORS_SPEC(AT, OF_ONE_FLAVOR),
    CHRONOLOGICAL_SPEC(AT, OF_TWO_FLAVORS),
    RATIONAL_RANGE_SPECS(AT, OF_ONE_FLAVOR),
    { 0 }
};

#undef AT
#define AT(member) offsetof(wilson_params, member)
#define OPERATOR_AT(member) AT(of.member)

const param_spec wilson_specs[] = {
    { .key = "name", .type = PARAM_TEXT, .offset = AT(name), .fallback = "quarks", .flags = PARAM_NOT_EMPTY,
      .doc = "name of the term in `hmc.levels`" },
    WILSON_OPERATOR_SPECS(OPERATOR_AT),
    WILSON_OPEN_SPEC(OPERATOR_AT),
    WILSON_ANISOTROPY_SPECS(OPERATOR_AT),
    WILSON_EVEN_ODD_SPEC(OPERATOR_AT),
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
    { .key = "method", .type = PARAM_CHOICE, .offset = AT(method), .fallback = "cg", .choices = solver_kind_names,
      .flags = PARAM_FREE_TO_CHANGE,
      .doc = "two flavors: cg solves with Mhat^+ Mhat; bicgstab, bicgstab2 and bicgstab4 solve with Mhat^+ and then "
             "with Mhat, by BiCGstab(l), l = 1, 2 or 4; so does multigrid, by GCR with a multigrid cycle. Conjugate "
             "gradients continue if that fails. All reach the same residuals",
      .see = "solvers.md#bicgstab-for-matrices-that-are-not-hermitian" },
    MULTIGRID_SPEC(AT),
    { 0 }
};

double wilson_mass_of(const wilson_determinant_params *d)
{
    return wilson_bare_mass(&d->light);
}

bool wilson_has_heavy(const wilson_determinant_params *d)
{
    return d->given.heavy || d->given.heavy_kappa || d->given.heavy_rho || d->given.heavy_mu;
}

double wilson_heavy_of(const wilson_determinant_params *d)
{
    return d->given.heavy_kappa ? wilson_mass_of_kappa(d->heavy_kappa) : d->given.heavy ? d->heavy : wilson_mass_of(d);
}

double wilson_heavy_mu_of(const wilson_determinant_params *d)
{
    return d->given.heavy_mu ? d->heavy_mu : d->mu;
}

static double mass_of(const intermediate_mass *h, const void *determinant)
{
    return h->given.kappa ? wilson_mass_of_kappa(h->kappa) : h->given.mass ? h->mass : wilson_mass_of(determinant);
}

/* Whether each mass is given once, by itself or by kappa. */
static bool masses_check(const wilson_determinant_params *d, int number, failure *f)
{
    const intermediate_mass *h = d->hasenbusch.item;
    if (!wilson_mass_is_given_once(&d->light))
        return fail(f, "determinants.%d: give either mass, which is above -4, or kappa", number);
    for (int i = 0; i < d->hasenbusch.count; i++) {
        const bool both = h[i].given.mass && h[i].given.kappa, neither = !h[i].given.mass && !h[i].given.kappa;
        if (both || (neither && !h[i].given.rho && !h[i].given.mu))
            return fail(f, "determinants.%d.hasenbusch.%d: give either mass, which is above -4, or kappa, or rho, or "
                        "mu", number, i);
    }
    return !d->given.heavy || !d->given.heavy_kappa
           || fail(f, "determinants.%d: give heavy or heavy_kappa, not both", number);
}

static bool add_determinant(quark_factor_list *list, const wilson_params *p, int number, failure *f)
{
    const wilson_determinant_params *d = (const wilson_determinant_params *)p->determinants.item + number;
    const two_flavor_chain chain = { .masses = d->hasenbusch, .mass_of = mass_of, .params = d };
    const quark_factor_plan factor = {
        .kind = d->flavors == 2 ? &two_flavors_factor : &rational_ratio_factor,
        .alone = !wilson_has_heavy(d),
        .fields = (int)d->fields,
        .residual = role_values_or(d->residual, p->residual),
        .error = d->error,
        .smallest = d->smallest_eigenvalue,
        .largest = d->largest_eigenvalue,
        .given = { d->given.smallest_eigenvalue, d->given.largest_eigenvalue },
        .chronological = (int)d->chronological,
    };
    const quark_ratio ratio = { factor, { wilson_mass_of(d), { d->mu, d->rho } },
                                { wilson_heavy_of(d), { wilson_heavy_mu_of(d), d->heavy_rho } } };
    if (!masses_check(d, number, f))
        return false;
    return d->flavors == 2 ? quark_factor_list_add_chain(list, ratio, &chain, number, f)
                           : quark_factor_list_add(list, ratio, number, f);
}

static int add_mass(void *operator_params, quark_mass m)
{
    return clover_operator_add_matrix(operator_params, m);
}

/* Whether any factor has a twist. */
static bool has_twist(const wilson_params *p)
{
    bool found = false;
    for (int n = 0; n < p->determinants.count; n++) {
        const wilson_determinant_params *d = (const wilson_determinant_params *)p->determinants.item + n;
        const intermediate_mass *h = d->hasenbusch.item;
        found = found || d->mu != 0 || d->rho != 0 || d->heavy_mu != 0 || d->heavy_rho != 0;
        for (int i = 0; i < d->hasenbusch.count; i++)
            found = found || h[i].mu != 0 || h[i].rho != 0;
    }
    return found;
}

static bool make_plan(quark_plan *plan, const void *params, failure *f)
{
    const wilson_params *p = params;
    clover_operator_params *own = memory_alloc(sizeof *own, "the plan of Wilson quarks");
    failure why;
    *own = wilson_operator_of(&p->of);
    own->plain = !clover_params_have_blocks(own) && !has_twist(p)
                 && p->method != SOLVER_MULTIGRID;           /* multigrid needs T, which plain quarks do not have */
    *plan = (quark_plan){ .name = p->name, .systems = 1, .max_iterations = (int)p->max_iterations,
                          .norm = (residual_norm)p->residual_norm,
                          .solver = (solver_precision)p->solver, .method = solver_kinds[p->method],
                          .settings.multigrid = multigrid_params_settings(&p->multigrid), .own = own };
    plan->d = wilson_operator_plan(own, &p->of);
    quark_factor_list list = { plan->factor, &plan->count, &plan->d, add_mass, own };
    for (int n = 0; n < p->determinants.count; n++)
        if (!add_determinant(&list, p, n, &why))
            return fail(f, "%s: %s", p->name, why.why);
    if (!wilson_operator_check(&p->of, &why))
        return fail(f, "%s: %s", p->name, why.why);
    for (int m = 0; m < own->masses; m++)
        if (!wilson_diagonal_check(&p->of, own->mass[m] - hop_mass_shift(&own->boundary), &why))
            return fail(f, "%s: %s", p->name, why.why);
    return true;
}

static void describe(text *lines, const void *params)
{
    const wilson_params *p = params;
    for (int n = 0; n < p->determinants.count; n++) {
        const wilson_determinant_params *d = (const wilson_determinant_params *)p->determinants.item + n;
        const double kappa = wilson_kappa(wilson_mass_of(d));
        text_add(lines, "mass %.8g: kappa %.8g", wilson_mass_of(d), kappa);
        if (d->mu != 0)
            text_add(lines, ", mu %.8g: 2 kappa mu %.8g", d->mu, 2 * kappa * d->mu);
        text_add(lines, "\n");
    }
    if (p->of.given.xi_0)
        text_add(lines, "xi_0 %.8g, nu %.8g: hops in space have the factor %.8g; the diagonal of M is m + %.8g\n",
                 p->of.xi_0, wilson_operator_nu(&p->of), wilson_operator_nu(&p->of) / p->of.xi_0,
                 1 + 3 * wilson_operator_nu(&p->of) / p->of.xi_0);
    if (p->of.given.c_s)
        text_add(lines, "clover term %.8g A_s + %.8g A_t: c_s/xi_0 in planes of space, c_t in planes with t\n",
                 p->of.c_s / wilson_operator_xi(&p->of), p->of.c_t);
    if (p->of.clover_links == CLOVER_THIN_LINKS)
        text_add(lines, "clover term of the thin links, hops of the stout links\n");
}

static void advise(text *lines, const void *params)
{
    const wilson_params *p = params;
    for (int n = 0; n < p->determinants.count; n++) {
        char key[40];
        snprintf(key, sizeof key, "determinants.%d", n);
        wilson_advise_mass(lines, p->name, key,
                           wilson_mass_of((const wilson_determinant_params *)p->determinants.item + n));
    }
}

/* Bare masses are renormalized additively, so the factor multiplies the difference of an intermediate mass and the mass
 * of the determinant. */
static double tuned_value(const void *params, const char *key, double value, double factor)
{
    const wilson_params *p = params;
    const char *name = strrchr(key, '.') + 1;
    int number;
    const bool is_mass = strcmp(name, "mass") == 0, is_kappa = strcmp(name, "kappa") == 0;
    if ((!is_mass && !is_kappa) || sscanf(key, "determinants.%d", &number) != 1)
        return factor * value;
    const double mass = wilson_mass_of((const wilson_determinant_params *)p->determinants.item + number);
    const double distance = (is_kappa ? wilson_mass_of_kappa(value) : value) - mass;
    return is_kappa ? wilson_kappa(mass + factor * distance) : mass + factor * distance;
}

static bool check_shape(const void *params, const lattice_shape *shape, failure *f)
{
    const wilson_params *p = params;
    failure why;
    return wilson_boundary_check(&p->of, shape, &why) || fail(f, "%s: %s", p->name, why.why);
}

static double anisotropy_of(const void *params)
{
    return wilson_operator_xi(&((const wilson_params *)params)->of);
}

static const quark_family wilson = { .check = check_shape, .plan = make_plan,
                                     .solvers = quark_plan_hop_solvers, .describe = describe };

const monomial_kind wilson_monomial = {
    .input = { .name = "wilson",
               .doc = "determinants of Wilson quarks without or with a clover term: two flavors with Hasenbusch "
                      "ratios and a twisted mass, one flavor by RHMC",
               .params = wilson_specs,
               .example = "name: light\nc_sw: 1.6\ndeterminants:\n"
                          "  - { flavors: 2, mass: 0.05, hasenbusch: [ { mass: 0.3 } ] }\n"
                          "  - { flavors: 1, mass: 0.1 }",
               .see = "wilson.md",
               .size = sizeof(wilson_params) },
    .su3_links = true,
    .open_in_time = true,
    .anisotropy = anisotropy_of,
    .family = &wilson,
    .qcdml = &wilson_qcdml,
    .advise = advise,
    .tuned_value = tuned_value,
    QUARKS_MONOMIAL,
};
