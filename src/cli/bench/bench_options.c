/* bench_options.c - the options of each study of kiln bench solver. */
#include "src/cli/bench/bench_multigrid.h"
#include "src/cli/bench/bench_studies.h"
#include "src/solvers/solver_kinds.h"

#include <math.h>
#include <string.h>

const char *const bench_study_names[STUDIES + 1] = {
    [HISTORY] = "history", [MULTISHIFT] = "multishift", [MASSES] = "masses", [FORMATS] = "formats",
    [METHODS] = "methods", [SIZES] = "sizes", [SPEEDS] = "speeds", [SIGN] = "sign",
    [MEMORY] = "memory",
};

static const double default_mass = 0.01, default_tolerance = 1e-10, default_accuracy = 1e-12;
static const double default_beta = 3.2, default_beta_of_sizes = 4.5, default_beta_of_heatbath = 6;
static const number_list default_masses = { 5, { 0.1, 0.05, 0.02, 0.01, 0.005 } };
static const number_list default_modes = { 2, { 8, 32 } };
static const number_list default_masses_of_sizes = { SIZE_MASSES, { 0.005, 0.01, -0.25 } };
enum { DEFAULT_TRAJECTORIES = 20, DEFAULT_LS = 12, DEFAULT_ITERATIONS = 50, DEFAULT_REPEATS = 100 };

/* Sweeps for links that are only used for timing: not thermalized, but no longer 0 and 1 as after a cold start. */
enum { SWEEPS_OF_SPEEDS = 2 };

/* Studies by what they do.  OF_QUARKS: with --masses; OF_OPERATOR: with --quarks; SOLVING: to a residual. */
enum {
    EVERY = (1 << STUDIES) - 1,
    MAKING_LINKS = 1 << SIZES | 1 << SPEEDS,
    HAVING_LINKS = EVERY & ~(1 << MEMORY),
    OF_QUARKS = 1 << MASSES | 1 << FORMATS | 1 << METHODS | 1 << SIZES | 1 << SPEEDS,
    OF_STAGGERED = EVERY & ~(1 << SPEEDS | 1 << SIGN),
    OF_ONE_MASS = 1 << HISTORY | 1 << MULTISHIFT | 1 << FORMATS,
    OF_OPERATOR = OF_QUARKS | 1 << MEMORY,
    WITH_MULTIGRID = 1 << MASSES | 1 << METHODS | 1 << MEMORY,
    SOLVING = EVERY & ~(1 << FORMATS | 1 << SPEEDS | 1 << SIGN | 1 << MEMORY)
};

static unsigned bit(unsigned n)
{
    return 1u << n;
}

static bool has_family(const bench_solver_options *o)
{
    return o->family > STUDY_STAGGERED;
}

/* Whether a study has these quarks: those of --quarks, or by default. */
static bool has_quarks(const bench_solver_options *o, bench_study study, study_quarks quarks)
{
    const study_quarks otherwise = study == SPEEDS ? STUDY_WILSON : STUDY_STAGGERED;
    return o->family >= 0 ? o->family == (int)quarks : study == SIZES || quarks == otherwise;
}

/* "masses, methods and sizes", with `last` in front of the last one */
static void add_studies(text *t, unsigned studies, const char *last)
{
    bool first = true;
    for (int i = 0; i < STUDIES; i++) {
        if (!(studies & bit(i)))
            continue;
        const bool is_last = !(studies >> (i + 1));
        text_add(t, "%s%s", first ? "" : is_last ? last : ", ", bench_study_names[i]);
        first = false;
    }
}

/* The first option given that is a setting of multigrid; NULL: none. */
static const char *multigrid_option(const multigrid_given *g)
{
    const struct { const char *name; bool given; } settings[] = {
        { "block", g->block }, { "vectors", g->vectors }, { "setup-iterations", g->setup_iterations },
        { "setup-passes", g->setup_passes }, { "pre-smooth", g->pre_smooth }, { "post-smooth", g->post_smooth },
        { "smoother-precision", g->smoothed }, { "coarse-residual", g->coarse_residual },
        { "coarse-iterations", g->coarse_iterations },
    };
    for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i].given)
            return settings[i].name;
    return NULL;
}

