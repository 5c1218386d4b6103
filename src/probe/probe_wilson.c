/* probe_wilson.c - Wilson quarks for kiln probe apply and kiln probe solve. */
#include "src/base/memory.h"
#include "src/operators/wilson_operator.h"
#include "src/probe/probe_wilson.h"

#include <math.h>
#include <stdio.h>

static const char *const names[] = { "wilson", NULL };
static const char *const part_names[] = { "M", "Mdag", "Mhat", "normal", "hop", NULL };
static const spinor_part parts[] = { { PART_ALL_SITES, false }, { PART_ALL_SITES, true }, { PART_C, false },
                                     { PART_NORMAL, false }, { PART_HOP, false } };

const char *const wilson_system_names[] = { "M", "normal", NULL };
const spinor_part wilson_systems[] = { { PART_ALL_SITES, false }, { PART_NORMAL, false } };

static const usage apply_usage = {
    "probe apply", "CONFIG OUT.npy", 2, 2,
    "Applies the Wilson operator of a configuration to spinors:\n"
    "    M = 4 + m - hop / 2,   Mhat = 4 + m - hop_oe hop_eo / (4 (4 + m)) on odd sites,   normal: Mhat^+ Mhat\n"
    WILSON_HOP
    "--part hop applies this sum, without the factor -1/2 of M (--operator domain-wall: with).\n"
    WILSON_APPLY_ABOUT,
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names),
                      PART_OPTION(part_names, "part of the operator (default M)"), WILSON_OPTIONS,
                      { 0 } },
};

static const usage solve_usage = {
    "probe solve", "CONFIG OUT.npy", 2, 2,
    WILSON_SOLVE_ABOUT("wilson"),
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names), WILSON_SYSTEMS_OPTION,
                      SOLVE_OPTIONS, SOLVER_OPTION, WILSON_OPTIONS, { 0 } },
};

typedef struct {
    probe_spinors base;
    wilson_operator_params params;
    const char *part;
} wilson_quarks;

/* ---- the operator on all sites */

static void apply(spinor_field out, const dirac_operator *d, const dirac_matrix *m, bool dagger, spinor_field in,
                  spinor_field scratch)
{
    (void)scratch;
    wilson_apply(out, hop_operator_links(d), wilson_operator_mass(m), dagger, in);
}

/* The sum over neighbours, which is -2 times the hop of the operator. */
static void hop(spinor_field out, const dirac_operator *d, spinor_field in)
{
    wilson_hop_with(out.even, hop_operator_links(d), &(wilson_hop_terms){ .scale = 1, .in = in.odd });
    wilson_hop_with(out.odd, hop_operator_links(d), &(wilson_hop_terms){ .scale = 1, .in = in.even });
}

static void prepare(vec *rhs, const dirac_operator *d, const dirac_matrix *m, spinor_field v, vec *even)
{
    (void)even;
    wilson_prepare(rhs, hop_operator_links(d), wilson_operator_mass(m), false, v);
}

static void reconstruct(spinor_field x, const dirac_operator *d, const dirac_matrix *m, spinor_field v,
                        const vec *solution, vec *even)
{
    (void)even;
    wilson_reconstruct(x, hop_operator_links(d), wilson_operator_mass(m), false, v, solution);
}

static const spinor_operator on_all_sites = { .apply = apply, .hop = hop, .prepare = prepare,
                                              .reconstruct = reconstruct };

/* ---- the family */

void wilson_defaults(probe_options *o)
{
    o->wilson.boundary = 1;
}

bool wilson_read_theta(const char *given, void *value, failure *f)
{
    double *theta = value;
    int end = 0;
    bool ok = sscanf(given, "%lf,%lf,%lf%n", &theta[0], &theta[1], &theta[2], &end) == 3 && !given[end];
    for (int k = 0; ok && k < 3; k++)
        ok = fabs(theta[k]) <= WILSON_THETA_MAX;
    return ok || fail(f, "\"%s\" are not three phases from -%d to %d; an example: 0.5,0,0 (x, y, z)", given,
                      WILSON_THETA_MAX, WILSON_THETA_MAX);
}

static probe_quarks *choose_operator(const probe_options *o, bool solves, failure *f)
{
    wilson_quarks *q = memory_alloc(sizeof *q, "Wilson quarks");
    (void)f;
    q->params.boundary = quark_boundary_of(o->wilson.boundary, o->wilson.theta);
    q->part = solves ? wilson_system_names[o->part] : part_names[o->part];
    q->base.plan = wilson_operator_plan(&q->params);
    q->base.mass = o->wilson.mass;
    q->base.on_all_sites = &on_all_sites;
    probe_spinors_begin(&q->base, &probe_wilson, o, solves ? wilson_systems[o->part] : parts[o->part]);
    return &q->base.base;
}

void wilson_describe(json *j, const probe_spinors *q, const char *part)
{
    const probe_options *o = q->base.options;
    json_text(j, "operator", q->base.family->names[0]);
    json_text(j, "part", part);
    json_real(j, "mass", q->mass);
    json_real(j, "boundary", (double)o->wilson.boundary);
    json_reals(j, "theta", o->wilson.theta, 3);
    json_text(j, "basis", gamma_basis_names[o->basis]);
}

static void describe_operator(json *j, const probe_quarks *q)
{
    wilson_describe(j, (const probe_spinors *)q, ((const wilson_quarks *)q)->part);
}

const probe_family probe_wilson = {
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
