/* probe_wilson.c - Wilson quarks, without and with a clover term, a twisted mass or both, for kiln probe apply and kiln
 * probe solve. */
#include "src/base/memory.h"
#include "src/operators/hop_operator.h"
#include "src/options/multigrid_options.h"
#include "src/options/wilson_options.h"
#include "src/probe/probe_spinors.h"
#include "src/probe/probe_theta.h"

#include <math.h>

static const char *const wilson_names[] = { "wilson", NULL }, *const clover_names[] = { "clover", NULL };
static const char *const wilson_parts[] = { "M", "Mdag", "Mhat", "normal", "hop", NULL },
                  *const clover_parts[] = { "M", "Mdag", "Mhat", "normal", "clover", NULL },
                  *const system_names[] = { "M", "normal", NULL };
static const spinor_part parts_of_wilson[] = { { PART_ALL_SITES, false }, { PART_ALL_SITES, true }, { PART_C, false },
                                               { PART_NORMAL, false }, { PART_HOP, false } },
                         parts_of_clover[] = { { PART_ALL_SITES, false }, { PART_ALL_SITES, true }, { PART_C, false },
                                               { PART_NORMAL, false }, { PART_TERM, false } },
                         systems[] = { { PART_ALL_SITES, false }, { PART_NORMAL, false } };

#define WILSON_OPTIONS                                                                                                 \
    WILSON_MASS_OPTIONS(probe_options, wilson.bare),                                                                   \
    BOUNDARY_OPTION(wilson.of.boundary), THETA_OPTION(wilson.of.theta),                                                \
    WILSON_ANISOTROPY_OPTIONS(probe_options, wilson.of, ""), BASIS_OPTION, QUARKS_OPTIONS
#define SYSTEMS_OPTION PART_OPTION(system_names, "M on all sites, or normal (default M)")
#define CLOVER_OPTIONS                                                                                                 \
    { .name = "c-sw", .value = "C", .doc = "coefficient of the clover term; 1 at tree level; 0: without this term;\n"  \
      "needed, but not with --xi-0", .type = OPTION_REAL, .offset = offsetof(probe_options, wilson.of.c_sw),           \
      .optional = true, .given = offsetof(probe_options, wilson.c_sw_given), .max = 100 },                             \
    WILSON_UNEVEN_CLOVER_OPTIONS(probe_options, wilson.of),                                                            \
    { .name = "clover", .value = "FORM", .doc = "linear (default), or exponential: T = (4 + m) exp(c_sw A / (4 + m))", \
      .type = OPTION_CHOICE, .offset = offsetof(probe_options, wilson.of.clover), .choices = clover_kind_names },      \
    { .name = "clover-links", .value = "LINKS",                                                                        \
      .doc = "of the clover term with --stout-levels: smeared (default), as in the hop; or thin",                      \
      .type = OPTION_CHOICE, .offset = offsetof(probe_options, wilson.of.clover_links),                                \
      .choices = clover_links_names },                                                                                 \
    { .name = "mu", .value = "MU", .doc = "twisted mass: adds i mu gamma5 to T (default 0)", .type = OPTION_REAL,      \
      .offset = offsetof(probe_options, wilson.mu), .min = -100, .max = 100 },                                         \
    { .name = "rho", .value = "RHO", .doc = "adds i rho gamma5 on odd sites only: a regulator of Mhat (default 0)",    \
      .type = OPTION_REAL, .offset = offsetof(probe_options, wilson.rho), .min = -100, .max = 100 },                   \
    { .name = "c-F", .value = "C", .type = OPTION_REAL, .offset = offsetof(probe_options, wilson.of.c_F),              \
      .doc = "open boundaries in t: T has C - 1 more in the slices beside the\nfirst and the last (default 1)",        \
      .min = -100, .max = 100 },                                                                                       \
    { .name = "even-odd", .value = "FORM", .doc = "of Mhat: asymmetric (default) or symmetric", .type = OPTION_CHOICE, \
      .offset = offsetof(probe_options, wilson.of.even_odd), .choices = clover_form_names },                           \
    WILSON_OPTIONS

/* Lines of --help. */
#define WILSON_HOP                                                                                                     \
    "    (hop v)(x) = sum_mu (1 - gamma_mu) U_mu(x) v(x+mu) + (1 + gamma_mu) U_mu(x-mu)^+ v(x-mu)\n"
#define WILSON_UNEVEN                                                                                                  \
    "With --xi-0, terms of the hop in x, y and z have the factor nu/xi_0, and 4 + m is m + 1 + 3 nu/xi_0.\n"
#define CLOVER_UNEVEN                                                                                                  \
    "The clover term is then (c_s/xi_0) A_s + c_t A_t, with the planes in space and those with t of A.\n"
#define WILSON_ARRAYS                                                                                                  \
    "Spinors are NumPy arrays,\n" WILSON_SHAPE "\n"                                                                    \
    "over all sites; Mhat and normal ignore the source on even sites, where the result is zero.\n"
