/* bench_solver.c - kiln bench solver: compare solvers in mixed precision. */
#include "src/cli/bench/bench_solver.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/cli/bench/bench_help.h"
#include "src/cli/bench/bench_studies.h"
#include "src/config/number.h"
#include "src/config/word_list.h"
#include "src/io/configuration.h"
#include "src/io/safe_file.h"
#include "src/options/multigrid_options.h"
#include "src/options/wilson_options.h"
#include "src/solvers/solver_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ABOUT                                                                                                          \
    "Compares solvers in mixed precision.\n"                                                                          \
    "The studies are those of M. A. Clark et al., arXiv:0911.3191 and arXiv:2302.09224 (Maximizing the Bang Per\n"     \
    "Bit): conjugate gradients for (K + 4 m^2) x = b of staggered quarks; conjugate gradients and BiCGstab for\n"      \
    "C x = b of other --quarks.  docs/solvers.md has results, and lists figures that are omitted.\n"                   \
    "  history     the residual step by step: double; inner half, from reliable updates alone (naive) to the fully\n"  \
    "              stabilized solver; int20.  Stopped at three times the iterations of double\n"                       \
    "  multishift  the shifts of a force of quarks: the residual of each shift after the common Krylov space, and\n"   \
    "              the iterations that each system then needs by itself\n"                                             \
    "  masses      reliable updates against defect correction, with inner half, int20 and single: conjugate\n"         \
    "              gradients for staggered quarks, one --method for other --quarks; wilson: and multigrid\n"           \
    "  formats     the error of D v in every format; of C v of the other quarks (first of --masses, default 0.1),\n"   \
    "              also for links that have been in 8 numbers or in 16 bits\n"                                         \
    "  methods     conjugate gradients against BiCGstab(l), l = 1, 2, 4, for 2m + D of staggered quarks on all\n"      \
    "              sites, or for C of other --quarks, in five precisions; for --quarks wilson also multigrid\n"        \
    "  sizes       time to solution in double, half and int20: HISQ 32^4 and 48^3x64, Shamir domain-wall quarks\n"     \
    "              with Ls = 12 and clover quarks 24^3x48; --quarks: these alone; --lattice: all on this lattice.\n"   \
    "              --masses: of the three (default 0.005,0.01,-0.25), or of --quarks; --beta is 4.5, --c-sw is 1\n"    \
    "  speeds      C v, an iteration of conjugate gradients and one of BiCGstab, in every precision: Gflop/s, and\n"   \
    "              flops a byte of a copy; --quarks wilson (default) or domain-wall; --extents-t: several lattices\n"  \
    "  sign        sign(H) v of overlap quarks by partial fractions and by Clenshaw's recursion, and the lowest\n"     \
    "              modes of H: seconds and Gflop/s for each number of --modes, in double and single precision\n"      \
    "  memory      vectors and bytes of each method in each precision on --lattice: counted, without links\n"         \
    "An option that not every study uses begins with the names of those that do; the others refuse it.\n"              \
    "The default mass is 0.01.  The links are those of a configuration (--config), projected to SU(3), or, from a\n"   \
    "cold start (--lattice), those of --trajectories trajectories of length 1 with the action symanzik_tree or of\n"   \
    "--heatbath sweeps with the action wilson, which are thermalized if their number is large; with --xi-0 the\n"      \
    "action is anisotropic (docs/anisotropy.md), and beta as there.  b is random.  Times\n"                           \
    "exclude a short first run and the recording of histories.  docs/conventions.md defines D, K and C."

#define AT(member) offsetof(bench_solver_options, member)

