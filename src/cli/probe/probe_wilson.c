/* probe_wilson.c - Wilson quarks for kiln probe apply and kiln probe solve. */
#include "actions/wilson_params.h"
#include "src/base/memory.h"
#include "src/cli/probe/probe_spinors.h"
#include "src/operators/wilson_operator.h"

static const char *const names[] = { "wilson", NULL };
static const char *const part_names[] = { "M", "Mdag", "Mhat", "normal", "hop", NULL };
static const char *const system_names[] = { "M", "normal", NULL };
static const spinor_part parts[] = { { PART_ALL_SITES, false }, { PART_ALL_SITES, true }, { PART_C, false },
                                     { PART_NORMAL, false }, { PART_HOP, false } };
static const spinor_part systems[] = { { PART_ALL_SITES, false }, { PART_NORMAL, false } };

#define WILSON_SITES "over all sites; Mhat and normal ignore the source on even sites, where the result is zero"

#define WILSON_OPTIONS                                                                                                 \
    { .name = "mass", .value = "M", .doc = "the bare mass m = 1 / (2 kappa) - 4", .type = OPTION_REAL,                 \
      .offset = offsetof(probe_options, wilson.mass), .required = true, .min = WILSON_MASS_MIN + 1e-6,                 \
      .max = WILSON_MASS_MAX },                                                                                        \
    BOUNDARY_OPTION(wilson.boundary), BASIS_OPTION, PROBE_OPTIONS

static const usage apply_usage = {
    "probe apply", "CONFIG OUT.npy", 2, 2,
    "Applies the Wilson operator of a configuration to spinors:\n"
    "    M = 4 + m - hop / 2,   Mhat = 4 + m - hop_oe hop_eo / (4 (4 + m)) on odd sites,   normal: Mhat^+ Mhat\n"
    "    (hop v)(x) = sum_mu (1 - gamma_mu) U_mu(x) v(x+mu) + (1 + gamma_mu) U_mu(x-mu)^+ v(x-mu)\n"
    "--part hop applies this sum, without the factor -1/2 of M (--operator domain-wall: with).\n"
    "Spinors are NumPy arrays,\n" WILSON_SHAPE "\n"
    WILSON_SITES ".\n"
    "Prints norms as JSON.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names),
                      PART_OPTION(part_names, "part of the operator (default M)"), WILSON_OPTIONS,
                      { 0 } },
};

static const usage solve_usage = {
    "probe solve", "CONFIG OUT.npy", 2, 2,
    "Solves M x = v on all sites, or with --part normal Mhat^+ Mhat x = v on odd sites, by conjugate gradients of\n"
    "Mhat^+ Mhat from zero; `kiln probe apply --operator wilson --help` defines the operators.\n"
    "Spinors are NumPy arrays,\n"
    WILSON_SHAPE "\n" WILSON_SITES ".\n"
    "Prints iterations and the true residual |v - M x| / |v| as JSON.  Exit status 1 if the solve does not converge;\n"
    "OUT.npy then holds the last iterate.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names),
                      PART_OPTION(system_names, "M on all sites, or normal (default M)"),
                      SOLVE_OPTIONS, SOLVER_OPTION, WILSON_OPTIONS, { 0 } },
};

typedef struct {
    probe_spinors base;
    wilson_operator_params params;
    const char *part;
} wilson_quarks;

/* ---- the operator on all sites */

static void apply(dwf_field out, const dirac_operator *d, const dirac_matrix *m, bool dagger, dwf_field in,
                  dwf_field room)
{
    (void)room;
    wilson_apply(out, hop_operator_links(d), wilson_operator_mass(m), dagger, in);
}

/* The sum over neighbours, which is -2 times the hop of the operator. */
static void hop(dwf_field out, const dirac_operator *d, dwf_field in)
{
    const fifth_table one = fifth_one(1, 1);
    dwf_hop_with(out.even, hop_operator_links(d), &(dwf_hop_terms){ .k = &one, .in = in.odd });
    dwf_hop_with(out.odd, hop_operator_links(d), &(dwf_hop_terms){ .k = &one, .in = in.even });
}

static void prepare(vec *rhs, const dirac_operator *d, const dirac_matrix *m, dwf_field v, vec *even)
{
    (void)even;
    wilson_prepare(rhs, hop_operator_links(d), wilson_operator_mass(m), false, v);
}

static void reconstruct(dwf_field x, const dirac_operator *d, const dirac_matrix *m, dwf_field v,
                        const vec *solution, vec *even)
{
    (void)even;
    wilson_reconstruct(x, hop_operator_links(d), wilson_operator_mass(m), false, v, solution);
}

static const spinor_operator on_all_sites = { apply, hop, prepare, reconstruct };

/* ---- the family */

static void defaults(probe_options *o)
{
    o->wilson.boundary = 1;
}

static probe_quarks *choose_operator(const probe_options *o, bool solves, failure *f)
{
    wilson_quarks *q = memory_alloc(sizeof *q, "Wilson quarks");
    (void)f;
    q->params.boundary = o->wilson.boundary ? -1 : 1;
    q->part = solves ? system_names[o->part] : part_names[o->part];
    q->base.plan = wilson_operator_plan(&q->params);
    q->base.mass = o->wilson.mass;
    q->base.on_all_sites = &on_all_sites;
    probe_spinors_begin(&q->base, &probe_wilson, o, solves ? systems[o->part] : parts[o->part]);
    return &q->base.base;
}

static void describe_operator(json *j, const probe_quarks *base)
{
    const wilson_quarks *q = (const wilson_quarks *)base;
    json_text(j, "operator", names[0]);
    json_text(j, "part", q->part);
    json_real(j, "mass", q->base.mass);
    json_real(j, "boundary", (double)base->options->wilson.boundary);
    json_text(j, "basis", gamma_basis_names[base->options->basis]);
}

const probe_family probe_wilson = {
    .names = names,
    .apply_usage = &apply_usage,
    .solve_usage = &solve_usage,
    .array = ARRAY_SPINORS,
    .defaults = defaults,
    .choose = choose_operator,
    .describe = describe_operator,
    PROBE_SPINORS,
};
