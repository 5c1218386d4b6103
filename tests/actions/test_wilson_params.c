/* test_wilson_params.c - inputs of Wilson quarks: factors of a chain, what is refused, what defaults are. */
#include "actions/wilson_params.h"
#include "src/operators/clover_operator.h"
#include "tests/actions/params_text.h"
#include "tests/facts.h"

#include <stdio.h>
#include <string.h>

static wilson_params from_text(const char *yaml)
{
    wilson_params p = { .name = NULL };
    params_from_text(&p, wilson_specs, yaml);
    return p;
}

static quark_plan plan_of(const char *yaml)
{
    wilson_params p = from_text(yaml);
    quark_plan plan;
    failure f;
    require(quark_plan_make(&plan, &wilson_monomial, &p, &f), "%s", f.why);
    plan.name = NULL;                               /* of the parameters */
    schema_free_values(wilson_specs, &p);
    return plan;
}

static quark_mass mass_at(const quark_plan *plan, int matrix)
{
    return ((const clover_operator_params *)plan->d.params)->matrix[matrix].of;
}

static quark_mass light_of(const quark_plan *plan, int n) { return mass_at(plan, plan->factor[n].light); }
static quark_mass heavy_of(const quark_plan *plan, int n) { return mass_at(plan, plan->factor[n].heavy); }

static double boundary_of(const char *yaml)
{
    quark_plan plan = plan_of(yaml);
    const double sign = ((const clover_operator_params *)plan.d.params)->boundary.t;
    quark_plan_free(&plan);
    return sign;
}

/* Of Wilson quarks, and of clover quarks with c_sw. */
static void phases(void)
{
    quark_plan plain = plan_of("theta: [0.5, 0, -1.25]\ndeterminants: [ { mass: 0.1 } ]");
    quark_plan clover = plan_of("c_sw: 1\nboundary: 0\ntheta: [0.5, 0, -1.25]\ndeterminants: [ { mass: 0.1 } ]");
    const quark_boundary of_plain = ((const clover_operator_params *)plain.d.params)->boundary,
                         of_clover = ((const clover_operator_params *)clover.d.params)->boundary;
    static const double theta[3] = { 0.5, 0, -1.25 };
    fact(of_plain.t == -1 && memcmp(of_plain.theta, theta, sizeof theta) == 0, "phases in space, of Wilson quarks");
    fact(of_clover.t == 1 && memcmp(of_clover.theta, theta, sizeof theta) == 0, "and of clover quarks");
    quark_plan_free(&plain);
    quark_plan_free(&clover);
}

static bool is_factor(const quark_plan *plan, int n, double mass, double heavy, bool alone, double residual)
{
    const quark_factor_plan *f = &plan->factor[n];
    return n < plan->count && f->kind == &two_flavors_factor && light_of(plan, n).mass == mass && f->alone == alone
           && (alone || heavy_of(plan, n).mass == heavy) && f->residual.of[ROLE_FORCE] == residual
           && f->first_draw == (uint32_t)n * QUARK_FACTOR_DRAWS;
}

static void chains(void)
{
    quark_plan plan = plan_of("residuals: { force: 1e-7 }\ndeterminants:\n"
                              "- { mass: -0.5, residuals: { force: 1e-6 }, hasenbusch: [ { mass: -0.1 }, { mass: 0.4, "
                              "residuals: { force: 1e-5 } } ] }\n- { flavors: 2, mass: 0.2 }\n"
                              "- { mass: 0.2, heavy: 0.6, chronological: 4 }\n- { mass: -0.3, heavy: 0 }");
    fact(plan.count == 6, "a determinant with two intermediate masses and three without are six factors");
    fact(is_factor(&plan, 0, -0.5, -0.1, false, 1e-6), "m over M_1, with the residuals of the determinant");
    fact(is_factor(&plan, 1, -0.1, 0.4, false, 1e-6), "M_1 over M_2");
    fact(is_factor(&plan, 2, 0.4, 0, true, 1e-5), "M_2 alone, with residuals of its own");
    fact(is_factor(&plan, 3, 0.2, 0, true, 1e-7), "a mass alone, with the residuals of the monomial");
    fact(is_factor(&plan, 4, 0.2, 0.6, false, 1e-7) && plan.factor[4].chronological == 4, "over a last denominator");
    fact(is_factor(&plan, 5, -0.3, 0, false, 1e-7), "a denominator of mass 0 is a denominator");
    fact(plan.d.kind == &clover_plain_kind && plan.d.slabs == SLAB_GROUP, "of the Wilson operator on spinors");
    quark_plan_free(&plan);
}