#define WILSON_APPLY_ABOUT WILSON_ARRAYS "Prints norms as JSON."
#define WILSON_SOLVE_ABOUT(name)                                                                                       \
    "Solves M x = v on all sites, or with --part normal Mhat^+ Mhat x = v on odd sites, by conjugate gradients of\n"   \
    "Mhat^+ Mhat or BiCGstab of Mhat, from zero; `kiln probe apply --operator " name " --help` defines the\n"          \
    "operators.\n"                                                                                                     \
    WILSON_ARRAYS                                                                                                      \
    "Prints iterations and the true residual |v - M x| / |v| as JSON.  Exit status 1 if the solve does not converge;\n"\
    "OUT.npy then holds the last iterate."

static const usage wilson_apply_usage = {
    "probe apply", "CONFIG OUT.npy", 2, 2,
    "Applies the Wilson operator of a configuration to spinors:\n"
    "    M = 4 + m - hop / 2,   Mhat = 4 + m - hop_oe hop_eo / (4 (4 + m)) on odd sites,   normal: Mhat^+ Mhat\n"
    WILSON_HOP
    "--part hop applies this sum, without the factor -1/2 of M (--operator domain-wall: with).\n"
    WILSON_UNEVEN
    WILSON_APPLY_ABOUT,
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(wilson_names),
                      PART_OPTION(wilson_parts, "part of the operator (default M)"), WILSON_OPTIONS,
                      { 0 } },
};

static const usage wilson_solve_usage = {
    "probe solve", "CONFIG OUT.npy", 2, 2,
    WILSON_SOLVE_ABOUT("wilson"),
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(wilson_names), SYSTEMS_OPTION,
                      SOLVE_OPTIONS, SOLVER_OPTION, MULTIGRID_OPTIONS(probe_options, multigrid), WILSON_OPTIONS,
                      { 0 } },
};

static const usage clover_apply_usage = {
    "probe apply", "CONFIG OUT.npy", 2, 2,
    "Applies the Wilson operator with a clover term, a twisted mass or both, of a configuration to spinors:\n"
    "    M = T - hop / 2,   T = 4 + m + c_sw A + i mu gamma5, on odd sites + i (mu + rho) gamma5\n"
    "    Mhat = T - hop_oe T^-1 hop_eo / 4 on odd sites,   normal: Mhat^+ Mhat\n"
    "    --even-odd symmetric: Mhat = 1 - T^-1 hop_oe T^-1 hop_eo / 4\n"
    WILSON_HOP
    "    A(x) = (i/2) sum_{mu<nu} sigma_mu,nu F_mu,nu(x),   sigma_mu,nu = (i/2) [gamma_mu, gamma_nu]\n"
    "    F_mu,nu = (Q_mu,nu - Q_mu,nu^+) / 8, with its trace; Q_mu,nu: the sum of the four plaquettes that begin and\n"
    "    end at x, each in the direction from mu to nu\n"
    "(B. Sheikholeslami and R. Wohlert, Nucl. Phys. B 259 (1985) 572).  --part clover applies T alone,\n"
    "without rho.\n"
    WILSON_UNEVEN CLOVER_UNEVEN
    "--clover exponential: the T of A. Francis et al., arXiv:1911.04533.\n"
    "--clover-links thin: A of links without the smearing of the hop (N. Cundy et al., arXiv:0901.3302).\n"
    WILSON_APPLY_ABOUT,
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(clover_names),
                      PART_OPTION(clover_parts, "part of the operator (default M)"), CLOVER_OPTIONS,
                      { 0 } },
};

static const usage clover_solve_usage = {
    "probe solve", "CONFIG OUT.npy", 2, 2,
    WILSON_SOLVE_ABOUT("clover"),
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(clover_names), SYSTEMS_OPTION,
                      SOLVE_OPTIONS, SOLVER_OPTION, MULTIGRID_OPTIONS(probe_options, multigrid), CLOVER_OPTIONS,
                      { 0 } },
};

/* --operator clover uses the code with a clover term even if c_sw = 0. */
typedef struct {
    probe_spinors base;
    clover_operator_params params;
    const char *part;
} wilson_quarks;

/* The sum over neighbors, which is -2 times the hop of the operator. */
static void hop(spinor_field out, const dirac_operator *d, spinor_field in)
{
    wilson_hop_with(out.even, hop_operator_links(d), &(wilson_hop_terms){ .scale = 1, .in = in.odd });
    wilson_hop_with(out.odd, hop_operator_links(d), &(wilson_hop_terms){ .scale = 1, .in = in.even });
}

static void term(spinor_field out, const dirac_operator *d, const dirac_matrix *m, spinor_field in)
{
    const clover_term *t = clover_operator_links(d, m).term;
    clover_multiply(out.even, t, CLOVER_T, in.even, 0, NULL);
    clover_multiply(out.odd, t, CLOVER_T, in.odd, 0, NULL);
}

/* ---- the families */

static void defaults(probe_options *o)
{
    o->wilson.of.boundary = 1;
    o->wilson.of.c_F = 1;
    o->wilson.of.given.c_F = true;
    o->multigrid = multigrid_params_defaults();
}

