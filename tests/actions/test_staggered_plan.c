/* test_staggered_plan.c - from determinants to pseudofermions: which fields there are, and that together they have the
 * weight of the determinants asked for. */
#include "actions/staggered_rationals.h"
#include "tests/actions/staggered_input.h"
#include "tests/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LIGHT "{ mass: 0.01, flavors: 2 }"
#define STRANGE "{ mass: 0.05, flavors: 1 }"
#define CHARM "{ mass: 0.6, flavors: 1 }"

/* Inputs, and the fields that come of them in words: one line a field. */
static const struct { const char *name, *yaml, *fields; } plans[] = {
    { "2+1", "determinants: [ { quarks: [ " LIGHT ", " STRANGE " ] } ]", "(0.01)^2 (0.05)^1\n" },
    { "2 and 1 apart", "determinants: [ { quarks: [ " LIGHT " ] }, { quarks: [ " STRANGE " ] } ]",
      "(0.01)^2\n(0.05)^1\n" },
    { "2+1 with a Hasenbusch mass",
      "determinants: [ { quarks: [ " LIGHT ", " STRANGE " ], hasenbusch: [ { mass: 0.2 } ] } ]",
      "(0.01)^2 (0.05)^1 (0.2)^-3\n(0.2)^3\n" },
    { "2+1 with three of them and roots",
      "determinants: [ { quarks: [ " LIGHT ", " STRANGE " ], fields: 2,"
      " hasenbusch: [ { mass: 0.1 }, { mass: 0.3, fields: 3 }, { mass: 0.9 } ] } ]",
      "(0.01)^2 (0.05)^1 (0.1)^-3, root 2\n(0.01)^2 (0.05)^1 (0.1)^-3, root 2\n(0.1)^3 (0.3)^-3\n"
      "(0.3)^3 (0.9)^-3, root 3\n(0.3)^3 (0.9)^-3, root 3\n(0.3)^3 (0.9)^-3, root 3\n(0.9)^3\n" },
    { "one flavor", "determinants: [ { quarks: [ " STRANGE " ] } ]", "(0.05)^1\n" },
    { "a quark in the denominator",
      "determinants: [ { quarks: [ " LIGHT ", { mass: 0.2, flavors: -2 } ] },"
      " { quarks: [ { mass: 0.2, flavors: 2 } ] } ]",
      "(0.01)^2 (0.2)^-2\n(0.2)^2\n" },
    { "2+1+1 with Naik's epsilon of charm",
      "determinants: [ { quarks: [ " LIGHT ", " STRANGE " ] }, { quarks: [ " CHARM " ], naik_epsilon: -0.25 } ]",
      "(0.01)^2 (0.05)^1\n(0.6)^1, epsilon -0.25\n" },
};

static void field_list(text *words, const staggered_plan *plan)
{
    for (int n = 0; n < plan->count; n++) {
        pseudofermion_describe(words, plan, n);
        text_add(words, "\n");
    }
}

/* The product over fields of their weights, |r_A|^-2, beside the product of (x + 4 m^2)^(flavors/4) over all quarks. */
static double weight_error(const staggered_plan *plan, const staggered_params *p, double x)
{
    double weight = 0, want = 0;
    for (int n = 0; n < plan->count; n++) {
        const pseudofermion_plan *pf = &plan->field[n];
        power_product f = { .count = pf->count };
        for (int i = 0; i < pf->count; i++)
            f.factor[i] = (mass_power){ pf->quark[i].mass, pf->quark[i].flavors, 4 * pf->roots };
        weight += log(power_product_value(&f, x));
    }
    for (int d = 0; d < p->determinants.count; d++) {
        const determinant_params *det = (const determinant_params *)p->determinants.item + d;
        for (int q = 0; q < det->quarks.count; q++) {
            const quark_params *quark = (const quark_params *)det->quarks.item + q;
            want += 0.25 * (double)quark->flavors * log(x + 4 * quark->mass * quark->mass);
        }
    }
    return fabs(weight - want);
}

/* r_H = 1/r_A = r_F^(-1/2) in every field, and the product of r_H^2 is the weight asked for. */
static double function_error(const rational_set *sets, const staggered_plan *plan, double x)
{
    double worst = 0;
    for (int n = 0; n < plan->count; n++) {
        const pseudofermion_plan *pf = &plan->field[n];
        double weight = 0;
        for (int i = 0; i < pf->count; i++)
            weight += pf->quark[i].flavors * log(x + 4 * pow(pf->quark[i].mass, 2)) / (8 * pf->roots);
        worst = worse(worst, fabs(log(rational_value(&sets[n].refresh, x)) - weight));
        worst = worse(worst, fabs(log(rational_value(&sets[n].action, x)) + weight));
        worst = worse(worst, fabs(log(rational_value(&sets[n].force, x)) + 2 * weight));
    }
    return worst;
}