static bool multigrid_fits(const bench_solver_options *o, bench_study study, failure *f)
{
    const char *setting = multigrid_option(&o->multigrid_given);
    const bool possible = study != MASSES && bit(study) & WITH_MULTIGRID && o->family == STUDY_WILSON;
    if (o->method == SOLVER_MULTIGRID && !possible)
        return fail(f, "--method multigrid is for bench solver methods --quarks wilson and memory --quarks wilson%s",
                    study == MASSES ? "; masses has multigrid beside every method" : "");
    if (setting && o->family != STUDY_WILSON)
        return fail(f, "--%s, a setting of multigrid, is for --quarks wilson", setting);
    if (setting && study != MASSES && o->method >= 0 && o->method != SOLVER_MULTIGRID)
        return fail(f, "--%s is a setting of multigrid, but --method is %s", setting, solver_kind_names[o->method]);
    if (study == METHODS && (setting || o->method == SOLVER_MULTIGRID) && o->precisions != 0
        && !(o->precisions & bit(STORED_SINGLE)))
        return fail(f, "multigrid has single precision, which is not among --precisions");
    return (!setting && o->method != SOLVER_MULTIGRID) || bench_multigrid_fits(o, f);
}

/* False with the reason for an option of staggered quarks in a study without them. */
static bool staggered_fits(const bench_solver_options *o, bench_study study, failure *f)
{
    const operator_choice *q = &o->quarks;
    const struct { const char *name; bool given; } settings[] = {
        { "operator", q->of.action >= 0 }, { "naik-epsilon", q->naik_epsilon != NULL },
        { "projection", q->of.projection != PROJECTION_U3 }, { "u0", q->of.u0 != 1 },
        { "boundary", q->of.boundary != 1 },
    };
    const bool has_staggered = !has_family(o) && study != SPEEDS && study != SIGN;
    for (unsigned i = 0; i < sizeof settings / sizeof *settings && !has_staggered; i++)
        if (settings[i].given)
            return fail(f, "--%s is for staggered quarks, which this study does not have", settings[i].name);
    return true;
}

typedef struct { const char *name; bool given; unsigned studies; } study_option;