/* 0 is a value of a key that may be left out: an untwisted denominator of a twisted determinant. */
static void explicit_zeros(void)
{
    static const struct { const char *yaml; double heavy, mu, rho; bool alone; } rows[] = {
        { "determinants: [ { mass: 0.1, mu: 0.2, heavy: 0.4 } ]", 0.4, 0.2, 0, false },
        { "determinants: [ { mass: 0.1, mu: 0.2, heavy: 0.4, heavy_mu: 0 } ]", 0.4, 0, 0, false },
        { "determinants: [ { mass: 0.1, mu: 0.2, heavy: 0.4, heavy_mu: 0, heavy_rho: 0 } ]", 0.4, 0, 0, false },
        { "determinants: [ { mass: 0.1, rho: 0.2, heavy_kappa: 0.1, heavy_rho: 0 } ]", 1, 0, 0, false },
        { "determinants: [ { mass: -0.1, heavy: 0 } ]", 0, 0, 0, false },
        { "determinants: [ { mass: -0.1, mu: 0.3, rho: 0.1, heavy: 0, heavy_mu: -0.5 } ]", 0, -0.5, 0, false },
        { "determinants: [ { mass: 0.1, mu: 0.2, heavy_rho: 0.1 } ]", 0.1, 0.2, 0.1, false },
        { "determinants: [ { mass: 0.1, mu: 0.2 } ]", 0, 0, 0, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wilson_params p = from_text(rows[i].yaml);
        text echo = { 0 };
        schema_echo(&echo, wilson_specs, &p, false);
        for (int of_echo = 0; of_echo < 2; of_echo++) {
            quark_plan plan = plan_of(of_echo ? text_string(&echo) : rows[i].yaml);
            const quark_mass heavy = heavy_of(&plan, 0);
            fact(plan.count == 1 && plan.factor[0].alone == rows[i].alone
                 && (rows[i].alone || (heavy.mass == rows[i].heavy && heavy.twist.mu == rows[i].mu
                                       && heavy.twist.rho == rows[i].rho)),
                 "%s%s: M %g, mu %g, rho %g", of_echo ? "the echo of " : "", rows[i].yaml, heavy.mass, heavy.twist.mu,
                 heavy.twist.rho);
            quark_plan_free(&plan);
        }
        text_free(&echo);
        schema_free_values(wilson_specs, &p);
    }
    quark_plan plan = plan_of("determinants: [ { mass: 0, mu: 0.2, hasenbusch: [ { mass: 0.3 }, { mass: 0.5, mu: 0 }, "
                              "{ mass: 0.7 } ] } ]");
    fact(heavy_of(&plan, 0).twist.mu == 0.2 && heavy_of(&plan, 1).twist.mu == 0 && heavy_of(&plan, 2).twist.mu == 0
         && light_of(&plan, 3).twist.mu == 0,
         "mu: 0 of an intermediate mass is 0; without mu it has that of the former one");
    quark_plan_free(&plan);
}

static void refused(void)
{
    static const struct { const char *yaml, *sentence; } rows[] = {
        { "determinants: [ { mass: -0.2, hasenbusch: [ { mass: -0.3 } ] } ]",
          "quarks: determinants.0.hasenbusch.0: masses must ascend, up to the last denominator, but -0.2 is followed "
          "by -0.3" },
        { "determinants: [ { mass: 0.2 }, { mass: 0.5, heavy: 0.5 } ]",
          "quarks: determinants.1: masses must ascend, up to the last denominator, but 0.5 is followed by 0.5" },
        { "determinants: [ { mass: 0.3 }, { flavors: 2 } ]",
          "quarks: determinants.1: give either mass, which is above -4, or kappa" },
        { "determinants: [ { mass: 0.3, kappa: 0.1 } ]",
          "quarks: determinants.0: give either mass, which is above -4, or kappa" },
        { "determinants: [ { mass: 0, hasenbusch: [ { mass: 0.1 }, { mass: 0.2, kappa: 0.1 } ] } ]",
          "quarks: determinants.0.hasenbusch.1: give either mass, which is above -4, or kappa, or rho, or mu" },
        { "determinants: [ { mass: 0, hasenbusch: [ { kappa: 0.1, rho: 0.1 }, { mass: 3, kappa: 0.05, rho: 1 } ] } ]",
          "quarks: determinants.0.hasenbusch.1: give either mass, which is above -4, or kappa, or rho, or mu" },
        { "determinants: [ { mass: 0, rho: 0.2, hasenbusch: [ { rho: 0.1 } ] } ]",
          "quarks: determinants.0.hasenbusch.0: rho must ascend at the same mass, up to the last denominator, but 0.2 "
          "is followed by 0.1" },
        { "determinants: [ { mass: 0, mu: 0.2, hasenbusch: [ { mu: -0.1 } ] } ]",
          "quarks: determinants.0.hasenbusch.0: |mu| must ascend at the same mass, up to the last denominator, but "
          "mu = 0.2 is followed by -0.1" },
        { "determinants: [ { mass: 0, mu: 0.2, heavy_mu: 0.1 } ]",
          "quarks: determinants.0: |mu| must ascend at the same mass, up to the last denominator, but mu = 0.2 is "
          "followed by 0.1" },
        { "determinants: [ { mass: 0, mu: 0.2, heavy_mu: 0 } ]",
          "quarks: determinants.0: |mu| must ascend at the same mass, up to the last denominator, but mu = 0.2 is "
          "followed by 0" },
        { "determinants: [ { mass: 0, mu: 0.2, hasenbusch: [ { mu: 0 } ] } ]",
          "quarks: determinants.0.hasenbusch.0: |mu| must ascend at the same mass, up to the last denominator, but "
          "mu = 0.2 is followed by 0" },
        { "determinants: [ { mass: 0, rho: 0.2, heavy_rho: 0 } ]",
          "quarks: determinants.0: rho must ascend at the same mass, up to the last denominator, but 0.2 is followed "
          "by 0" },
        { "determinants: [ { mass: 0, heavy_mu: 0 } ]",
          "quarks: determinants.0: masses must ascend, up to the last denominator, but 0 is followed by 0" },
        { "determinants: [ { mass: 0, heavy: 0.4, heavy_kappa: 0.1 } ]",
          "quarks: determinants.0: give heavy or heavy_kappa, not both" },
        { "determinants: [ { flavors: 1, mass: 0, largest_eigenvalue: 3 } ]",
          "quarks: determinants.0: give both smallest_eigenvalue and largest_eigenvalue, with smallest_eigenvalue <= "
          "largest_eigenvalue, or neither: Kiln then measures both" },
    };
    const lattice_shape shape = lattice_shape_single((int[4]){ 4, 4, 4, 4 });
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wilson_params p = from_text(rows[i].yaml);
        failure f = { .why = "" };
        if (!fact(!monomial_check(&wilson_monomial, &p, &shape, &f) && strcmp(f.why, rows[i].sentence) == 0,
                  "it is said: %s", rows[i].sentence))
            note("but: %s", f.why);
        schema_free_values(wilson_specs, &p);
    }
}

