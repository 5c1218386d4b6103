/* probe_dwf.c - domain-wall quarks for kiln probe apply and kiln probe solve. */
#include "src/base/memory.h"
#include "src/config/schema_describe.h"
#include "src/operators/dwf_operator.h"
#include "src/probe/probe_spinors.h"

static const char *const names[] = { "domain-wall", NULL };
static const char *const part_names[] = { "D5", "D5dag", "C", "Cdag", "normal", "hop", NULL };
static const char *const system_names[] = { "D5", "normal", NULL };
static const spinor_part parts[] = { { PART_ALL_SITES, false }, { PART_ALL_SITES, true }, { PART_C, false },
                                     { PART_C, true }, { PART_NORMAL, false }, { PART_HOP, false } };
static const spinor_part systems[] = { { PART_ALL_SITES, false }, { PART_NORMAL, false } };

#define DWF_SITES "over all sites; C, Cdag and normal ignore the source on even sites, where the result is zero"

#define DWF_AT(member) offsetof(probe_options, dwf.of.member)
#define DWF_MASS_AT offsetof(probe_options, dwf.mass)
#define DWF_OPTIONS                                                                                            \
    { .name = "action", .value = "A", .doc = "weights b_s, c_s of D5 (default shamir)", .type = OPTION_CHOICE, \
      .offset = DWF_AT(action), .choices = dwf_kind_names },                                                   \
    { .name = "Ls", .value = "LS", .doc = "extent of the fifth dimension", .type = OPTION_INT,                 \
      .offset = DWF_AT(Ls), .required = true, .min = 2, .max = SLICES_MAX },                                   \
    { .name = "mass", .value = "M", .doc = "quark mass", .type = OPTION_REAL, .offset = DWF_MASS_AT,           \
      .required = true, .max = DWF_MASS_MAX },                                                                 \
    { .name = "mass-convention", .value = "W", .doc = "of --mass: m, or 2 M5 m (default rbc)",                 \
      .type = OPTION_CHOICE, .offset = DWF_AT(mass_convention), .choices = dwf_conventions },                  \
    { .name = "M5", .value = "M5", .doc = "domain-wall height (default 1.8)", .type = OPTION_REAL,             \
      .offset = DWF_AT(M5), .min = 1e-6, .max = 2 },                                                           \
    { .name = "b", .value = "B", .doc = "mobius (default 1.5)", .type = OPTION_REAL, .offset = DWF_AT(b),      \
      .min = -100, .max = 100 },                                                                               \
    { .name = "c", .value = "C", .doc = "mobius (default 0.5)", .type = OPTION_REAL, .offset = DWF_AT(c),      \
      .min = -100, .max = 100 },                                                                               \
    { .name = "scale", .value = "S", .doc = "scaled_shamir: b + c (default 2)", .type = OPTION_REAL,           \
      .offset = DWF_AT(scale), .min = 1e-6, .max = 100 },                                                      \
    { .name = "lambda-min", .value = "L", .type = OPTION_REAL, .offset = DWF_AT(lambda_min), .min = 1e-12,     \
      .max = 100, .doc = "optimal, optimal_symmetric: lower end of |gamma5 Dw|\n(default 0.05)" },             \
    { .name = "lambda-max", .value = "L", .type = OPTION_REAL, .offset = DWF_AT(lambda_max), .min = 1e-12,     \
      .max = 100, .doc = "optimal, optimal_symmetric: upper end of |gamma5 Dw|\n(default 6.2)" },              \
    BOUNDARY_OPTION(dwf.of.boundary), BASIS_OPTION, QUARKS_OPTIONS

#define AS_AN_INPUT "Options have the names and defaults of the keys of a monomial domain_wall."

static const usage apply_usage = {
    "probe apply", "CONFIG OUT.npy", 2, 2,
    "Applies the domain-wall operator of a configuration to spinors with a fifth dimension:\n"
    "    D5 = Dw (b + c L) + 1 - L = hop Y + X, Y = b + c L, Dw = hop + 4 - M5, hop connecting even and odd sites\n"
    "    C  = 1 - K hop K hop on odd sites, K = s^-1 Y X^-1 s, s = b^1/2 where all b_s > 0, else 1; normal: C^+C\n"
    "    (hop v)(x) = -1/2 sum_mu [(1 - gamma_mu) U_mu(x) v(x+mu) + (1 + gamma_mu) U_mu(x-mu)^+ v(x-mu)], all slices\n"
    "--part hop applies hop with its factor -1/2 (--operator wilson: without).  Spinors are NumPy arrays,\n"
    SPINOR_SHAPE "\n"
    DWF_SITES ".\n" AS_AN_INPUT "\n"
    "Prints norms as JSON.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names),
                      PART_OPTION(part_names, "part of the operator (default D5)"),
                      DWF_OPTIONS, { 0 } },
};

