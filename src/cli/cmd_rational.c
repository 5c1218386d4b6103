/* cmd_rational.c - kiln rational: make, read, check, print and write the rational functions of pseudofermions. */
#include "actions/staggered_rationals.h"
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/cli/rational_options.h"
#include "src/cli/subcommands.h"
#include "src/rational/rational_file.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    determinant_options quarks;
    double upper;
    role_values error;
    const char *read, *write;
    bool curve, json;
} rational_options;

#define AT(member) offsetof(rational_options, member)

#define ABOUT                                                                                                          \
    "Makes and checks rational functions for RHMC with staggered quarks.\n"                                           \
    "r(x) = constant + sum_k residue_k / (x + pole_k) is the best approximation (Remez) to a product of powers of\n"   \
    "x + 4 m^2, x an eigenvalue of K = -D_eo D_oe, in three roles:\n"                                                 \
    "  force      (MILC: MD)  powers -flavors/4, for the derivative of phi^+ r(K) phi\n"                               \
    "  refresh    (GR)        powers +flavors/8, phi = r(K) eta\n"                                                     \
    "  action     (FA)        powers -flavors/8, S = |r(K) phi|^2\n"                                                   \
    "of the pseudofermions into which Hasenbusch masses and fields split det(quarks)^(1/4).  The example\n"            \
    "  kiln rational --quarks 0.01x2,0.05 --hasenbusch 0.2 --fields 1,3 --quarks 0.5 --naik-epsilon -0.16875\n"        \
    "has one field for two light quarks and a strange quark over three quarks of mass 0.2, three fields for these\n"   \
    "three quarks, and one field for charm.  Kiln prints the functions, their errors, and their errors after\n"        \
    "rounding to double precision; --write also writes them to a file.  With --read, Kiln reads the functions from\n"  \
    "a file, checks that poles, masses and powers belong together, and prints them."

static const option rational_option_table[] = {
    { .name = "quarks", .value = "MASSxN,...",
      .doc = "a determinant: masses, each with its number of flavors (default\nx1; negative: in the denominator); may "
             "be given several times",
      .type = OPTION_READS, .offset = AT(quarks), .read = rational_read_quarks },
    { .name = "hasenbusch", .value = "MASS,...", .doc = "masses that split the preceding --quarks into factors",
      .type = OPTION_READS, .offset = AT(quarks), .read = rational_read_hasenbusch },
    { .name = "fields", .value = "N,...", .doc = "number of independent pseudofermions of each factor (default: 1)",
      .type = OPTION_READS, .offset = AT(quarks), .read = rational_read_fields },
    { .name = "naik-epsilon", .value = "E", .doc = "its correction epsilon of the Naik term, or auto (default: 0)",
      .type = OPTION_READS, .offset = AT(quarks), .read = rational_read_epsilon },
    { .name = "upper", .value = "X", .doc = "upper end of the range of x (default: 24; free HISQ quarks\nreach 21.8)",
      .type = OPTION_REAL, .offset = AT(upper), .min = 1e-3, .max = 1e6 },
    { .name = "error-force", .value = "E", .doc = "largest relative error of the force (default: 1e-7)",
      .type = OPTION_REAL, .offset = AT(error.of[ROLE_FORCE]), .min = RATIONAL_LEAST_ERROR, .max = 0.5 },
    { .name = "error-refresh", .value = "E", .doc = "of the refresh (default: 1e-13)",
      .type = OPTION_REAL, .offset = AT(error.of[ROLE_REFRESH]), .min = RATIONAL_LEAST_ERROR, .max = 0.5 },
    { .name = "error-action", .value = "E", .doc = "of the action (default: 1e-13)",
      .type = OPTION_REAL, .offset = AT(error.of[ROLE_ACTION]), .min = RATIONAL_LEAST_ERROR, .max = 0.5 },
    { .name = "read", .value = "FILE", .doc = "read the functions from a file in MILC's format, and check them",
      .type = OPTION_TEXT, .path = PATH_READ, .offset = AT(read) },
    { .name = "write", .value = "FILE", .doc = "write the functions in MILC's format to a new file",
      .type = OPTION_TEXT, .path = PATH_WRITE, .offset = AT(write) },
    { .name = "curve", .doc = "print the error r/f - 1 against x instead of poles: columns x, force,\n"
      "refresh, action; an empty line between pseudofermions", .type = OPTION_FLAG, .offset = AT(curve) },
    JSON_OPTION(rational_options, json),
    { 0 }
};

