/* probe_overlap.c - overlap quarks for kiln probe apply and kiln probe solve. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/overlap/overlap_solve.h"
#include "src/probe/probe_spinors.h"
#include "src/solvers/solver_choice.h"

#include <math.h>

static const char *const names[] = { "overlap", NULL };
static const char *const part_names[] = { "D", "Ddag", "sign", NULL };
enum { PART_D, PART_D_DAGGER, PART_SIGN };

/* As SOLVER_DOUBLE and SOLVER_DOUBLE_SINGLE of solver_names. */
static const char *const solvers[] = { "double", "double-single", NULL };

#define OVERLAP_AT(member) offsetof(probe_options, overlap.member)
#define MASS_OPTION(words, needed)                                                                                     \
    { .name = "mass", .value = "M", .doc = "quark mass, below 2 M0" words, .type = OPTION_REAL,                        \
      .offset = OVERLAP_AT(mass), .required = needed, .max = 4 }
#define OVERLAP_OPTIONS                                                                                                \
    { .name = "M0", .value = "M0", .doc = "minus the mass of the Wilson kernel (default 1.4)", .type = OPTION_REAL,    \
      .offset = OVERLAP_AT(M0), .min = 1e-6, .max = 2 },                                                               \
    { .name = "sign", .value = "S", .doc = "approximation of the sign function (default zolotarev)",                   \
      .type = OPTION_CHOICE, .offset = OVERLAP_AT(sign), .choices = sign_method_names },                               \
    { .name = "accuracy", .value = "A", .doc = "largest error of sign(H) v, over |v| (default 1e-13)",                 \
      .type = OPTION_REAL, .offset = OVERLAP_AT(accuracy), .min = 1e-14, .max = 0.01 },                                \
    { .name = "modes", .value = "N", .doc = "lowest modes of H on which the sign is exact (default 8)",                \
      .type = OPTION_INT, .offset = OVERLAP_AT(modes), .min = 1, .max = KERNEL_MODES_MAX },                            \
    { .name = "poles", .value = "N", .doc = "zolotarev: largest number of poles (default 40)", .type = OPTION_INT,     \
      .offset = OVERLAP_AT(poles), .optional = true, .given = OVERLAP_AT(given.poles), .min = 1,                       \
      .max = RATIONAL_POLES },                                                                                         \
    { .name = "inner-iterations", .value = "N", .doc = "zolotarev: largest number of a solve with H^2\n"               \
      "(default 20000)", .type = OPTION_INT, .offset = OVERLAP_AT(inner_iterations), .optional = true,                 \
      .given = OVERLAP_AT(given.inner_iterations), .min = 1, .max = 1e9 },                                             \
    BOUNDARY_OPTION(overlap.boundary), BASIS_OPTION, QUARKS_OPTIONS

#define OVERLAP_ARRAYS "Spinors are NumPy arrays,\n" WILSON_SHAPE "\nover all sites.\n"

static const usage apply_usage = {
    "probe apply", "CONFIG OUT.npy", 2, 2,
    "Applies the overlap operator of a configuration to spinors:\n"
    "    D(m) = (1 - m / (2 M0)) M0 (1 + gamma5 sign(H)) + m,   H = gamma5 (4 - M0 - hop / 2)\n"
    "with the hop of `kiln probe apply --operator wilson --help` (H. Neuberger, hep-lat/9707022).  --part sign\n"
    "applies sign(H) alone, which does not depend on m.\n"
    OVERLAP_ARRAYS "Prints norms, modes of H and the approximation of the sign function as JSON.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names),
                      PART_OPTION(part_names, "part of the operator (default D)"),
                      MASS_OPTION("; needed by D and Ddag", false), OVERLAP_OPTIONS, { 0 } },
};

static const usage solve_usage = {
    "probe solve", "CONFIG OUT.npy", 2, 2,
    "Solves D(m) x = v on all sites by conjugate gradients of D^+ D for each chirality of v, from zero;\n"
    "`kiln probe apply --operator overlap --help` defines D.  The accuracy of sign(H) falls with the residual, with\n"
    "--solver double-single also its precision.\n"
    OVERLAP_ARRAYS
    "Prints iterations and the true residual |v - D x| / |v| as JSON.  Exit status 1 if the solve does not converge;\n"
    "OUT.npy then holds the last iterate.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTION(names), SOLVE_OPTIONS,
                      { .name = "solver", .value = "S", .type = OPTION_CHOICE, .choices = solvers,
                        .offset = offsetof(probe_options, solver),
                        .doc = "double (default), or double-single: signs of low accuracy in single precision" },
                      { .name = "full-accuracy", .doc = "compute every sign(H) v with the full accuracy",
                        .type = OPTION_FLAG, .offset = OVERLAP_AT(full_accuracy) },
                      MASS_OPTION("", true), OVERLAP_OPTIONS, { 0 } },
};

typedef struct {
    probe_quarks base;
    overlap_params params;
    overlap *o;                             /* created by open, as the following members */
    overlap_solver *solver;                 /* of kiln probe solve */
    vec *in, *out;
    bool solves;
} overlap_quarks;

static void defaults(probe_options *o)
{
    o->overlap = (overlap_choice){ .mass = NAN, .M0 = 1.4, .accuracy = 1e-13, .modes = 8,
                                   .poles = RATIONAL_POLES, .inner_iterations = 20000, .boundary = 1 };
}