static void advice(void)
{
    static const struct { const char *yaml, *line; } rows[] = {
        { "determinants: [ { mass: -2 } ]", "" },
        { "determinants: [ { mass: 0.2 }, { mass: -3 } ]",
          "quarks: determinants.1: kappa = 0.5, which is mass = 1 / (2 kappa) - 4 = -3, is above 0.25, the critical "
          "kappa at strong coupling; check it\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wilson_params p = from_text(rows[i].yaml);
        text lines = { 0 };
        wilson_monomial.advise(&lines, &p);
        fact(strcmp(text_string(&lines), rows[i].line) == 0, "kappa above 1/4 is a warning: %s",
             lines.length ? text_string(&lines) : "none");
        text_free(&lines);
        schema_free_values(wilson_specs, &p);
    }
}

static bool has_block(const quark_plan *plan, double mass, int flavors)
{
    for (int n = 0; n < plan->blocks.count; n++)
        if (mass_at(plan, plan->blocks.of[n].matrix).mass == mass)
            return plan->blocks.of[n].flavors == flavors;
    return false;
}

/* With a clover term: one operator with all masses, and determinants of blocks for what does not cancel. */
static void clover(void)
{
    quark_plan plan = plan_of("c_sw: 1.5\ndeterminants:\n"
                              "- { mass: -0.5, hasenbusch: [ { mass: -0.1 }, { mass: 0.4 } ], heavy: 2 }\n"
                              "- { flavors: 1, mass: 0.1, fields: 3 }\n- { flavors: 1, mass: 0.1, heavy: 0.4 }");
    const clover_operator_params *op = plan.d.params;
    fact(plan.d.kind == &clover_operator_kind && op->c_sw == 1.5 && op->boundary.t == -1 && op->kind == CLOVER_LINEAR,
         "of the clover operator");
    fact(op->masses == 5 && op->matrices == 5, "with all masses of numerators and denominators (%d)", op->masses);
    fact(plan.factor[0].heavy == plan.factor[1].light && plan.factor[1].heavy == plan.factor[4].heavy,
         "factors with the same mass have the same matrix");
    fact(plan.count == 5 && plan.factor[3].kind == &rational_ratio_factor && plan.factor[3].alone
         && plan.factor[3].fields == 3, "one flavor alone is a factor by rational functions");
    fact(plan.factor[4].kind == &rational_ratio_factor && !plan.factor[4].alone && heavy_of(&plan, 4).mass == 0.4,
         "or over a denominator");
    fact(plan.blocks.count == 4 && has_block(&plan, -0.5, 2) && has_block(&plan, 2, -2) && has_block(&plan, 0.1, 2)
         && has_block(&plan, 0.4, -1), "intermediate masses have no blocks, other masses the sum of their flavors");
    quark_plan_free(&plan);
    plan = plan_of("c_sw: 1.5\nclover: exponential\ndeterminants: [ { mass: 0 } ]");
    fact(((const clover_operator_params *)plan.d.params)->kind == CLOVER_EXPONENTIAL, "or of its exponential form");
    quark_plan_free(&plan);
    plan = plan_of("c_sw: 0\ndeterminants: [ { mass: -0.5 }, { flavors: 1, mass: 0.1 } ]");
    fact(plan.d.kind == &clover_plain_kind && plan.blocks.count == 0, "c_sw 0 is the Wilson operator");
    quark_plan_free(&plan);
    plan = plan_of("c_sw: 1\ndeterminants: [ { kappa: 0.125, hasenbusch: [ { kappa: 0.1 } ], heavy_kappa: 0.0625 } ]");
    fact(light_of(&plan, 0).mass == 0 && heavy_of(&plan, 0).mass == 1 && light_of(&plan, 1).mass == 1
         && heavy_of(&plan, 1).mass == 4 && !plan.factor[1].alone, "kappa gives any mass: m = 1 / (2 kappa) - 4");
    quark_plan_free(&plan);
}

/* Whether block n has this mass, its twist, and these flavors. */
static bool is_block(const quark_plan *plan, int n, quark_mass of, int flavors)
{
    const quark_mass m = mass_at(plan, plan->blocks.of[n].matrix);
    return m.mass == of.mass && m.twist.mu == of.twist.mu && m.twist.rho == of.twist.rho
           && plan->blocks.of[n].flavors == flavors;
}

/* The symmetric form: blocks know rho, of which intermediate ones cancel, and the derivatives of two rho differ. */
static void symmetric(void)
{
    const char *chain = "determinants: [ { mass: 0.1, mu: 0.2, hasenbusch: [ { rho: 0.3 } ], heavy_rho: 0.6 } ]";
    char yaml[256];
    for (int form = 0; form < 2; form++) {
        snprintf(yaml, sizeof yaml, "c_sw: 1.5\neven_odd: %s\n%s", clover_form_names[form], chain);
        quark_plan plan = plan_of(yaml);
        const clover_operator_params *op = plan.d.params;
        const bool symmetric = form == CLOVER_SYMMETRIC;
        fact(plan.d.kind == (symmetric ? &clover_symmetric_kind : &clover_operator_kind), "%s: its operator",
             clover_form_names[form]);
        fact(op->masses == 1 && op->odd_masses == 3, "%s: one mass on even sites, three twists on odd ones",
             clover_form_names[form]);
        fact(plan.factor[0].one_derivative == !symmetric && plan.factor[1].one_derivative == !symmetric,
             "%s: whether a ratio in rho has one derivative", clover_form_names[form]);
        fact(symmetric ? plan.blocks.count == 2 && is_block(&plan, 0, (quark_mass){ 0.1, { 0.2, 0 } }, 2)
                         && is_block(&plan, 1, (quark_mass){ 0.1, { 0.2, 0.6 } }, -2)
                       : plan.blocks.count == 0, "%s: blocks that do not cancel", clover_form_names[form]);
        quark_plan_free(&plan);
    }
    quark_plan plan = plan_of("even_odd: symmetric\ndeterminants: [ { mass: 0.1 } ]");
    fact(plan.d.kind == &clover_plain_kind && plan.blocks.count == 0, "both forms of plain Wilson quarks are the same");
    quark_plan_free(&plan);
}

static bool is_twisted(const quark_plan *plan, int n, double mu, double rho, double heavy_rho)
{
    const dirac_twist light = light_of(plan, n).twist, heavy = heavy_of(plan, n).twist;
    return n < plan->count && light.mu == mu && light.rho == rho
           && (plan->factor[n].alone || (heavy.mu == mu && heavy.rho == heavy_rho));
}

/* mu is the same in all factors of a chain, rho differs; both need the operator that knows them. */
static void twisted(void)
{
    quark_plan plan = plan_of("determinants: [ { mass: -0.5, mu: 0.1, hasenbusch: [ { rho: 0.2 }, { mass: 0.3 } ] }, "
                              "{ mass: 0.2, rho: 0.01, heavy_rho: 0.3 }, { flavors: 1, mass: 0.2 } ]");
    const clover_operator_params *op = plan.d.params;
    fact(plan.d.kind == &clover_operator_kind && op->c_sw == 0 && op->boundary.t == -1,
         "a twisted mass without a clover term has the clover operator with c_sw = 0");
    fact(op->masses == 3 && op->mu[0] == 0.1 && op->mu[1] == 0.1 && op->mu[2] == 0, "with each mass and its mu");
    fact(plan.count == 5 && is_factor(&plan, 0, -0.5, -0.5, false, 1e-7) && is_twisted(&plan, 0, 0.1, 0, 0.2),
         "rho alone stays at the mass of the determinant");
    fact(is_factor(&plan, 1, -0.5, 0.3, false, 1e-7) && is_twisted(&plan, 1, 0.1, 0.2, 0)
         && is_factor(&plan, 2, 0.3, 0, true, 1e-7) && is_twisted(&plan, 2, 0.1, 0, 0), "a mass ends it");
    fact(is_factor(&plan, 3, 0.2, 0.2, false, 1e-7) && is_twisted(&plan, 3, 0, 0.01, 0.3), "or rho of a denominator");
    fact(plan.blocks.count == 2 && is_block(&plan, 0, (quark_mass){ -0.5, { 0.1, 0 } }, 2)
         && has_block(&plan, 0.2, 1), "blocks know mu, and not rho");
    quark_plan_free(&plan);
}

/* One twist, wherever it stands, needs the operator that has twists: the Wilson operator would leave it out. */
static void single_twist(void)
{
    static const char *const places[] = { "mu: 0.1", "rho: 0.1", "heavy: 0.3, heavy_mu: 0.1", "heavy_rho: 0.1",
                                          "hasenbusch: [ { mu: 0.2 } ]", "hasenbusch: [ { rho: 0.2 } ]",
                                          "hasenbusch: [ { mass: 0.3 }, { mass: 0.4, mu: 0.2 } ]" };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char yaml[128];
        snprintf(yaml, sizeof yaml, "determinants: [ { mass: 0.5 }, { mass: 0.2, %s } ]", places[i]);
        quark_plan plan = plan_of(yaml);
        fact(plan.d.kind == &clover_operator_kind, "{ %s } needs the operator with twists", places[i]);
        quark_plan_free(&plan);
    }
}