static const usage solver_usage = {
    .name = "bench solver",
    .operands = "history|multishift|masses|formats|methods|sizes|speeds|sign|memory",
    .least = 1, .most = 1,
    .about = ABOUT,
    .options = (const option[]){
        { .name = "config", .value = "FILE", .doc = "the links: NERSC, MILC or ILDG", .type = OPTION_TEXT,
          .path = PATH_READ, .offset = AT(config) },
        { .name = "lattice", .value = "X,Y,Z,T", .doc = "make links on this lattice", .type = OPTION_READ,
          .offset = AT(extents), .read = bench_read_lattice },
        { .name = "beta", .value = "B", .doc = "lattice: coupling (default 3.2, strong: on small lattices only\n"
          "rough links have small eigenvalues; 6 with --heatbath)", .type = OPTION_REAL, .offset = AT(beta), .min = 0.1,
          .max = 1000 },
        { .name = "trajectories", .value = "N", .doc = "lattice: number of trajectories (default 20)",
          .type = OPTION_INT, .offset = AT(trajectories), .max = 1e6 },
        { .name = "heatbath", .value = "N", .doc = "lattice: number of sweeps of heat bath, each with four of\n"
          "overrelaxation, instead of trajectories", .type = OPTION_INT, .offset = AT(heatbath), .max = 1e6 },
        OPERATOR_OPTIONS(bench_solver_options, quarks, false, false),
        { .name = "tolerance", .value = "R,...", .doc = "requested true residual (default 1e-10); multishift: a list,\n"
          "lightest shift first; the last value holds for all others", .type = OPTION_READ,
          .offset = AT(tolerance), .read = bench_read_numbers },
        { .name = "max-iterations", .value = "N", .doc = "give up after N (default 100000)", .type = OPTION_INT,
          .offset = AT(max_iterations), .min = 1, .max = 1e8 },
        { .name = "flavors", .value = "N", .doc = "number of flavors (default 2)", .type = OPTION_INT,
          .offset = AT(flavors), .min = 1, .max = 3 },
        { .name = "poles", .value = "N", .doc = "poles of the rational function (default 11)",
          .type = OPTION_INT, .offset = AT(poles), .min = 2, .max = SHIFTS_MAX },
        { .name = "masses", .value = "M,...", .doc = "list of masses (default of masses and methods:\n"
          "0.1,0.05,0.02,0.01,0.005); formats takes the first, for other --quarks", .type = OPTION_READ,
          .offset = AT(masses), .read = bench_read_masses },
        { .name = "kappas", .value = "K,...", .doc = "wilson: hopping parameters in place of --masses,\n"
          "m = 1 / (2 kappa) - 4", .type = OPTION_READ, .offset = AT(kappas), .read = bench_read_kappas },
        { .name = "quarks", .value = "Q",
          .doc = "default staggered; domain-wall: Shamir with M5 = 1.8; clover quarks:\nwilson with --c-sw",
          .type = OPTION_CHOICE, .offset = AT(family), .choices = study_quarks_names },
        { .name = "c-sw", .value = "C", .doc = "wilson: coefficient of a clover term (default 0: none; sizes: 1)",
          .type = OPTION_REAL, .offset = AT(wilson.c_sw), .max = 100, .optional = true, .given = AT(c_sw_given) },
        WILSON_ANISOTROPY_OPTIONS(bench_solver_options, wilson, " of wilson and of the links"),
        WILSON_UNEVEN_CLOVER_OPTIONS(bench_solver_options, wilson),
        { .name = "Ls", .value = "N", .doc = "domain-wall: extent of the fifth dimension (default 12)",
          .type = OPTION_INT, .offset = AT(Ls), .min = 2, .max = 64 },
        { .name = "method", .value = "M", .doc = "only this one (default all); masses: this one\n"
          "(default bicgstab)", .type = OPTION_CHOICE, .offset = AT(method),
          .choices = solver_kind_names },
        MULTIGRID_OPTIONS(bench_solver_options, multigrid),
        { .name = "precisions", .value = "P,...", .doc = "only these of double, single, int30, int20 and half\n"
          "(default all; sizes: double, half, int20)", .type = OPTION_READ,
          .offset = AT(precisions), .read = bench_read_precisions, .list = bench_list_precisions },
        { .name = "delta", .value = "D,...", .doc = "reliable updates are made when |r| has fallen by this\n"
          "factor; the picture shows the first (default: as in kiln run)", .type = OPTION_READ, .offset = AT(deltas),
          .read = bench_read_factors },
        { .name = "inner", .value = "R,...", .doc = "reduction of |r| in a cycle of defect correction; the\n"
          "picture shows the first (default: as in kiln run)", .type = OPTION_READ, .offset = AT(inners),
          .read = bench_read_factors },
        { .name = "extents-t", .value = "T,...", .doc = "extents in t, in place of that of --lattice",
          .type = OPTION_READ, .offset = AT(extents_t), .read = bench_read_extents_t },
        { .name = "iterations", .value = "N", .doc = "iterations of the shorter solve of two (default 50)",
          .type = OPTION_INT, .offset = AT(iterations), .min = 1, .max = 1e6 },
        { .name = "repeat", .value = "N", .doc = "number of timed products C v (default 100)", .type = OPTION_INT,
          .offset = AT(repeats), .min = 1, .max = 1e6 },
        { .name = "sources", .value = "N", .doc = "staggered quarks: right-hand sides solved together, the sum\n"
          "of whose iterations and seconds is printed; with --precisions\nwithout double (default 1)",
          .type = OPTION_INT, .offset = AT(sources), .min = 1, .max = STUDY_SOURCES_MAX },
        { .name = "modes", .value = "N,...", .doc = "numbers of modes of H (default 8,32)", .type = OPTION_READ,
          .offset = AT(modes), .read = bench_read_modes },
        { .name = "accuracy", .value = "A", .doc = "largest error of sign(H) v, over |v| (default 1e-12)",
          .type = OPTION_REAL, .offset = AT(accuracy), .min = 1e-14, .max = 0.01 },
        { .name = "plot", .value = "Y", .doc = "the picture has iterations (default; of masses in\n"
          "units of those in double) or seconds", .type = OPTION_CHOICE, .offset = AT(plotted),
          .choices = bench_plot_names },
        { .name = "out", .value = "FILE", .doc = "write the curves as columns", .type = OPTION_TEXT, .path = PATH_WRITE,
          .offset = AT(columns) },
        { .name = "svg", .value = "FILE", .doc = "write the picture", .type = OPTION_TEXT,
          .path = PATH_WRITE, .offset = AT(svg) },
        JSON_OPTION(bench_solver_options, json),
        DEVICE_OPTIONS(bench_solver_options, device),
        { 0 } },
};

