/* probe_staggered.c - staggered quarks for kiln probe apply and kiln probe solve.
 *
 *     M x = b on all sites:  x = M^+ y,  (K + 4m^2) y = b on even and on odd sites,  M M^+ = K + 4m^2
 *
 * The residual of x equals that of y, without a factor 1/m. */
#include "src/base/memory.h"
#include "src/cli/probe/probe_quarks.h"
#include "src/solvers/solver.h"

#define NORMAL_OPTION                                                                                                  \
    { .name = "normal", .doc = "K + 4m^2 on even sites instead of M", .type = OPTION_FLAG,                             \
      .offset = offsetof(probe_options, normal) }

static const usage apply_usage = {
    "probe apply", "CONFIG OUT.npy", 2, 2,
    "Applies the staggered Dirac operator of a configuration to a vector:\n"
    "    M v = (2m + D) v on all sites, or with --normal (K + 4m^2) v on even sites, K = -D_eo D_oe.\n"
    "D has no factor 1/2; --mass 0 gives D and K alone.  Vectors are NumPy arrays,\n" VECTOR_SHAPE "\n"
    VECTOR_SITES ".\n"
    "Prints their norms as JSON.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTIONS(probe_options, quarks, true, true),
                      { .name = "dagger", .doc = "the adjoint (2m - D)", .type = OPTION_FLAG,
                        .offset = offsetof(probe_options, dagger) },
                      NORMAL_OPTION, QUARKS_OPTIONS, { 0 } },
};

static const usage solve_usage = {
    "probe solve", "CONFIG OUT.npy", 2, 2,
    "Solves M x = (2m + D) x = s on all sites, or with --normal (K + 4m^2) x = s on even sites, K = -D_eo D_oe, by\n"
    "conjugate gradients from zero, in double precision.  Vectors are NumPy arrays,\n" VECTOR_SHAPE "\n"
    VECTOR_SITES ".\n"
    "Prints iterations and the true residual |s - M x| / |s| as JSON.  Exit status 1 if the solve does not converge;\n"
    "OUT.npy then holds the last iterate.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTIONS(probe_options, quarks, true, true), NORMAL_OPTION, SOLVE_OPTIONS,
                      QUARKS_OPTIONS, { 0 } },
};

typedef struct {
    probe_quarks base;
    staggered_links_params params;
    staggered_links *links;
} staggered_quarks;

static const staggered_quarks *quarks_of(const probe_quarks *q)
{
    return (const staggered_quarks *)q;
}

static double mass_of(const staggered_quarks *q)
{
    return q->base.options->quarks.mass;
}

static bool is_normal(const staggered_quarks *q)
{
    return q->base.options->normal;
}

static void defaults(probe_options *o)
{
    o->quarks = (operator_choice)OPERATOR_DEFAULTS;
}

static probe_quarks *choose_operator(const probe_options *o, bool solves, failure *f)
{
    staggered_links_params params;
    (void)solves;
    if (!operator_choice_links(&params, &o->quarks, f))
        return NULL;
    if (o->dagger && o->normal) {
        fail(f, "give --dagger or --normal, not both: K + 4m^2 is its own adjoint");
        return NULL;
    }
    staggered_quarks *q = memory_alloc(sizeof *q, "staggered quarks");
    q->base = (probe_quarks){ &probe_staggered, o, 1, 1, { o->normal ? ON_EVEN : ON_ALL } };
    q->params = params;
    return &q->base;
}

static void free_quarks(probe_quarks *base)
{
    staggered_links_free(quarks_of(base)->links);
    memory_free(base);
}

static bool open_operator(probe_quarks *base, const gauge *u, failure *f)
{
    staggered_quarks *q = (staggered_quarks *)base;
    (void)f;
    q->links = operator_links(&q->params, u);
    return true;
}

static vec *vector_like(const vec *v, parity_set on)
{
    return vec_create(v->f.lattice, on, v->f.where, v->f.precision);
}

/* out <- (K + 4m^2) in, or M in, or M^+ in */
static void apply_to(vec *out, const staggered_quarks *q, bool dagger, const vec *in)
{
    const double mass = mass_of(q);
    vec *other = vector_like(in, is_normal(q) ? ON_ODD : ON_ALL);
    if (is_normal(q)) {
        staggered_normal_op op = staggered_normal_operator(q->links, 0, other);
        op.base.apply(&op.base, out, 4 * mass * mass, in);
    } else
        operator_apply(out, other, q->links, mass, dagger, in);
    vec_free(other);
}

