/* bench_solver.c - kiln bench solver: compare solvers in mixed precision. */
#include "src/cli/bench/bench_solver.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/cli/bench/bench_studies.h"
#include "src/config/number.h"
#include "src/io/configuration.h"
#include "src/io/safe_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double default_mass = 0.01, default_tolerance = 1e-10, default_beta = 3.2, default_beta_of_sizes = 4.5;
static const number_list default_masses = { 5, { 0.1, 0.05, 0.02, 0.01, 0.005 } };
static const number_list default_masses_of_sizes = { SIZE_MASSES, { 0.005, 0.01, -0.25 } };
enum { DEFAULT_TRAJECTORIES = 20, NOT_GIVEN = -1 };

static bool read_list(const char *given, number_list *list, bool positive, failure *f)
{
    list->count = 0;
    for (const char *s = given;; s++) {
        char item[64];
        int n = (int)strcspn(s, ",");
        text hint = { 0 };
        snprintf(item, sizeof item, "%.*s", n, s);
        bool ok = n > 0 && n < (int)sizeof item && list->count < SHIFTS_MAX
                  && number_read_real(item, &list->of[list->count], &hint) && (list->of[list->count] > 0 || !positive);
        text_free(&hint);
        if (!ok)
            return fail(f, "\"%s\" is not a list of at most %d %snumbers; an example: 0.1,0.05", given, SHIFTS_MAX,
                        positive ? "positive " : "");
        list->count++;
        s += n;
        if (!*s)
            return true;
    }
}

static bool read_numbers(const char *given, void *list, failure *f)
{
    return read_list(given, list, true, f);
}

/* Numbers between 0 and 1. */
static bool read_factors(const char *given, void *list, failure *f)
{
    const number_list *numbers = list;
    if (!read_list(given, list, true, f))
        return false;
    for (int i = 0; i < numbers->count; i++)
        if (numbers->of[i] < 1e-12 || numbers->of[i] > 0.9)
            return fail(f, "\"%s\": numbers from 1e-12 to 0.9 are possible", given);
    return true;
}

/* Wilson quarks may have any above -4. */
static bool read_masses(const char *given, void *list, failure *f)
{
    return read_list(given, list, false, f);
}

static bool read_lattice(const char *given, void *value, failure *f)
{
    int *n = value, used = 0;
    if (sscanf(given, "%d,%d,%d,%d%n", &n[0], &n[1], &n[2], &n[3], &used) != 4 || given[used])
        return fail(f, "\"%s\" is not a lattice; an example: 8,8,8,8 (x, y, z, t)", given);
    const lattice_shape shape = lattice_shape_single(n);
    return lattice_shape_is_possible(&shape, f);
}

#define ABOUT                                                                                                          \
    "Conjugate gradients for (K + 4 m^2) x = b of staggered quarks in mixed precision, and (methods) BiCGstab:\n"      \
    "comparisons like those of\n"                                                                                      \
    "M. A. Clark et al., arXiv:2302.09224 (Maximizing the Bang Per Bit) and, for masses, arXiv:0911.3191;\n"           \
    "docs/solvers.md has results and lists what is omitted from the papers.\n"                                         \
    "  history     the residual step by step: double; inner half, from reliable updates alone (naive) to the fully\n"  \
    "              stabilised solver; int20.  Stopped at three times the iterations of double\n"                       \
    "  multishift  the shifts of a force of quarks: the residual of each shift after the common Krylov space, and\n"   \
    "              the iterations that each system then needs by itself\n"                                             \
    "  masses      reliable updates against defect correction, with inner half, int20 and single: conjugate\n"         \
    "              gradients for staggered quarks, or a --method for Wilson quarks on odd sites (--quarks wilson)\n"   \
    "  formats     the error of D v in every format; of Mhat v of Wilson quarks (first of --masses, default 0.1),\n"   \
    "              also for links that have been in 8 numbers or in 16 bits\n"                                         \
    "  methods     conjugate gradients against BiCGstab(l), l = 1, 2, 4, for 2m + D of staggered quarks on all\n"      \
    "              sites, or for Wilson quarks on odd sites (--quarks wilson), in five precisions\n"                   \
    "  sizes       time to solution in double, half and int20: HISQ 32^4 and 48^3x64, Shamir domain-wall quarks with\n"\
    "              Ls = 12 and clover quarks 24^3x48, or all of them on a --lattice; --masses: those of the three\n"   \
    "              (default 0.005,0.01,-0.25), --beta is 4.5 and --c-sw 1 by default\n"                                \
    "The default mass is 0.01.  The links are those of a configuration (--config), projected to SU(3), or those of\n"  \
    "--trajectories trajectories of length 1 with the action symanzik_tree from a cold start (--lattice), which are\n" \
    "thermalised if their number is large.  b is random.  Times exclude a short first run and the recording of\n"      \
    "histories."