static wilson_operator_input input_of(const probe_options *o)
{
    wilson_operator_input input = o->wilson.of;
    input.stout = o->stout;
    return input;
}

/* The quarks of a family, for the part `of` with the name `part`. */
static probe_quarks *choose(const probe_family *family, const probe_options *o, const char *part, spinor_part of)
{
    const wilson_choice *choice = &o->wilson;
    wilson_quarks *q = memory_alloc(sizeof *q, "Wilson quarks");
    const wilson_operator_input input = input_of(o);
    q->params = wilson_operator_of(&input);
    q->params.plain = family == &probe_wilson && o->method != SOLVER_MULTIGRID;
    q->part = part;
    q->base.plan = wilson_operator_plan(&q->params, &input);
    clover_operator_add_matrix(&q->params,
                               (quark_mass){ wilson_bare_mass(&choice->bare), { choice->mu, choice->rho } });
    q->base.hop = hop;
    q->base.term = term;
    probe_spinors_begin(&q->base, family, o, of);
    return &q->base.base;
}

static bool is_possible(const probe_options *o, failure *f)
{
    const wilson_operator_input input = input_of(o);
    return wilson_mass_options_fit(&o->wilson.bare, f) && wilson_operator_check(&input, f)
           && wilson_diagonal_check(&input, wilson_bare_mass(&o->wilson.bare), f);
}

static probe_quarks *choose_wilson(const probe_options *o, bool solves, failure *f)
{
    if (!is_possible(o, f))
        return NULL;
    return solves ? choose(&probe_wilson, o, system_names[o->part], systems[o->part])
                  : choose(&probe_wilson, o, wilson_parts[o->part], parts_of_wilson[o->part]);
}

static probe_quarks *choose_clover(const probe_options *o, bool solves, failure *f)
{
    if (!o->wilson.c_sw_given && !o->wilson.of.given.xi_0) {
        fail(f, "--c-sw C is missing");
        return NULL;
    }
    if (!is_possible(o, f))
        return NULL;
    return solves ? choose(&probe_clover, o, system_names[o->part], systems[o->part])
                  : choose(&probe_clover, o, clover_parts[o->part], parts_of_clover[o->part]);
}

/* c_F counts as given only if it differs from its default 1, which is allowed on periodic links. */
static bool fits(const probe_options *o, const lattice_shape *shape, failure *f)
{
    wilson_operator_input input = input_of(o);
    input.given.c_F = input.c_F != 1;
    return wilson_boundary_check(&input, shape, f);
}

static void describe_wilson(json *j, const probe_quarks *q)
{
    const probe_options *o = q->options;
    json_text(j, "operator", q->family->names[0]);
    json_text(j, "part", ((const wilson_quarks *)q)->part);
    wilson_mass_options_to_json(j, &o->wilson.bare);
    if (q->open_in_time)                    /* then the phase in t has no effect */
        json_real(j, "c_F", o->wilson.of.c_F);
    else
        json_real(j, "boundary", (double)o->wilson.of.boundary);
    json_reals(j, "theta", o->wilson.of.theta, 3);
    if (o->wilson.of.given.xi_0) {
        json_real(j, "xi_0", o->wilson.of.xi_0);
        json_real(j, "nu", wilson_operator_nu(&o->wilson.of));
    }
    json_text(j, "basis", gamma_basis_names[o->basis]);
}

static void describe_clover(json *j, const probe_quarks *q)
{
    const clover_operator_params *p = &((const wilson_quarks *)q)->params;
    const wilson_operator_input input = input_of(q->options);
    const dirac_twist twist = p->matrix[0].of.twist;
    describe_wilson(j, q);
    if (input.given.c_s) {
        json_real(j, "c_s", input.c_s);
        json_real(j, "c_t", input.c_t);
    } else {
        json_real(j, "c_sw", input.c_sw);
    }
    json_text(j, "clover", clover_kind_names[p->kind]);
    json_text(j, "clover_links", clover_links_names[q->options->wilson.of.clover_links]);
    json_real(j, "mu", twist.mu);
    json_real(j, "rho", twist.rho);
    json_text(j, "even_odd", clover_form_names[p->form]);
}

const probe_family probe_wilson = {
    .names = wilson_names,
    .apply_usage = &wilson_apply_usage,
    .solve_usage = &wilson_solve_usage,
    .array = ARRAY_SPINORS,
    .hops = GRID_HOPS_LEAST,
    .defaults = defaults,
    .fits = fits,
    .choose = choose_wilson,
    .describe = describe_wilson,
    PROBE_SPINORS,
};

const probe_family probe_clover = {
    .names = clover_names,
    .apply_usage = &clover_apply_usage,
    .solve_usage = &clover_solve_usage,
    .array = ARRAY_SPINORS,
    .hops = GRID_HOPS_LEAST,
    .defaults = defaults,
    .fits = fits,
    .choose = choose_clover,
    .describe = describe_clover,
    PROBE_SPINORS,
};