static const usage solve_usage = {
    "probe solve", "CONFIG OUT.npy", 2, 2,
    "Solves D5 x = v on all sites, or with --part normal C^+C x = v on odd sites, by conjugate gradients of C^+C\n"
    "or BiCGstab of C, from zero; `kiln probe apply --operator domain-wall --help` defines the operators.  Spinors\n"
    "are NumPy arrays,\n"
    SPINOR_SHAPE "\n" DWF_SITES ".\n" AS_AN_INPUT "\n"
    "Prints iterations and the true residual |v - D5 x| / |v| as JSON.  Exit status 1 if the solve does not converge;\n"
    "OUT.npy then holds the last iterate.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names),
                      PART_OPTION(system_names, "D5 on all sites, or normal (default D5)"),
                      SOLVE_OPTIONS, SOLVER_OPTION, DWF_OPTIONS, { 0 } },
};

/* The table of a domain-wall action in an input: defaults, and which parameters belong to which actions. */
#define ACTION_AT(member) offsetof(dwf_action_input, member)
static const param_spec specs[] = { DWF_ACTION_SPECS(ACTION_AT), { 0 } };

typedef struct {
    probe_spinors base;
    dwf_choice choice;
    dwf_operator_params params;
    const char *part;
} dwf_quarks;

static double *real_at(dwf_action_input *in, const param_spec *spec)
{
    return (double *)((char *)in + spec->offset);
}

/* The defaults of the table.  A parameter of some actions only is NaN until it is given. */
static void defaults(probe_options *o)
{
    for (const param_spec *spec = specs; spec->key; spec++)
        if (spec->choice)
            *real_at(&o->dwf.of, spec) = NAN;
        else if (spec->fallback)
            schema_read_default(spec, (char *)&o->dwf.of + spec->offset);
}

/* "lambda-min" for lambda_min */
typedef struct { char name[32]; } option_name;
static option_name option_of(const param_spec *spec)
{
    option_name n = { { 0 } };
    for (size_t i = 0; spec->key[i] && i + 1 < sizeof n.name; i++)
        n.name[i] = spec->key[i] == '_' ? '-' : spec->key[i];
    return n;
}

static bool complete_action(dwf_action_input *in, failure *f)
{
    for (const param_spec *spec = specs; spec->key; spec++) {
        if (!spec->choice)
            continue;
        if (isnan(*real_at(in, spec)))
            schema_read_default(spec, real_at(in, spec));
        else if (!param_applies(specs, spec, in))
            return fail(f, "--%s is not an option of --action %s", option_of(spec).name, dwf_kind_names[in->action]);
    }
    return true;
}

static void hop(spinor_field out, const dirac_operator *d, spinor_field in)
{
    dwf_hop(out.even, hop_operator_links(d), false, in.odd);
    dwf_hop(out.odd, hop_operator_links(d), false, in.even);
}

/* ---- the family */

static probe_quarks *choose_operator(const probe_options *o, bool solves, failure *f)
{
    dwf_choice c = o->dwf;
    dwf_operator_params params;
    failure why;
    if (!complete_action(&c.of, f))
        return NULL;
    if (!dwf_parameters.read(&params, &c.of, &why)) {
        fail(f, "--action %s: %s", dwf_kind_names[c.of.action], why.why);
        return NULL;
    }
    dwf_quarks *q = memory_alloc(sizeof *q, "domain-wall quarks");
    q->choice = c;
    q->params = params;
    q->base.plan = dwf_parameters.plan(&q->params, &c.of);
    dwf_operator_add_mass(&q->params, dwf_mass_of(c.mass, &c.of));
    q->base.hop = hop;
    probe_spinors_begin(&q->base, &probe_dwf, o, solves ? systems[o->part] : parts[o->part]);
    q->part = solves ? system_names[o->part] : part_names[o->part];
    return &q->base.base;
}

static void weights_to_json(json *j, const char *key, const double *w, int Ls)
{
    json_open(j, key, '[');
    for (int s = 0; s < Ls; s++)
        json_real(j, NULL, w[s]);
    json_close(j);
}

static void describe_operator(json *j, const probe_quarks *base)
{
    const dwf_quarks *q = (const dwf_quarks *)base;
    const dwf_weights *w = &q->params.weights;
    json_text(j, "operator", names[0]);
    json_text(j, "part", q->part);
    json_text(j, "action", dwf_kind_names[q->choice.of.action]);
    json_int(j, "Ls", w->Ls);
    json_real(j, "M5", w->M5);
    weights_to_json(j, "b", w->b, w->Ls);
    weights_to_json(j, "c", w->c, w->Ls);
    json_real(j, "mass", q->choice.mass);
    json_text(j, "mass_convention", dwf_conventions[q->choice.of.mass_convention]);
    json_real(j, "boundary", (double)q->choice.of.boundary);
    json_text(j, "basis", gamma_basis_names[base->options->basis]);
}

const probe_family probe_dwf = {
    .names = names,
    .apply_usage = &apply_usage,
    .solve_usage = &solve_usage,
    .array = ARRAY_SLICES,
    .hops = GRID_HOPS_LEAST,
    .defaults = defaults,
    .choose = choose_operator,
    .describe = describe_operator,
    PROBE_SPINORS,
};