#define AT(member) offsetof(bench_solver_options, member)

static const usage solver_usage = {
    .name = "bench solver", .operands = "history|multishift|masses|formats|methods|sizes", .least = 1, .most = 1,
    .about = ABOUT,
    .options = (const option[]){
        { .name = "config", .value = "FILE", .doc = "the links: NERSC, MILC or ILDG", .type = OPTION_TEXT,
          .offset = AT(config) },
        { .name = "lattice", .value = "X,Y,Z,T", .doc = "make links on this lattice", .type = OPTION_READ,
          .offset = AT(extents), .read = read_lattice },
        { .name = "beta", .value = "B", .doc = "lattice: coupling (default 3.2, strong: on small lattices only\n"
          "rough links have small eigenvalues)", .type = OPTION_REAL, .offset = AT(beta), .min = 0.1, .max = 1000 },
        { .name = "trajectories", .value = "N", .doc = "lattice: number of trajectories (default 20)",
          .type = OPTION_INT,
          .offset = AT(trajectories), .max = 1e6 },
        OPERATOR_OPTIONS(bench_solver_options, quarks, false, false),
        { .name = "tolerance", .value = "R,...", .doc = "requested true residual (default 1e-10); multishift: a list,\n"
          "lightest shift first; the last value holds for all others", .type = OPTION_READ,
          .offset = AT(tolerance), .read = read_numbers },
        { .name = "max-iterations", .value = "N", .doc = "give up after N (default 100000)", .type = OPTION_INT,
          .offset = AT(max_iterations), .min = 1, .max = 1e8 },
        { .name = "flavors", .value = "N", .doc = "multishift: number of flavors (default 2)", .type = OPTION_INT,
          .offset = AT(flavors), .min = 1, .max = 3 },
        { .name = "poles", .value = "N", .doc = "multishift: poles of the rational function (default 11)",
          .type = OPTION_INT, .offset = AT(poles), .min = 2, .max = SHIFTS_MAX },
        { .name = "masses", .value = "M,...", .doc = "masses, methods: list of masses (default\n"
          "0.1,0.05,0.02,0.01,0.005)", .type = OPTION_READ, .offset = AT(masses), .read = read_masses },
        { .name = "quarks", .value = "Q", .doc = "masses, methods, formats: staggered (default) or wilson",
          .type = OPTION_CHOICE, .offset = AT(family), .choices = bench_quarks_names },
        { .name = "c-sw", .value = "C", .doc = "wilson: coefficient of a clover term (default 0: none)",
          .type = OPTION_REAL, .offset = AT(c_sw), .max = 100 },
        { .name = "method", .value = "M", .doc = "cg, bicgstab, bicgstab2 or bicgstab4; methods: only this one\n"
          "(default all); masses, wilson: this one (default bicgstab)", .type = OPTION_CHOICE, .offset = AT(method),
          .choices = solver_method_names },
        { .name = "delta", .value = "D,...", .doc = "masses: reliable updates are made when |r| has fallen by this\n"
          "factor; the picture shows the first (default: as in kiln run)", .type = OPTION_READ, .offset = AT(deltas),
          .read = read_factors },
        { .name = "inner", .value = "R,...", .doc = "masses: reduction of |r| in a cycle of defect correction; the\n"
          "picture shows the first (default: as in kiln run)", .type = OPTION_READ, .offset = AT(inners),
          .read = read_factors },
        { .name = "out", .value = "FILE", .doc = "write the curves as columns", .type = OPTION_TEXT,
          .offset = AT(columns) },
        { .name = "svg", .value = "FILE", .doc = "write the picture", .type = OPTION_TEXT, .offset = AT(svg) },
        JSON_OPTION(bench_solver_options, json),
        DEVICE_OPTIONS(bench_solver_options, device),
        { 0 } },
};

enum { HISTORY, MULTISHIFT, MASSES, FORMATS, METHODS, SIZES, STUDIES };
static const struct { const char *name; solver_bench_fn *run; } studies[STUDIES] = {
    [HISTORY] = { "history", bench_history },
    [MULTISHIFT] = { "multishift", bench_multishift },
    [MASSES] = { "masses", bench_masses },
    [FORMATS] = { "formats", bench_formats },
    [METHODS] = { "methods", bench_methods },
    [SIZES] = { "sizes", bench_sizes },
};

/* ---- options */

static bool takes_masses(const bench_solver_options *o, int study)
{
    return study == MASSES || study == METHODS || study == SIZES || (study == FORMATS && o->family == BENCH_WILSON);
}