static solver_bench_fn *const studies[STUDIES] = {
    [HISTORY] = bench_history, [MULTISHIFT] = bench_multishift, [MASSES] = bench_masses, [FORMATS] = bench_formats,
    [METHODS] = bench_methods, [SIZES] = bench_sizes, [SPEEDS] = bench_speeds, [SIGN] = bench_sign,
    [MEMORY] = bench_memory,
};

/* Studies that make links of their own, or have none. */
static bool makes_links(bench_study study)
{
    return study == SIZES || study == SPEEDS || study == SIGN || study == MEMORY;
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
        solver_bench_print(b);
    return true;
}

static void begin_report(solver_bench *b, bench_study study, const text *story)
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
    if (b->o->family == STUDY_STAGGERED) {
        operator_to_json(&b->j, params, mass);
        json_real(&b->j, "largest_eigenvalue", b->largest);
        text_add(&b->table, "%s", staggered_kind_names[params->kind]);
        if (params->kind == STAGGERED_HISQ && params->epsilon[0] != 0)
            text_add(&b->table, ", Naik epsilon %g", params->epsilon[0]);
        if (study == HISTORY || study == MULTISHIFT)
            text_add(&b->table, ", mass %g", mass);
        text_add(&b->table, ", K at most %.4g\n", b->largest);
    }
    text_add(&b->columns, COLUMNS_MARK "%s: lattice %s, %s\n", bench_study_names[study], extents_to_text(n).s,
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
static gauge *open_links(solver_bench *b, bench_study study)
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

static int run_study(const bench_solver_options *o, bench_study study, place where,
                     const staggered_links_params *params)
{
    solver_bench b = { .o = o, .where = where, .params = params };
    json_open(&b.j, NULL, '{');
    json_text(&b.j, "study", bench_study_names[study]);
    gauge *u = makes_links(study) ? NULL : open_links(&b, study);
    bool ok = u || makes_links(study);
    if (makes_links(study))
        text_add(&b.columns, COLUMNS_MARK "%s\n", bench_study_names[study]);
    ok = ok && studies[study](&b);
    json_close(&b.j);
    ok = ok && report(&b);
    solver_study_free(b.solves);
    staggered_links_free(b.links);
    configuration_close(u);
    free_report(&b);
    return ok ? EXIT_OK : EXIT_FAILED;
}

static int run_command(const usage *u, int argc, char **argv)
{
    bench_solver_options o = { .quarks = OPERATOR_DEFAULTS, .trajectories = -1, .heatbath = -1, .family = -1,
                               .method = -1, .plotted = -1, .wilson.boundary = 1,
                               .multigrid = multigrid_params_defaults() };
    staggered_links_params params;
    operands what;
    place where;
    failure f;
    int status;
    status = options_read(u, argc, argv, &o, &what);
    if (status != GO_ON)
        return status;
    const int named = word_list_find_name(what.item[0], bench_study_names, &f);
    if (named < 0)
        return usage_error(u, "%s", f.why);
    const bench_study study = (bench_study)named;
    if (!bench_options_fit(&o, study, &f))
        return usage_error(u, "%s", f.why);
    bench_options_fill(&o, study);
    if (!operator_choice_links(&params, &o.quarks, &f))
        return usage_error(u, "%s", f.why);
    if (!files_may_be_written(&o, &f) || !device_choice_open(&o.device, &where, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return EXIT_FAILED;
    }
    return run_study(&o, study, where, &params);
}

int bench_solver(int argc, char **argv)
{
    bench_usage *u = bench_usage_create(&solver_usage);
    const int status = run_command(&u->of, argc, argv);
    bench_usage_free(u);
    return status;
}
