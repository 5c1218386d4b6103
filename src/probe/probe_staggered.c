/* probe_staggered.c - staggered quarks for kiln probe apply and kiln probe solve.
 *
 *     M x = b on all sites:  x = M^+ y,  (K + 4m^2) y = b on even and on odd sites,  M M^+ = K + 4m^2
 *
 * The residual of x equals that of y, without a factor 1/m.  BiCGstab solves M x = b itself; where it fails, conjugate
 * gradients begin from zero. */
#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_full.h"
#include "src/probe/probe_quarks.h"
#include "src/solvers/bicg_mixed.h"
#include "src/solvers/bicg_solver.h"

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
    "Solves M x = (2m + D) x = s on all sites, or with --normal (K + 4m^2) x = s on even sites, K = -D_eo D_oe, from\n"
    "zero by conjugate gradients with K + 4m^2 in double precision, or (without --normal) by BiCGstab with M in the\n"
    "precisions of --solver.  Vectors are NumPy arrays,\n" VECTOR_SHAPE "\n"
    VECTOR_SITES ".\n"
    "Prints iterations and the true residual |s - M x| / |s| as JSON.  Exit status 1 if the solve does not converge;\n"
    "OUT.npy then holds the last iterate.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTIONS(probe_options, quarks, true, true), NORMAL_OPTION, SOLVE_OPTIONS,
                      { .name = "solver", .value = "S",
                        .doc = "precisions of BiCGstab, as in an input\n(default double)", .type = OPTION_CHOICE,
                        .offset = offsetof(probe_options, solver), .choices = solver_names },
                      METHOD_OPTIONS, QUARKS_OPTIONS, { 0 } },
};

typedef struct {
    probe_quarks base;
    staggered_links_params params;
    staggered_links *links;
    mixed_rule rule;
    residual_history history;               /* of --history */
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
    const bool bicg = solves && o->method != SOLVER_CG;
    if (!operator_choice_links(&params, &o->quarks, f))
        return NULL;
    if (solves && o->method == SOLVER_MULTIGRID) {
        fail(f, "--method multigrid is for --operator wilson and clover");
        return NULL;
    }
    if (bicg && o->normal) {
        fail(f, "--method %s is for M; K + 4m^2 is hermitian", solver_kind_names[o->method]);
        return NULL;
    }
    if (solves && !bicg && o->solver != SOLVER_DOUBLE) {
        fail(f, "--solver is for --method bicgstab, bicgstab2 and bicgstab4; cg is in double precision");
        return NULL;
    }
    if (o->dagger && o->normal) {
        fail(f, "give --dagger or --normal, not both: K + 4m^2 is its own adjoint");
        return NULL;
    }
    staggered_quarks *q = memory_alloc(sizeof *q, "staggered quarks");
    q->base = (probe_quarks){ .family = &probe_staggered, .options = o, .slabs = 1, .pieces = 1,
                              .on = { o->normal ? ON_EVEN : ON_ALL } };
    q->params = params;
    q->rule = probe_rule_of(o, &q->history);
    return &q->base;
}

static void free_quarks(probe_quarks *base)
{
    probe_rule_end(&((staggered_quarks *)base)->history);
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

/* ---- BiCGstab */

/* M in one storage, and the vectors of a solve. */
typedef struct { staggered_low *low; staggered_full_op op; bicg_space *space; } full_in;

static full_in full_begin(const staggered_quarks *q, cg_space *high, int stored, const vec *like)
{
    const vec_storage in = solver_storages[stored];
    const field *f = &like->f;
    full_in s = { .low = NULL };
    if (stored == STORED_DOUBLE) {
        s.op = staggered_full_operator(q->links, 0, false);
    } else {
        s.low = staggered_low_create(q->links, in.format, in.precision);
        staggered_low_update(s.low);
        s.op = staggered_full_operator_low(s.low, 0, false);
    }
    vec *v = vec_create_stored(f->lattice, ON_ALL, f->where, in, 1);
    s.space = bicg_space_create(high, v, bicg_solver_order(solver_kinds[q->base.options->method]), 1);
    vec_free(v);
    return s;
}

static void full_end(full_in *s)
{
    bicg_space_free(s->space);
    staggered_low_free(s->low);
}

/* M x = b on all sites; the failure if that does not succeed. */
static mixed_failure solve_by_bicg(vec *x, const staggered_quarks *q, const vec *b, probe_solution *s)
{
    const probe_options *o = q->base.options;
    const solver_request of = { solver_sites(lattice_shape_of(b->f.lattice)), o->residual };
    const solver_precision in = solver_choose((solver_precision)o->solver, &staggered_solver_table, of);
    const solver_stores *stores = &solver_precisions[in];
    cg_space *high = cg_space_create_refining(b, 1);
    const staggered_full_op full = staggered_full_operator(q->links, 0, false);
    full_in inner = full_begin(q, high, stores->inner, b), refine = full_begin(q, high, stores->refine, b);
    const bicg_low second = { &inner.op.base, inner.space, NULL };
    const bicg_low first = { &refine.op.base, refine.space, stores->inner != stores->refine ? &second : NULL };
    mixed_task task = { .x = x, .shift = 2 * mass_of(q), .b = b, .stop = { o->residual, (int)o->max_iterations } };
    bicg_solve_batch(&full.base, &first, &task, 1, &q->rule);
    s->iterations = task.result.solve.iterations;
    s->updates = task.result.record.updates;
    s->restarts = task.result.solve.restarts;
    full_end(&refine);
    full_end(&inner);
    cg_space_free(high);
    return task.result.solve.converged ? NO_FAILURE : task.result.record.why[q->rule.first];
}

static bool solve_by_method(vec *x, const staggered_quarks *q, const vec *b, probe_solution *s)
{
    if (q->base.options->method == SOLVER_CG)
        return solve_full(x, q, b, &s->iterations);
    s->fallback = solve_by_bicg(x, q, b, s);
    s->fallback_at = s->iterations;
    return s->fallback ? solve_full(x, q, b, &s->iterations) : s->iterations < q->base.options->max_iterations;
}

static residual_history *history_of(const probe_quarks *q)
{
    return quarks_of(q)->rule.history;
}

static probe_solution solve_system(probe_quarks *base, probe_vector x, probe_vector b)
{
    const staggered_quarks *q = quarks_of(base);
    probe_solution s = { .converged = false };
    s.converged = is_normal(q) ? solve_parity(x.piece[0], q, b.piece[0], &s.iterations)
                               : solve_by_method(x.piece[0], q, b.piece[0], &s);
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
    .hops = GRID_HOPS_MOST,
    .defaults = defaults,
    .choose = choose_operator,
    .free = free_quarks,
    .open = open_operator,
    .apply = apply_operator,
    .solve = solve_system,
    .describe = describe_operator,
    .history = history_of,
};