static bool options_fit_sizes(const bench_solver_options *o, failure *f)
{
    if (o->config || o->svg || o->tolerance.count > 1 || !isnan(o->quarks.mass))
        return fail(f, "bench solver sizes has no --config, --svg or --mass, and takes one --tolerance");
    if (o->masses.count > 0 && o->masses.count != SIZE_MASSES)
        return fail(f, "bench solver sizes needs %d --masses: of HISQ, domain-wall and clover quarks", SIZE_MASSES);
    if (o->masses.count > 0 && (o->masses.of[0] <= 0 || o->masses.of[1] <= 0 || o->masses.of[2] <= -4))
        return fail(f, "--masses: those of HISQ and domain-wall quarks are above 0, of clover quarks above -4");
    return true;
}

/* False with the reason for an option of another study, or of another origin of the links. */
static bool options_fit(const bench_solver_options *o, int study, failure *f)
{
    const struct { const char *name; int study; bool given; } owned[] = {
        { "flavors", MULTISHIFT, o->flavors != 0 },
        { "poles", MULTISHIFT, o->poles != 0 },
        { "masses", takes_masses(o, study) ? study : MASSES, o->masses.count > 0 },
        { "delta", MASSES, o->deltas.count > 0 },
        { "inner", MASSES, o->inners.count > 0 },
    };
    for (unsigned i = 0; i < sizeof owned / sizeof *owned; i++)
        if (owned[i].given && owned[i].study != study)
            return fail(f, "--%s may be used only with bench solver %s", owned[i].name, studies[owned[i].study].name);
    if (study != MASSES && study != METHODS && study != FORMATS && o->family != BENCH_STAGGERED)
        return fail(f, "--quarks is an option of bench solver masses, methods and formats");
    if (study != MASSES && study != METHODS && o->method >= 0)
        return fail(f, "--method is an option of bench solver masses and methods");
    if (study == MASSES && o->method >= 0 && o->family != BENCH_WILSON)
        return fail(f, "bench solver masses: --method needs --quarks wilson");
    if (study == SIZES)
        return options_fit_sizes(o, f);
    if (!o->config == (o->extents[0] == 0))
        return fail(f, "give either --config FILE or --lattice X,Y,Z,T for the links");
    if (o->config && (o->beta != 0 || o->trajectories != NOT_GIVEN))
        return fail(f, "--beta and --trajectories need --lattice");
    if (o->tolerance.count > 1 && study != MULTISHIFT)
        return fail(f, "only bench solver multishift allows several tolerances");
    if (study == FORMATS && (o->tolerance.count > 0 || o->max_iterations != 0))
        return fail(f, "bench solver formats solves nothing: --tolerance and --max-iterations are for the others");
    if ((study == MASSES || study == METHODS) && !isnan(o->quarks.mass))
        return fail(f, "bench solver %s takes --masses, not --mass", studies[study].name);
    if (o->c_sw != 0 && o->family != BENCH_WILSON)
        return fail(f, "--c-sw needs --quarks wilson");
    for (int i = 0; i < o->masses.count; i++)
        if (o->masses.of[i] <= (o->family == BENCH_WILSON ? -4 : 0))
            return fail(f, "--masses: %g is not possible: masses of staggered quarks are above 0, of Wilson quarks "
                           "above -4", o->masses.of[i]);
    return true;
}

static void fill_in(bench_solver_options *o, int study)
{
    if (o->tolerance.count == 0)
        o->tolerance = (number_list){ 1, { default_tolerance } };
    if (o->masses.count == 0)
        o->masses = study == SIZES ? default_masses_of_sizes : default_masses;
    if (isnan(o->quarks.mass) && study != MASSES && study != METHODS)
        o->quarks.mass = default_mass;
    if (study == SIZES && o->c_sw == 0)
        o->c_sw = 1;
    o->beta = o->beta != 0 ? o->beta : study == SIZES ? default_beta_of_sizes : default_beta;
    o->trajectories = o->trajectories != NOT_GIVEN ? o->trajectories : DEFAULT_TRAJECTORIES;
    o->flavors = o->flavors ? o->flavors : 2;
    o->poles = o->poles ? o->poles : 11;
    if (o->deltas.count == 0)
        o->deltas = (number_list){ 1, { mixed_rule_default().delta } };
    if (o->inners.count == 0)
        o->inners = (number_list){ 1, { mixed_rule_default().inner } };
    if (study == MASSES && o->method < 0)
        o->method = METHOD_BICGSTAB;
}

/* ---- reports */

/* The beginning of a file of columns.  Only files with this mark are replaced; this is checked before the work. */
#define COLUMNS_MARK "# kiln bench solver "

static bool files_may_be_written(const bench_solver_options *o, failure *f)
{
    return (!o->columns || safe_file_may_renew(o->columns, COLUMNS_MARK, f))
           && (!o->svg || safe_file_may_renew(o->svg, SVG_MARK, f));
}