/* The options that not every study uses, then a row without a name.  With `o` NULL no option counts as given. */
typedef struct { study_option row[64]; } study_options;
static study_options options_of(const bench_solver_options *o)
{
    static const bench_solver_options none = { .quarks = OPERATOR_DEFAULTS, .trajectories = -1, .heatbath = -1,
                                               .family = -1, .method = -1, .plotted = -1 };
    o = o ? o : &none;
    const operator_choice *q = &o->quarks;
    const multigrid_given *g = &o->multigrid_given;
    const wilson_operator_input *w = &o->wilson;
    return (study_options){ {
        { "config", o->config != NULL, HAVING_LINKS & ~MAKING_LINKS },
        { "beta", o->beta != 0, HAVING_LINKS },
        { "trajectories", o->trajectories >= 0, HAVING_LINKS },
        { "heatbath", o->heatbath >= 0, HAVING_LINKS },
        { "operator", q->of.action >= 0, OF_STAGGERED },
        { "mass", !isnan(q->mass), OF_ONE_MASS },
        { "naik-epsilon", q->naik_epsilon != NULL, OF_STAGGERED },
        { "projection", q->of.projection != PROJECTION_U3, OF_STAGGERED },
        { "u0", q->of.u0 != 1, OF_STAGGERED },
        { "boundary", q->of.boundary != 1, OF_STAGGERED },
        { "tolerance", o->tolerance.count > 0, SOLVING },
        { "max-iterations", o->max_iterations != 0, SOLVING },
        { "flavors", o->flavors != 0, bit(MULTISHIFT) },
        { "poles", o->poles != 0, bit(MULTISHIFT) },
        { "masses", o->masses.count > 0, OF_QUARKS },
        { "kappas", o->kappas.count > 0, OF_QUARKS },
        { "quarks", o->family >= 0, OF_OPERATOR },
        { "c-sw", o->c_sw_given, OF_OPERATOR },
        { "xi-0", w->given.xi_0, OF_OPERATOR },
        { "nu", w->given.nu, OF_OPERATOR },
        { "c-s", w->given.c_s, OF_OPERATOR },
        { "c-t", w->given.c_t, OF_OPERATOR },
        { "Ls", o->Ls != 0, OF_OPERATOR },
        { "method", o->method >= 0, bit(MASSES) | bit(METHODS) | bit(SIZES) | bit(MEMORY) },
        { "block", g->block, WITH_MULTIGRID },
        { "vectors", g->vectors, WITH_MULTIGRID },
        { "setup-iterations", g->setup_iterations, WITH_MULTIGRID },
        { "setup-passes", g->setup_passes, WITH_MULTIGRID },
        { "pre-smooth", g->pre_smooth, WITH_MULTIGRID },
        { "post-smooth", g->post_smooth, WITH_MULTIGRID },
        { "smoother-precision", g->smoothed, WITH_MULTIGRID },
        { "coarse-residual", g->coarse_residual, WITH_MULTIGRID },
        { "coarse-iterations", g->coarse_iterations, WITH_MULTIGRID },
        { "precisions", o->precisions != 0, bit(METHODS) | bit(SIZES) | bit(SPEEDS) | bit(MEMORY) },
        { "delta", o->deltas.count > 0, bit(MASSES) },
        { "inner", o->inners.count > 0, bit(MASSES) },
        { "extents-t", o->extents_t.count > 0, bit(SPEEDS) },
        { "iterations", o->iterations != 0, bit(SPEEDS) },
        { "repeat", o->repeats != 0, bit(SPEEDS) },
        { "sources", o->sources != 0, bit(SIZES) },
        { "modes", o->modes.count > 0, bit(SIGN) },
        { "accuracy", o->accuracy != 0, bit(SIGN) },
        { "plot", o->plotted >= 0, bit(MASSES) | bit(METHODS) },
        { "svg", o->svg != NULL, EVERY & ~(bit(SIZES) | bit(SIGN) | bit(MEMORY)) },
    } };
}

bool bench_option_studies(text *studies, const char *name)
{
    const study_options all = options_of(NULL);
    const study_option *row = all.row;
    while (row->name && strcmp(row->name, name) != 0)
        row++;
    if (!row->name)
        return false;
    int count = 0;
    for (int i = 0; i < STUDIES; i++)
        count += (row->studies & bit((unsigned)i)) != 0;
    if (2 * count > STUDIES + 1)
        text_add(studies, "all but ");
    add_studies(studies, 2 * count > STUDIES + 1 ? EVERY & ~row->studies : row->studies, ", ");
    return true;
}

/* False with the reason for an option that this study does not have. */
static bool options_are_of(const bench_solver_options *o, bench_study study, failure *f)
{
    const study_options all = options_of(o);
    for (const study_option *row = all.row; row->name; row++)
        if (row->given && !(row->studies & bit(study))) {
            text where = { 0 };
            add_studies(&where, row->studies, " and ");
            fail(f, "--%s may be used only with bench solver %s", row->name, text_string(&where));
            text_free(&where);
            return false;
        }
    return true;
}

/* --kappas become --masses. */
static bool kappas_fit(bench_solver_options *o, bench_study study, failure *f)
{
    if (o->kappas.count == 0)
        return true;
    if (o->masses.count > 0)
        return fail(f, "--masses and --kappas both give the masses; give one of them");
    if (o->family != STUDY_WILSON && !(study == SPEEDS && !has_family(o)))
        return fail(f, "--kappas needs --quarks wilson");
    o->masses.count = o->kappas.count;
    for (int i = 0; i < o->kappas.count; i++)
        o->masses.of[i] = wilson_mass_of_kappa(o->kappas.of[i]);
    return true;
}