static void plan_is(const char *name, const char *yaml, const char *fields)
{
    staggered_params p = staggered_from_text(yaml);
    staggered_plan plan;
    rational_set sets[PSEUDOFERMIONS_MAX];
    text words = { 0 };
    failure f = { .why = "" };
    bool ok = staggered_plan_make(&plan, &p, &f);
    fact(ok, "%s: is an action %s", name, f.why);
    field_list(&words, &plan);
    if (!fact(strcmp(text_string(&words), fields) == 0, "%s: has the fields it should", name))
        note("has\n%s", text_string(&words));
    double worst = 0;
    for (double x = 0; x < 30; x += 0.7)
        worst = worse(worst, weight_error(&plan, &p, x));
    fact_close(worst, 0, 1e-13, "%s: the fields multiply to the determinants", name);

    for (int role = 0; role < ROLES; role++)
        p.error.of[role] = 1e-11;
    ok = staggered_rationals(sets, &plan, &p, 20, &f);
    fact(ok, "%s: has rational functions %s", name, f.why);
    worst = 0;
    for (double x = 0; ok && x <= 20; x += 0.125)
        worst = worse(worst, function_error(sets, &plan, x));
    fact_close(worst, 0, 1.1e-11, "%s: refresh, action and force have its powers", name);
    text_free(&words);
    staggered_input_free(&p);
}

/* Three quantities of the epsilon of every set, and which field has which. */
static void epsilons(void)
{
    staggered_params p = staggered_from_text(
        "determinants: [ { quarks: [ " LIGHT ", " STRANGE " ], hasenbusch: [ { mass: 0.2 } ] },"
        " { quarks: [ " CHARM " ], naik_epsilon: auto },"
        " { quarks: [ { mass: 0.3, flavors: 1 } ], naik_epsilon: -0.06 },"
        " { quarks: [ " CHARM ", { mass: 0.6, flavors: 2 } ], naik_epsilon: auto, fields: 2 } ]");
    staggered_plan plan;
    failure f = { .why = "" };
    fact(staggered_plan_make(&plan, &p, &f), "several epsilons are an action %s", f.why);
    double m2 = 0.6 * 0.6, series = -27. / 40 * m2 + 327. / 1120 * pow(m2, 2) - 15607. / 268800 * pow(m2, 3)
                                    - 73697. / 3942400 * pow(m2, 4);
    const double want[] = { 0, 0, series, -0.06, series, series };
    fact(plan.count == 6 && plan.op.links.epsilons == 3, "fields of equal epsilon share a set of links");
    double worst = 0;
    for (int n = 0; n < plan.count; n++)
        worst = worse(worst, fabs(plan.op.links.epsilon[plan.field[n].set] - want[n]));
    fact_close(worst, 0, 1e-15, "every field has its epsilon; auto is the series in the mass");
    staggered_input_free(&p);
}

static void residuals(void)
{
    staggered_params p = staggered_from_text(
        "residuals: { force: 1e-6, action: 1e-9 }\n"
        "determinants: [ { quarks: [ " LIGHT " ], residuals: { force: 1e-4 },"
        " hasenbusch: [ { mass: 0.1, residuals: { refresh: 1e-12, force: 1e-5 } }, { mass: 0.2 } ] },"
        " { quarks: [ " STRANGE " ] } ]");
    static const double want[4][ROLES] = {              /* refresh, action, force */
        { 1e-10, 1e-9, 1e-4 }, { 1e-12, 1e-9, 1e-5 }, { 1e-10, 1e-9, 1e-4 }, { 1e-10, 1e-9, 1e-6 }
    };
    staggered_plan plan;
    failure f = { .why = "" };
    bool same = staggered_plan_make(&plan, &p, &f) && plan.count == 4;
    for (int n = 0; same && n < 4; n++)
        same = memcmp(plan.field[n].residual.of, want[n], sizeof want[n]) == 0;
    fact(same, "a residual is that of the Hasenbusch mass, else of the determinant, else of the monomial %s", f.why);
    staggered_input_free(&p);
}

static void of_the_action(void)
{
    staggered_params p = staggered_from_text("action: asqtad\nu0: 0.87\nboundary: 0.5\ndeterminants: [ { quarks: [ "
                                             LIGHT ", " STRANGE ", " CHARM " ] } ]");
    staggered_plan plan;
    failure f = { .why = "" };
    bool ok = staggered_plan_make(&plan, &p, &f);
    fact(ok && plan.op.links.kind == STAGGERED_ASQTAD && plan.op.links.u0 == 0.87 && plan.op.links.boundary == 0.5,
         "the links are those of the input %s", f.why);
    p.of.imaginary_mu = 0.25;
    ok = staggered_plan_make(&plan, &p, &f);
    fact(ok && plan.op.links.boundary == 0.75, "an imaginary chemical potential is a phase beyond the boundary");
    staggered_input_free(&p);
}

#define TWELVE(a) a ", " a ", " a ", " a ", " a ", " a ", " a ", " a ", " a ", " a ", " a ", " a
#define EPSILON(e) "{ quarks: [ " CHARM " ], naik_epsilon: " e " }"