static bool write_files(solver_bench *b, failure *f)
{
    return (!b->o->columns || safe_file_renew_text(b->o->columns, text_string(&b->columns), COLUMNS_MARK, f))
           && (!b->o->svg || plot_write(&b->picture, b->o->svg, f));
}

static bool report(solver_bench *b)
{
    failure f;
    if (!write_files(b, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return false;
    }
    if (b->o->json)
        puts(json_string(&b->j));
    else
        fputs(text_string(&b->table), stdout);
    return true;
}

static void begin_report(solver_bench *b, int study, const text *story)
{
    const staggered_links_params *params = b->params;
    const place where = b->where;
    const int *n = lattice_global(b->u->links.lattice);
    double mass = study == MASSES || study == METHODS ? NAN : b->o->quarks.mass;
    json_open(&b->j, "lattice", '[');
    for (int mu = 0; mu < 4; mu++)
        json_int(&b->j, NULL, n[mu]);
    json_close(&b->j);
    json_text(&b->j, "device", place_name(where));
    text_add(&b->table, "lattice %s on %s: %s\n", extents_to_text(n).s, place_name(where), text_string(story));
    if (b->o->family == BENCH_STAGGERED) {
        operator_to_json(&b->j, params, mass);
        json_real(&b->j, "largest_eigenvalue", b->largest);
        text_add(&b->table, "%s", staggered_kind_names[params->kind]);
        if (params->kind == STAGGERED_HISQ && params->epsilon[0] != 0)
            text_add(&b->table, ", Naik epsilon %g", params->epsilon[0]);
        if (study == HISTORY || study == MULTISHIFT)
            text_add(&b->table, ", mass %g", mass);
        text_add(&b->table, ", K at most %.4g\n", b->largest);
    }
    text_add(&b->columns, COLUMNS_MARK "%s: lattice %s, %s\n", studies[study].name, extents_to_text(n).s,
             text_string(story));
}

static void free_report(solver_bench *b)
{
    for (int i = 0; i < b->owned; i++)
        memory_free(b->numbers[i]);
    text_free(&b->columns);
    text_free(&b->table);
    json_free(&b->j);
}

/* ---- the command */

/* A study of one set of links; NULL after a message. */
static gauge *open_links(solver_bench *b, int study)
{
    text story = { 0 };
    gauge *u = bench_field(b->o, b->where, &b->j, &story);
    if (u) {
        b->u = u;
        b->links = operator_links(b->params, u);
        b->solves = solver_study_create(b->links, u, rng_key_for(1, 0, 0, RNG_TEST));
        b->largest = solver_study_largest(b->solves);
        begin_report(b, study, &story);
    }
    text_free(&story);
    return u;
}

static int run_study(const bench_solver_options *o, int study, place where, const staggered_links_params *params)
{
    solver_bench b = { .o = o, .where = where, .params = params };
    json_open(&b.j, NULL, '{');
    json_text(&b.j, "study", studies[study].name);
    gauge *u = study == SIZES ? NULL : open_links(&b, study);
    bool ok = u || study == SIZES;
    if (study == SIZES)
        text_add(&b.columns, COLUMNS_MARK "%s\n", studies[study].name);
    ok = ok && studies[study].run(&b);
    json_close(&b.j);
    ok = ok && report(&b);
    solver_study_free(b.solves);
    staggered_links_free(b.links);
    configuration_close(u);
    free_report(&b);
    return ok ? EXIT_OK : EXIT_FAILED;
}

int bench_solver(int argc, char **argv)
{
    bench_solver_options o = { .quarks = OPERATOR_DEFAULTS, .trajectories = NOT_GIVEN,
                               .method = NOT_GIVEN };
    staggered_links_params params;
    operands what;
    place where;
    failure f;
    int study = 0, status;
    o.quarks.kind = STAGGERED_HISQ;
    status = options_read(&solver_usage, argc, argv, &o, &what);
    if (status != GO_ON)
        return status;
    while (study < STUDIES && strcmp(what.item[0], studies[study].name) != 0)
        study++;
    if (study == STUDIES)
        return usage_error(&solver_usage, "\"%s\" is not one of history, multishift, masses, formats, methods, sizes",
                           what.item[0]);
    if (!options_fit(&o, study, &f))
        return usage_error(&solver_usage, "%s", f.why);
    fill_in(&o, study);
    if (!operator_choice_links(&params, &o.quarks, &f))
        return usage_error(&solver_usage, "%s", f.why);
    if (!files_may_be_written(&o, &f) || !device_choice_open(&o.device, &where, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return EXIT_FAILED;
    }
    return run_study(&o, study, where, &params);
}