/* In the order of MILC's files. */
static const int shown[ROLES] = { ROLE_FORCE, ROLE_REFRESH, ROLE_ACTION };

/* ---- making and reading */

/* The functions as the monomial `staggered` makes them.  False also if the quarks do not make a plan, which is wrong
 * usage. */
static bool make_sets(rational_sets *sets, rational_options *o, bool *wrong_usage, failure *f)
{
    staggered_params p = { .name = "quarks", .of = { .action = STAGGERED_HISQ, .u0 = 1, .boundary = 1 },
                           .error = o->error, .rational_file = "", .largest_eigenvalue = o->upper,
                           .largest_eigenvalue_given = true };
    staggered_plan plan;
    *wrong_usage = !rational_options_determinants(&p.determinants, &o->quarks, f) || !staggered_plan_make(&plan, &p, f);
    if (*wrong_usage)
        return false;
    *sets = (rational_sets){ plan.count, memory_alloc((size_t)plan.count * sizeof *sets->set, "rational functions") };
    return staggered_rationals(sets->set, &plan, &p, o->upper, f);
}

/* Checks the functions of a file against the errors that it states; against --error-... where it states none. */
static bool read_sets(rational_sets *sets, const rational_options *o, failure *f)
{
    const double slack = 1.01;                        /* for errors stated with few digits */
    if (!rational_file_read(sets, o->read, f))
        return false;
    for (int i = 0; i < sets->count; i++) {
        rational_set *set = &sets->set[i];
        double stated[ROLES];
        for (int role = 0; role < ROLES; role++) {
            double error = rational_of(set, role)->error;
            stated[role] = slack * (error > 0 ? error : o->error.of[role]);
        }
        rational_errors tolerances = { .force = stated[ROLE_FORCE], .refresh = stated[ROLE_REFRESH],
                                       .action = stated[ROLE_ACTION] };
        double lower = set->force.lower, upper = set->force.upper > 0 ? set->force.upper : o->upper;
        failure why;
        if (!rational_set_check(set, lower, upper, &tolerances, &why))
            return fail(f, "%s: pseudofermion %d: %.900s", o->read, i, why.why);
        set->force.upper = set->refresh.upper = set->action.upper = upper;
    }
    return true;
}

/* ---- showing */

enum { CURVE = 1000 };

static void show_curve(const rational_set *set, int number)
{
    const rational *r = &set->force;
    printf("%s# pseudofermion %d: x, r/f - 1 of force, refresh, action\n", number > 0 ? "\n\n" : "", number);
    for (int i = 0; i < CURVE; i++) {
        double x = rational_grid(&r->target, r->lower, r->upper, i, CURVE);
        printf("%.10e", x);
        for (int k = 0; k < ROLES; k++)
            printf(" % .6e", rational_error_at(rational_of(set, shown[k]), x));
        printf("\n");
    }
}

static void show_text(const rational_set *set, int number)
{
    text out = { 0 };
    text_add(&out, "pseudofermion %d, Naik epsilon %g\n", number, set->naik_epsilon);
    for (int i = 0; i < ROLES; i++) {
        const rational *r = rational_of(set, shown[i]);
        text_add(&out, "  %s: ", role_names[shown[i]]);
        power_product_describe(&out, &r->target);
        text_add(&out, " on [%g, %g]\n    order %d, error %.3e, %.3e with rounded coefficients\n", r->lower, r->upper,
                 r->order, r->error, rational_error_seen(r, r->lower, r->upper));
        text_add(&out, "    %-24s %s\n    %- .17e\n", "residue", "pole", r->constant);
        for (int k = 0; k < r->order; k++)
            text_add(&out, "    %- .17e %.17e\n", r->residue[k], r->pole[k]);
    }
    fputs(text_string(&out), stdout);
    text_free(&out);
}