static const struct { const char *yaml, *sentence; } refused[] = {
    { "determinants: [ { quarks: [ " LIGHT " ], naik_epsilon: some } ]",
      "determinants.0.naik_epsilon: \"some\" is neither auto nor a number of size below 10" },
    { "determinants: [ { quarks: [ " LIGHT " ], naik_epsilon: 0.1x } ]",
      "determinants.0.naik_epsilon: \"0.1x\" is neither auto nor a number of size below 10" },
    { "determinants: [ { quarks: [ " LIGHT " ], naik_epsilon: nan } ]",
      "determinants.0.naik_epsilon: \"nan\" is neither auto nor a number of size below 10" },
    { "determinants: [ { quarks: [ " LIGHT " ], naik_epsilon: -10 } ]",
      "determinants.0.naik_epsilon: \"-10\" is neither auto nor a number of size below 10" },
    { "determinants: [ { quarks: [ " CHARM " ] }, { quarks: [ " LIGHT ", " STRANGE " ], naik_epsilon: auto } ]",
      "determinants.1.naik_epsilon: auto needs one mass, but this determinant has the masses 0.01 and 0.05: give a "
      "number, or put each mass into its own determinant" },
    { "action: asqtad\ndeterminants: [ { quarks: [ " CHARM " ], naik_epsilon: auto } ]",
      "determinants.0: naik_epsilon: only action hisq has this key" },
    { "determinants: [ " EPSILON("0") ", " EPSILON("0.1") ", " EPSILON("0.2") ", " EPSILON("0.3") ", " EPSILON("0.4")
      ", " EPSILON("0.5") ", " EPSILON("0.6") ", " EPSILON("0.7") ", " EPSILON("0.1") ", " EPSILON("0.8") " ]",
      "determinants.9.naik_epsilon: more than 8 different values" },
    { "determinants: [ { quarks: [ " TWELVE(LIGHT) ", " STRANGE ", " STRANGE ", " CHARM ", " CHARM " ] } ]",
      "determinants.0: more than 15 masses" },
    { "determinants: [ { quarks: [ " LIGHT ", { mass: 0.2, flavors: -2 } ], hasenbusch: [ { mass: 0.4 } ] } ]",
      "determinants.0.hasenbusch: masses need a positive number of flavors, but it is 0" },
    { "determinants: [ { quarks: [ " LIGHT ", { mass: 0.2, flavors: 0 } ] } ]",
      "determinants.0.quarks.1: flavors must not be 0" },
    { "determinants: [ { quarks: [ " LIGHT ", " STRANGE " ], hasenbusch: [ { mass: 0.05 } ] } ]",
      "determinants.0.hasenbusch.0.mass: 0.05 is not above 0.05, the mass before it" },
    { "determinants: [ { quarks: [ " LIGHT " ], hasenbusch: [ { mass: 0.2 }, { mass: 0.1 } ] } ]",
      "determinants.0.hasenbusch.1.mass: 0.1 is not above 0.2, the mass before it" },
    { "determinants: [ { quarks: [ " LIGHT " ], fields: 16, hasenbusch: [ { mass: 0.1, fields: 16 },"
      " { mass: 0.2, fields: 16 }, { mass: 0.3, fields: 16 }, { mass: 0.4 } ] } ]",
      "determinants.0: more than 64 pseudofermions" },
};

static void refusals(void)
{
    const lattice_shape shape = lattice_shape_single((int[4]){ 4, 4, 4, 4 });
    for (size_t n = 0; n < sizeof refused / sizeof refused[0]; n++) {
        staggered_params p = staggered_from_text(refused[n].yaml);
        staggered_plan plan;
        failure f = { .why = "" };
        bool made = staggered_plan_make(&plan, &p, &f);
        if (!fact(!made && strcmp(f.why, refused[n].sentence) == 0, "refused: %s", refused[n].sentence))
            note("but: %s", made ? "it is accepted" : f.why);
        f.why[0] = '\0';
        fact(!monomial_check(&staggered_monomial, &p, &shape, &f) && strcmp(f.why, refused[n].sentence) == 0,
             "and before a run begins");
        staggered_input_free(&p);
    }
}

/* What the functions say, not the plan. */
static void nothing_left(void)
{
    const char *yaml = "determinants: [ { quarks: [ " LIGHT ", { mass: 0.01, flavors: -2 } ] } ]";
    staggered_params p = staggered_from_text(yaml);
    const lattice_shape shape = lattice_shape_single((int[4]){ 4, 4, 4, 4 });
    failure f = { .why = "" };
    fact(!monomial_check(&staggered_monomial, &p, &shape, &f)
         && strcmp(f.why, "quarks: pseudofermion 0, refresh: a function without poles: its determinant is 1") == 0,
         "masses that cancel are refused");
    staggered_input_free(&p);
}

int main(void)
{
    for (size_t n = 0; n < sizeof plans / sizeof plans[0]; n++)
        plan_is(plans[n].name, plans[n].yaml, plans[n].fields);
    epsilons();
    residuals();
    of_the_action();
    refusals();
    nothing_left();
    return facts_end();
}
