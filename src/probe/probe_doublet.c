/* probe_doublet.c - a non-degenerate doublet of twisted-mass quarks for kiln probe apply and kiln probe solve. */
#include "actions/doublet_params.h"
#include "src/base/memory.h"
#include "src/options/wilson_options.h"
#include "src/probe/probe_spinors.h"
#include "src/probe/probe_theta.h"

static const char *const names[] = { "wilson-doublet", NULL };
static const char *const part_names[] = { "M", "Mdag", "C", "Cdag", "normal", NULL };
static const char *const system_names[] = { "M", "normal", NULL };
static const spinor_part parts[] = { { PART_ALL_SITES, false }, { PART_ALL_SITES, true }, { PART_C, false },
                                     { PART_C, true }, { PART_NORMAL, false } };
static const spinor_part systems[] = { { PART_ALL_SITES, false }, { PART_NORMAL, false } };

#define AT(member) offsetof(probe_options, doublet.member)
#define DOUBLET_OPTIONS                                                                                                \
    WILSON_MASS_OPTIONS(probe_options, doublet.bare),                                                                  \
    { .name = "mu-sigma", .value = "MU", .doc = "twisted mass: i mu_sigma gamma5 tau3", .type = OPTION_REAL,           \
      .offset = AT(mu_sigma), .required = true, .max = 100 },                                                          \
    { .name = "mu-delta", .value = "MU", .doc = "mass splitting: mu_delta tau1", .type = OPTION_REAL,                  \
      .offset = AT(mu_delta), .required = true, .min = -100, .max = 100 },                                             \
    { .name = "c-sw", .value = "C", .doc = "coefficient of the clover term (default 0: without this term)",            \
      .type = OPTION_REAL, .offset = AT(of.c_sw), .max = 100 },                                                        \
    { .name = "clover", .value = "FORM", .doc = "linear (default), or exponential: T = (4 + m) exp(c_sw A / (4 + m))", \
      .type = OPTION_CHOICE, .offset = AT(of.clover), .choices = clover_kind_names },                                  \
    BOUNDARY_OPTION(doublet.of.boundary), THETA_OPTION(doublet.of.theta), BASIS_OPTION, QUARKS_OPTIONS

#define DOUBLET_ARRAYS                                                                                                 \
    "Spinors are NumPy arrays,\n" SPINOR_SHAPE "\n"                                                                    \
    "over all sites, with the flavors as two slices; C, Cdag and normal ignore the source on even sites, where the\n" \
    "result is zero.\n"

static const usage apply_usage = {
    "probe apply", "CONFIG OUT.npy", 2, 2,
    "Applies the operator of a non-degenerate doublet of twisted-mass quarks of a configuration to spinors:\n"
    "    M = T - hop / 2 + i mu_sigma gamma5 tau2 + mu_delta tau1,   T = 4 + m + c_sw A\n"
    "which is V^+ (T - hop / 2 + i mu_sigma gamma5 tau3 + mu_delta tau1) V with V = (1 - i tau1) / sqrt 2.\n"
    "    E = T + i mu_sigma gamma5 tau2 + mu_delta tau1\n"
    "    C = E_o - hop_oe E_e^-1 hop_eo / 4 on odd sites; without a clover term divided by E_o;   normal: C^+C\n"
    "`kiln probe apply --operator clover --help` defines hop and A.\n"
    DOUBLET_ARRAYS "Prints norms as JSON.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names),
                      PART_OPTION(part_names, "part of the operator (default M)"), DOUBLET_OPTIONS, { 0 } },
};

static const usage solve_usage = {
    "probe solve", "CONFIG OUT.npy", 2, 2,
    "Solves M x = v on all sites, or with --part normal C^+C x = v on odd sites, by conjugate gradients of C^+C or\n"
    "BiCGstab of C, from zero; `kiln probe apply --operator wilson-doublet --help` defines the operators.\n"
    DOUBLET_ARRAYS
    "Prints iterations and the true residual |v - M x| / |v| as JSON.  Exit status 1 if the solve does not converge;\n"
    "OUT.npy then holds the last iterate.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names),
                      PART_OPTION(system_names, "M on all sites, or normal (default M)"),
                      SOLVE_OPTIONS, SOLVER_OPTION, DOUBLET_OPTIONS, { 0 } },
};

typedef struct {
    probe_spinors base;
    doublet_operator_params params;
    const char *part;
} doublet_quarks;

static void defaults(probe_options *o)
{
    o->doublet.of.boundary = 1;
}

static probe_quarks *choose(const probe_options *o, bool solves, failure *f)
{
    const doublet_choice *c = &o->doublet;
    const doublet_input in = { .of = c->of, .light = c->bare, .mu_sigma = c->mu_sigma, .mu_delta = c->mu_delta };
    failure why;
    if (!wilson_mass_options_fit(&c->bare, f))
        return NULL;
    if (!doublet_is_possible(&in, &why)) {
        fail(f, "--mu-delta: %s", why.why);
        return NULL;
    }
    doublet_quarks *q = memory_alloc(sizeof *q, "a doublet of quarks");
    q->params = doublet_operator_of(&in);
    q->part = solves ? system_names[o->part] : part_names[o->part];
    q->base.plan = doublet_operator_plan(&q->params);
    probe_spinors_begin(&q->base, &probe_doublet, o, solves ? systems[o->part] : parts[o->part]);
    return &q->base.base;
}

static void describe(json *j, const probe_quarks *q)
{
    const probe_options *o = q->options;
    const doublet_operator_params *p = &((const doublet_quarks *)q)->params;
    json_text(j, "operator", names[0]);
    json_text(j, "part", ((const doublet_quarks *)q)->part);
    wilson_mass_options_to_json(j, &o->doublet.bare);
    json_real(j, "mu_sigma", p->matrix[0].mus.sigma);
    json_real(j, "mu_delta", p->matrix[0].mus.delta);
    json_real(j, "boundary", (double)o->doublet.of.boundary);
    json_reals(j, "theta", o->doublet.of.theta, 3);
    json_text(j, "basis", gamma_basis_names[o->basis]);
    json_real(j, "c_sw", p->c_sw);
    json_text(j, "clover", clover_kind_names[p->kind]);
}

const probe_family probe_doublet = {
    .names = names,
    .apply_usage = &apply_usage,
    .solve_usage = &solve_usage,
    .array = ARRAY_SLICES,
    .hops = GRID_HOPS_LEAST,
    .defaults = defaults,
    .choose = choose,
    .describe = describe,
    PROBE_SPINORS,
};