/* kiln check: D = 1 / (2 kappa) - 4 + ... + i mu gamma5; with the normalization 2 kappa D the twist is 2 kappa mu. */
static void described(void)
{
    wilson_params p = from_text("determinants: [ { mass: 0, mu: 0.1 }, { kappa: 0.1, mu: -0.3 }, { mass: 2 } ]");
    static const char *const said[] = { "mass 0: kappa 0.125, mu 0.1: 2 kappa mu 0.025\n",
                                        "mass 1: kappa 0.1, mu -0.3: 2 kappa mu -0.06\n",
                                        "mass 2: kappa 0.083333333\n" };
    const lattice_shape shape = lattice_shape_single((int[4]){ 4, 4, 4, 4 });
    text lines = { 0 };
    wilson_monomial.describe(&lines, &wilson_monomial, &p, &shape);
    for (int i = 0; i < 3; i++)
        if (!fact(strstr(text_string(&lines), said[i]) != NULL, "kiln check prints kappa and 2 kappa mu: %.*s",
                  (int)strcspn(said[i], "\n"), said[i]))
            note("but: %s", text_string(&lines));
    text_free(&lines);
    schema_free_values(wilson_specs, &p);
}

/* A factor that says nothing of its flavors is none for an operator with such determinants. */
static const quark_factor_kind without_flavors = { .name = "unknown" };