static probe_quarks *choose(const probe_options *options, bool solves, failure *f)
{
    const overlap_choice *c = &options->overlap;
    const double none[3] = { 0 };
    if (!(c->M0 < 2))
        return fail(f, "--M0 must lie between 0 and 2 for one flavor, not %g", c->M0), NULL;
    if (isnan(c->mass) && options->part != PART_SIGN)
        return fail(f, "--mass M is missing"), NULL;
    if (c->mass >= 2 * c->M0)
        return fail(f, "--mass must be below 2 M0 = %g, not %g", 2 * c->M0, c->mass), NULL;
    if (c->sign != SIGN_ZOLOTAREV && (c->given.poles || c->given.inner_iterations))
        return fail(f, "--%s is not an option of --sign %s", c->given.poles ? "poles" : "inner-iterations",
                    sign_method_names[c->sign]), NULL;
    if (c->full_accuracy && options->solver != SOLVER_DOUBLE)
        return fail(f, "--full-accuracy is not an option of --solver %s", solvers[options->solver]), NULL;
    overlap_quarks *q = memory_alloc(sizeof *q, "overlap quarks");
    q->base = (probe_quarks){ .family = &probe_overlap, .options = options, .slabs = SLAB_GROUP, .pieces = 2,
                              .on = { ON_EVEN, ON_ODD } };
    q->params = (overlap_params){ .M0 = c->M0, .boundary = quark_boundary_of(c->boundary, none),
                                  .sign = (sign_method)c->sign, .modes = (int)c->modes, .poles = (int)c->poles,
                                  .accuracy = c->accuracy, .mixed = options->solver != SOLVER_DOUBLE,
                                  .max_iterations = (int)c->inner_iterations };
    q->solves = solves;
    return &q->base;
}

static void free_quarks(probe_quarks *base)
{
    overlap_quarks *q = (overlap_quarks *)base;
    vec_free(q->in);
    vec_free(q->out);
    overlap_solver_free(q->solver);
    overlap_free(q->o);
    memory_free(q);
}

/* Start vectors of the modes are always the same: results depend on links and options alone. */
static bool open_quarks(probe_quarks *base, const gauge *u, failure *f)
{
    overlap_quarks *q = (overlap_quarks *)base;
    failure why;
    q->o = overlap_create(&q->params, u);
    q->solver = q->solves ? overlap_solver_create(u) : NULL;
    q->in = spinor_pair_create(u);
    q->out = spinor_pair_create(u);
    return overlap_update(q->o, u, rng_key_for(0, 0, 0, RNG_MEASUREMENT), 0, &why) || fail(f, "%s", why.why);
}

static spinor_field field_of(probe_vector v)
{
    return (spinor_field){ v.piece[0], v.piece[1] };
}

static void require_converged(const overlap_quarks *q)
{
    failure f;
    require(overlap_check_work(q->o, &f), "%s; allow more by --inner-iterations", f.why);
}

static void apply(probe_quarks *base, probe_vector out, probe_vector in)
{
    overlap_quarks *q = (overlap_quarks *)base;
    spinor_pair_set(q->in, field_of(in));
    if (base->options->part == PART_SIGN)
        overlap_sign(q->out, q->o, 0, q->in);
    else
        overlap_apply(q->out, q->o, base->options->overlap.mass, base->options->part == PART_D_DAGGER, q->in);
    require_converged(q);
    spinor_pair_get(field_of(out), q->out);
}

static probe_solution solve(probe_quarks *base, probe_vector x, probe_vector b)
{
    overlap_quarks *q = (overlap_quarks *)base;
    const probe_options *o = base->options;
    const overlap_system system = { o->overlap.mass, { o->residual, (int)o->max_iterations },
                                    !o->overlap.full_accuracy };
    spinor_pair_set(q->in, field_of(b));
    const overlap_solution s = overlap_solve(q->out, q->o, q->solver, &system, q->in);
    require_converged(q);
    if (o->overlap.accuracy > o->residual)
        log_line(LOG_WARNING, "the true residual is that of sign(H) with errors up to %g (--accuracy); with the exact "
                              "sign it can exceed the requested %g", o->overlap.accuracy, o->residual);
    spinor_pair_get(field_of(x), q->out);
    return (probe_solution){ .converged = s.converged, .iterations = s.iterations, .residual = s.residual,
                             .solves = s.solves };
}

static const char *solver(const probe_quarks *base)
{
    return solvers[base->options->solver];
}

static void describe(json *j, const probe_quarks *base)
{
    const overlap_quarks *q = (const overlap_quarks *)base;
    const probe_options *o = base->options;
    json_text(j, "operator", names[0]);
    json_text(j, "part", q->solves ? part_names[PART_D] : part_names[o->part]);
    if (o->part != PART_SIGN)
        json_real(j, "mass", o->overlap.mass);
    json_real(j, "M0", q->params.M0);
    json_real(j, "boundary", (double)o->overlap.boundary);
    json_text(j, "basis", gamma_basis_names[o->basis]);
    overlap_kernel_to_json(j, q->o);
}

const probe_family probe_overlap = {
    .names = names,
    .apply_usage = &apply_usage,
    .solve_usage = &solve_usage,
    .array = ARRAY_SPINORS,
    .hops = GRID_HOPS_LEAST,
    .defaults = defaults,
    .choose = choose,
    .free = free_quarks,
    .open = open_quarks,
    .apply = apply,
    .solve = solve,
    .describe = describe,
    .solver = solver,
};