/* --mass of staggered quarks, or --masses. */
static bool mass_fits(const bench_solver_options *o, bench_study study, failure *f)
{
    const bool is_list = bit(study) & OF_QUARKS && (study != FORMATS || has_family(o));
    if (is_list && !isnan(o->quarks.mass))
        return fail(f, "bench solver %s%s takes --masses, not --mass", bench_study_names[study],
                    study == FORMATS ? " of these quarks" : "");
    return true;
}

static bool masses_fit(const bench_solver_options *o, bench_study study, failure *f)
{
    const int count = study == SIZES && o->family < 0 ? SIZE_MASSES : 1;
    if (study == FORMATS && !has_family(o) && o->masses.count > 0)
        return fail(f, "bench solver formats of staggered quarks takes --mass, not --masses");
    if ((study == SIZES || study == SPEEDS) && o->masses.count > 0 && o->masses.count != count)
        return fail(f, "bench solver %s needs %d --masses%s", bench_study_names[study], count,
                    count > 1 ? ": of HISQ, domain-wall and clover quarks" : "");
    for (int i = 0; i < o->masses.count; i++) {
        const int quarks = study == SIZES && o->family < 0 ? i : study == SPEEDS && o->family < 0 ? STUDY_WILSON
                                                                                                  : o->family;
        if (o->masses.of[i] <= (quarks == STUDY_WILSON ? -4 : 0))
            return fail(f, "--masses: %g is not possible: masses of staggered and domain-wall quarks are above 0, of "
                           "Wilson quarks above -4", o->masses.of[i]);
    }
    return true;
}

static bool links_fit(const bench_solver_options *o, bench_study study, failure *f)
{
    if ((study == SPEEDS || study == MEMORY) && o->extents[0] == 0)
        return fail(f, "bench solver %s needs --lattice X,Y,Z,T%s", bench_study_names[study],
                    study == SPEEDS ? ", and makes its links" : "");
    if (study != SIZES && !o->config == (o->extents[0] == 0))
        return fail(f, "give either --config FILE or --lattice X,Y,Z,T for the links");
    if (o->config && (o->beta != 0 || o->trajectories >= 0 || o->heatbath >= 0))
        return fail(f, "--beta, --trajectories and --heatbath need --lattice");
    if (o->trajectories >= 0 && o->heatbath >= 0)
        return fail(f, "give either --trajectories or --heatbath");
    return true;
}

/* Anisotropic lattices have Wilson quarks alone. */
static bool wilson_fits(const bench_solver_options *o, bench_study study, failure *f)
{
    const wilson_operator_input *in = &o->wilson;
    if (in->given.xi_0 && o->family != STUDY_WILSON && (study != SPEEDS || has_family(o)))
        return fail(f, "--xi-0 needs --quarks wilson");
    for (int i = 0; i < o->masses.count; i++)
        if (o->family == STUDY_WILSON && !wilson_diagonal_check(in, o->masses.of[i], f))
            return false;
    return wilson_operator_check(in, f);
}

/* Several sources need staggered quarks and mixed precision. */
static bool sources_fit(const bench_solver_options *o, failure *f)
{
    if (o->sources <= 1)
        return true;
    if (o->family != STUDY_STAGGERED)
        return fail(f, "--sources needs --quarks staggered");
    if (o->precisions == 0 || o->precisions & bit(STORED_DOUBLE))
        return fail(f, "--sources solves in mixed precision alone, without double: add --precisions half,int20, or one "
                       "of them");
    return true;
}