static void apply_operator(probe_quarks *q, probe_vector out, probe_vector in)
{
    apply_to(out.piece[0], quarks_of(q), q->options->dagger, in.piece[0]);
}

/* (K + 4m^2) x = b on the sites of one parity; iterations are added. */
static bool solve_parity(vec *x, const staggered_quarks *q, const vec *b, int64_t *iterations)
{
    const probe_options *o = q->base.options;
    vec *between = vector_like(b, b->f.on == ON_EVEN ? ON_ODD : ON_EVEN);
    staggered_normal_op op = staggered_normal_operator(q->links, 0, between);
    cg_space *space = cg_space_create(b->f.lattice, b->f.on, b->f.where, b->f.precision);
    stop_rule stop = { o->residual, (int)o->max_iterations };
    solve_result result = cg_solve(&op.base, x, 4 * mass_of(q) * mass_of(q), b, stop, space);
    *iterations += result.iterations;
    cg_space_free(space);
    vec_free(between);
    return result.converged;
}

/* Copy the sites of one parity. */
static void copy_half(vec *half, const vec *all)
{
    double *slice = slice_alloc(field_slice_reals(&all->f));
    for (int t = 0; t < field_slice_count(&all->f); t++) {
        field_get_slice(slice, &all->f, t);
        field_set_slice(&half->f, t, slice);
    }
    memory_free(slice);
}

static void join_halves(vec *all, const vec *even, const vec *odd)
{
    const size_t reals = field_slice_reals(&all->f);
    double *slice = slice_alloc(reals), *other = slice_alloc(reals);
    for (int t = 0; t < field_slice_count(&all->f); t++) {
        field_get_slice(slice, &even->f, t);
        field_get_slice(other, &odd->f, t);
        for (size_t i = 0; i < reals; i++)
            slice[i] += other[i];
        field_set_slice(&all->f, t, slice);
    }
    memory_free(other);
    memory_free(slice);
}

/* Solve the system on one parity of a vector on all sites. */
static vec *solve_half(bool *converged, parity_set on, const staggered_quarks *q, const vec *b, int64_t *iterations)
{
    vec *half = vector_like(b, on), *y = vector_like(b, on);
    copy_half(half, b);
    *converged = solve_parity(y, q, half, iterations);
    vec_free(half);
    return y;
}

/* M x = b on all sites. */
static bool solve_full(vec *x, const staggered_quarks *q, const vec *b, int64_t *iterations)
{
    bool converged[2];
    vec *even = solve_half(&converged[0], ON_EVEN, q, b, iterations);
    vec *odd = solve_half(&converged[1], ON_ODD, q, b, iterations);
    vec *y = vector_like(b, ON_ALL);
    join_halves(y, even, odd);
    apply_to(x, q, true, y);
    vec_free(y);
    vec_free(odd);
    vec_free(even);
    return converged[0] && converged[1];
}

/* |b - A x| / |b| */
static double true_residual(const vec *x, const staggered_quarks *q, const vec *b)
{
    vec *r = vector_like(b, b->f.on);
    const double norm2 = vec_norm2(b);
    apply_to(r, q, false, x);
    vec_axpy(r, -1, b);
    double residual = norm2 > 0 ? sqrt(vec_norm2(r) / norm2) : 0;
    vec_free(r);
    return residual;
}

static probe_solution solve_system(probe_quarks *base, probe_vector x, probe_vector b)
{
    const staggered_quarks *q = quarks_of(base);
    probe_solution s = { .converged = false };
    s.converged = is_normal(q) ? solve_parity(x.piece[0], q, b.piece[0], &s.iterations)
                               : solve_full(x.piece[0], q, b.piece[0], &s.iterations);
    s.residual = true_residual(x.piece[0], q, b.piece[0]);
    return s;
}

static void describe_operator(json *j, const probe_quarks *q)
{
    operator_to_json(j, &quarks_of(q)->params, q->options->quarks.mass);
}

const probe_family probe_staggered = {
    .names = staggered_kind_names,
    .apply_usage = &apply_usage,
    .solve_usage = &solve_usage,
    .array = ARRAY_COLORS,
    .defaults = defaults,
    .choose = choose_operator,
    .free = free_quarks,
    .open = open_operator,
    .apply = apply_operator,
    .solve = solve_system,
    .describe = describe_operator,
};
