/* probe_clover.c - Wilson quarks with a clover term, a twisted mass or both, for kiln probe apply and solve. */
#include "src/base/memory.h"
#include "src/operators/clover_operator.h"
#include "src/probe/probe_wilson.h"

static const char *const names[] = { "clover", NULL };
static const char *const part_names[] = { "M", "Mdag", "Mhat", "normal", "clover", NULL };
static const spinor_part parts[] = { { PART_ALL_SITES, false }, { PART_ALL_SITES, true }, { PART_C, false },
                                     { PART_NORMAL, false }, { PART_TERM, false } };

#define CLOVER_OPTIONS                                                                                                 \
    { .name = "c-sw", .value = "C", .doc = "coefficient of the clover term; 1 at tree level; 0: without this term",    \
      .type = OPTION_REAL, .offset = offsetof(probe_options, wilson.c_sw), .required = true, .max = 100 },             \
    { .name = "clover", .value = "FORM", .doc = "linear (default), or exponential: T = (4 + m) exp(c_sw A / (4 + m))", \
      .type = OPTION_CHOICE, .offset = offsetof(probe_options, wilson.clover), .choices = clover_kind_names },         \
    { .name = "mu", .value = "MU", .doc = "twisted mass: adds i mu gamma5 to T (default 0)", .type = OPTION_REAL,      \
      .offset = offsetof(probe_options, wilson.mu), .min = -100, .max = 100 },                                         \
    { .name = "rho", .value = "RHO", .doc = "adds i rho gamma5 on odd sites only: a regulator of Mhat (default 0)",    \
      .type = OPTION_REAL, .offset = offsetof(probe_options, wilson.rho), .min = -100, .max = 100 },                   \
    WILSON_OPTIONS

static const usage apply_usage = {
    "probe apply", "CONFIG OUT.npy", 2, 2,
    "Applies the Wilson operator with a clover term, a twisted mass or both, of a configuration to spinors:\n"
    "    M = T - hop / 2,   T = 4 + m + c_sw A + i mu gamma5, on odd sites + i (mu + rho) gamma5\n"
    "    Mhat = T - hop_oe T^-1 hop_eo / 4 on odd sites,   normal: Mhat^+ Mhat\n"
    WILSON_HOP
    "    A(x) = (i/2) sum_{mu<nu} sigma_mu,nu F_mu,nu(x),   sigma_mu,nu = (i/2) [gamma_mu, gamma_nu]\n"
    "    F_mu,nu = (Q_mu,nu - Q_mu,nu^+) / 8, with its trace; Q_mu,nu: the sum of the four plaquettes that begin and\n"
    "    end at x, each in the direction from mu to nu\n"
    "(B. Sheikholeslami and R. Wohlert, Nucl. Phys. B 259 (1985) 572).  --part clover applies T alone,\n"
    "without rho.\n"
    "--clover exponential: the T of A. Francis et al., arXiv:1911.04533.\n"
    WILSON_APPLY_ABOUT,
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names),
                      PART_OPTION(part_names, "part of the operator (default M)"), CLOVER_OPTIONS,
                      { 0 } },
};

static const usage solve_usage = {
    "probe solve", "CONFIG OUT.npy", 2, 2,
    WILSON_SOLVE_ABOUT("clover"),
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names), WILSON_SYSTEMS_OPTION,
                      SOLVE_OPTIONS, SOLVER_OPTION, CLOVER_OPTIONS, { 0 } },
};

typedef struct {
    probe_spinors base;
    clover_operator_params params;
    const char *part;
} clover_quarks;

/* ---- the operator on all sites */

static void apply(spinor_field out, const dirac_operator *d, const dirac_matrix *m, bool dagger, spinor_field in,
                  spinor_field scratch)
{
    (void)scratch;
    clover_apply(out, clover_operator_links(d, m), dagger, in);
}

static void term(spinor_field out, const dirac_operator *d, const dirac_matrix *m, spinor_field in)
{
    const clover_term *t = clover_operator_links(d, m).term;
    clover_multiply(out.even, t, CLOVER_T, in.even, 0, NULL);
    clover_multiply(out.odd, t, CLOVER_T, in.odd, 0, NULL);
}

static void prepare(vec *rhs, const dirac_operator *d, const dirac_matrix *m, spinor_field v, vec *even)
{
    clover_prepare(rhs, clover_operator_links(d, m), v, even);
}

static void reconstruct(spinor_field x, const dirac_operator *d, const dirac_matrix *m, spinor_field v,
                        const vec *solution, vec *even)
{
    (void)even;
    clover_reconstruct(x, clover_operator_links(d, m), v, solution);
}

static const spinor_operator on_all_sites = { .apply = apply, .term = term, .prepare = prepare,
                                              .reconstruct = reconstruct };

/* ---- the family */

static probe_quarks *choose_operator(const probe_options *o, bool solves, failure *f)
{
    clover_quarks *q = memory_alloc(sizeof *q, "clover quarks");
    (void)f;
    q->params.boundary = quark_boundary_of(o->wilson.boundary, o->wilson.theta);
    q->params.c_sw = o->wilson.c_sw;
    q->params.kind = (clover_kind)o->wilson.clover;
    q->base.twist = (dirac_twist){ o->wilson.mu, o->wilson.rho };
    clover_operator_add_twisted(&q->params, o->wilson.mass, o->wilson.mu);
    q->part = solves ? wilson_system_names[o->part] : part_names[o->part];
    q->base.plan = clover_operator_plan(&q->params);
    q->base.mass = o->wilson.mass;
    q->base.on_all_sites = &on_all_sites;
    probe_spinors_begin(&q->base, &probe_clover, o, solves ? wilson_systems[o->part] : parts[o->part]);
    return &q->base.base;
}

static void describe_operator(json *j, const probe_quarks *base)
{
    const clover_quarks *q = (const clover_quarks *)base;
    wilson_describe(j, &q->base, q->part);
    json_real(j, "c_sw", q->params.c_sw);
    json_text(j, "clover", clover_kind_names[q->params.kind]);
    json_real(j, "mu", q->base.twist.mu);
    json_real(j, "rho", q->base.twist.rho);
}

const probe_family probe_clover = {
    .names = names,
    .apply_usage = &apply_usage,
    .solve_usage = &solve_usage,
    .array = ARRAY_SPINORS,
    .hops = GRID_HOPS_LEAST,
    .defaults = wilson_defaults,
    .choose = choose_operator,
    .describe = describe_operator,
    PROBE_SPINORS,
};