static void reals_to_json(json *j, const char *key, const double *value, int count)
{
    json_open(j, key, '[');
    for (int k = 0; k < count; k++)
        json_real(j, NULL, value[k]);
    json_close(j);
}

static void curve_to_json(json *j, const rational *r)
{
    double x[CURVE], error[CURVE];
    for (int i = 0; i < CURVE; i++) {
        x[i] = rational_grid(&r->target, r->lower, r->upper, i, CURVE);
        error[i] = rational_error_at(r, x[i]);
    }
    json_open(j, "curve", '{');
    reals_to_json(j, "x", x, CURVE);
    reals_to_json(j, "error", error, CURVE);
    json_close(j);
}

static void function_to_json(json *j, const char *key, const rational *r, bool curve)
{
    json_open(j, key, '{');
    json_open(j, "factors", '[');
    for (int i = 0; i < r->target.count; i++) {
        json_open(j, NULL, '{');
        json_real(j, "mass", r->target.factor[i].mass);
        json_int(j, "y", r->target.factor[i].y);
        json_int(j, "z", r->target.factor[i].z);
        json_close(j);
    }
    json_close(j);
    json_real(j, "lower", r->lower);
    json_real(j, "upper", r->upper);
    json_int(j, "order", r->order);
    json_real(j, "error", r->error);
    json_real(j, "error_as_rounded", rational_error_seen(r, r->lower, r->upper));
    json_real(j, "constant", r->constant);
    reals_to_json(j, "residues", r->residue, r->order);
    reals_to_json(j, "poles", r->pole, r->order);
    if (curve)
        curve_to_json(j, r);
    json_close(j);
}

static void show_functions(const rational_sets *sets, const rational_options *o)
{
    json j = { 0 };
    if (o->json) {
        json_open(&j, NULL, '{');
        json_open(&j, "pseudofermions", '[');
    }
    for (int i = 0; i < sets->count; i++) {
        const rational_set *set = &sets->set[i];
        if (!o->json) {
            (o->curve ? show_curve : show_text)(set, i);
            continue;
        }
        json_open(&j, NULL, '{');
        json_real(&j, "naik_epsilon", set->naik_epsilon);
        for (int k = 0; k < ROLES; k++)
            function_to_json(&j, role_keys[shown[k]], rational_of(set, shown[k]), o->curve);
        json_close(&j);
    }
    if (o->json) {
        json_close(&j);
        json_close(&j);
        puts(json_string(&j));
        json_free(&j);
    }
}

int cmd_rational(int argc, char **argv)
{
    static const usage u = { "rational", "", 0, 0, ABOUT, rational_option_table };
    rational_options *o = memory_alloc(sizeof *o, "options");
    o->upper = staggered_expected_largest(&(staggered_params){ .of.action = STAGGERED_HISQ });
    o->error = role_default_errors();
    operands none;
    int status = options_read(&u, argc, argv, o, &none);
    if (status == GO_ON && !o->read == (o->quarks.count == 0))
        status = usage_error(&u, "%s", o->read ? "give --read or --quarks, not both: --read takes the quarks from the "
                                                 "file" : "--quarks or --read is missing");
    if (status == GO_ON) {
        failure f;
        rational_sets sets = { 0 };
        bool wrong_usage = false, ok = o->read ? read_sets(&sets, o, &f) : make_sets(&sets, o, &wrong_usage, &f);
        if (ok)
            show_functions(&sets, o);
        ok = ok && (!o->write || rational_file_write(o->write, sets.set, sets.count, false, &f));
        if (!ok && !wrong_usage)
            log_line(LOG_ERROR, "%s", f.why);
        rational_sets_free(&sets);
        status = ok ? EXIT_OK : wrong_usage ? usage_error(&u, "%s", f.why) : EXIT_FAILED;
    }
    memory_free(o);
    return status;
}