bool bench_options_fit(bench_solver_options *o, bench_study study, failure *f)
{
    if (!mass_fits(o, study, f) || !options_are_of(o, study, f) || !links_fit(o, study, f))
        return false;
    if (!kappas_fit(o, study, f))
        return false;
    if (!staggered_fits(o, study, f) || !multigrid_fits(o, study, f))
        return false;
    if (study == SPEEDS && o->family == STUDY_STAGGERED)
        return fail(f, "bench solver speeds: --quarks wilson or domain-wall; kiln bench kernels has staggered quarks");
    if (!sources_fit(o, f))
        return false;
    if (study == MASSES && o->method >= 0 && !has_family(o))
        return fail(f, "bench solver masses: --method needs --quarks wilson or domain-wall");
    if (o->tolerance.count > 1 && study != MULTISHIFT)
        return fail(f, "only bench solver multishift allows several tolerances");
    if (o->c_sw_given && !has_quarks(o, study, STUDY_WILSON))
        return fail(f, "--c-sw needs --quarks wilson");
    if (!wilson_fits(o, study, f))
        return false;
    if (o->Ls != 0 && !has_quarks(o, study, STUDY_DOMAIN_WALL))
        return fail(f, "--Ls needs --quarks domain-wall");
    return masses_fit(o, study, f);
}

static number_list masses_of(const bench_solver_options *o, bench_study study)
{
    if (study == SIZES && o->family >= 0)
        return (number_list){ 1, { default_masses_of_sizes.of[o->family] } };
    if (study == SIZES)
        return default_masses_of_sizes;
    if (study == SPEEDS)
        return (number_list){ 1, { default_masses_of_sizes.of[o->family] } };
    return default_masses;
}

static double beta_of(const bench_solver_options *o, bench_study study)
{
    return o->heatbath >= 0 ? default_beta_of_heatbath : study == SIZES ? default_beta_of_sizes : default_beta;
}

void bench_options_fill(bench_solver_options *o, bench_study study)
{
    const unsigned all = bit(SOLVER_STORAGES) - 1, sizes = bit(STORED_DOUBLE) | bit(STORED_HALF) | bit(STORED_INT20);
    if (o->tolerance.count == 0)
        o->tolerance = (number_list){ 1, { default_tolerance } };
    if (o->family < 0 && study != SIZES)
        o->family = study == SPEEDS ? STUDY_WILSON : STUDY_STAGGERED;
    if (o->quarks.of.action < 0)
        o->quarks.of.action = STAGGERED_HISQ;
    if (o->masses.count == 0)
        o->masses = masses_of(o, study);
    if (isnan(o->quarks.mass) && study != MASSES && study != METHODS)
        o->quarks.mass = default_mass;
    if (study == SIZES && !o->c_sw_given && !o->wilson.given.xi_0)
        o->wilson.c_sw = 1;
    if (study == SPEEDS && o->heatbath < 0 && o->trajectories < 0)
        o->heatbath = SWEEPS_OF_SPEEDS;
    o->beta = o->beta != 0 ? o->beta : beta_of(o, study);
    o->trajectories = o->trajectories >= 0 || o->heatbath >= 0 ? o->trajectories : DEFAULT_TRAJECTORIES;
    o->flavors = o->flavors ? o->flavors : 2;
    o->poles = o->poles ? o->poles : 11;
    o->Ls = o->Ls ? o->Ls : DEFAULT_LS;
    o->iterations = o->iterations ? o->iterations : DEFAULT_ITERATIONS;
    o->repeats = o->repeats ? o->repeats : DEFAULT_REPEATS;
    o->sources = o->sources ? o->sources : 1;
    o->accuracy = o->accuracy != 0 ? o->accuracy : default_accuracy;
    if (o->modes.count == 0)
        o->modes = default_modes;
    o->precisions = o->precisions ? o->precisions : study == SIZES ? sizes : all;
    o->plotted = o->plotted >= 0 ? o->plotted : PLOT_ITERATIONS;
    if (o->deltas.count == 0)
        o->deltas = (number_list){ 1, { mixed_rule_default().delta } };
    if (o->inners.count == 0)
        o->inners = (number_list){ 1, { mixed_rule_default().inner } };
    if (study == MASSES && o->method < 0)
        o->method = SOLVER_BICGSTAB;
}