static bool plan_without_flavors(quark_plan *plan, const void *params, failure *f)
{
    const quark_family *wilson = wilson_monomial.family;
    const bool ok = wilson->plan(plan, params, f);
    plan->factor[0].kind = &without_flavors;
    return ok;
}

static void flavors_unknown(double c_sw)
{
    static const quark_family family = { .plan = plan_without_flavors };
    const monomial_kind kind = { .family = &family };
    wilson_params p = from_text("determinants: [ { mass: 0.2 } ]");
    quark_plan plan;
    failure f = { .why = "" };
    p.of.c_sw = c_sw;
    const bool made = quark_plan_make(&plan, &kind, &p, &f);
    if (c_sw != 0)
        fact(!made && strstr(f.why, "log_det"), "a factor without flavors leaves out a determinant: %s", f.why);
    else
        fact(made, "unless det C is all of it");
    quark_plan_free(&plan);
    schema_free_values(wilson_specs, &p);
}

/* What the table itself refuses. */
static void out_of_range(void)
{
    static const char *const rows[] = {
        "determinants: [ { mass: -4.1 } ]", "determinants: [ { mass: -1, heavy: -4.5 } ]",
        "determinants: [ { flavors: 3, mass: 0.1 } ]", "determinants: []",
        "boundary: 2\ndeterminants: [ { mass: 0.1 } ]", "c_sw: -1\ndeterminants: [ { mass: 0.1 } ]",
        "determinants: [ { kappa: -0.1 } ]", "determinants: [ { mass: -4 } ]", "determinants: [ { kappa: 0 } ]",
        "determinants: [ { mass: 0.1, heavy: -4 } ]", "determinants: [ { mass: 0.1, heavy_kappa: 0 } ]",
            "determinants: [ { flavors: 1, mass: 0.1, chronological: 2 } ]",
        "determinants: [ { flavors: 1, mass: 0.1, hasenbusch: [ { mass: 0.4 } ] } ]",
        "determinants: [ { flavors: 2, mass: 0.1, fields: 2 } ]", "determinants: [ { flavors: 1, mass: 0, mu: 0.1 } ]",
        "determinants: [ { flavors: 1, mass: 0.1, rho: 0.1 } ]", "determinants: [ { mass: 0.1, rho: -0.1 } ]",
        "theta: [0, 0, 2.5]\ndeterminants: [ { mass: 0.1 } ]", "theta: 0.5\ndeterminants: [ { mass: 0.1 } ]",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wilson_params p = { .name = NULL };
        fault_list faults = { 0 };
        yaml_node *tree = yaml_read_string(rows[i], "q.yaml", NULL);
        schema_read(tree, wilson_specs, &p, &faults);
        fact(faults.count == 1, "a fault: %s", text_string(&faults.lines));
        fault_list_free(&faults);
        schema_free_values(wilson_specs, &p);
        yaml_tree_free(tree);
    }
}

int main(void)
{
    chains();
    explicit_zeros();
    refused();
    advice();
    clover();
    symmetric();
    twisted();
    single_twist();
    described();
    phases();
    flavors_unknown(1);
    flavors_unknown(0);
    out_of_range();
    fact(boundary_of("determinants: [ { mass: 0.1 } ]") == -1, "quarks are antiperiodic in t by default");
    fact(boundary_of("boundary: 0\ndeterminants: [ { mass: 0.1 } ]") == 1, "and periodic with boundary 0");
    fact_close(wilson_kappa(0), 0.125, 1e-16, "kappa = 1/8 for massless free quarks");
    fact_close(1 / (2 * wilson_kappa(-0.8)) - 4, -0.8, 1e-15, "m = 1 / (2 kappa) - 4");
    return facts_end();
}
