/* quark_trace.c - solve for one source on both parities with all masses: traces, and propagators. */
#include "src/measure/quark_trace.h"

#include "src/base/memory.h"
#include "src/solvers/solve_advice.h"

#include <assert.h>
#include <math.h>

static const parity_set sites[2] = { ON_EVEN, ON_ODD };

struct quark_tracer {
    int masses;
    cg_space *space[2];
    vec *hopped, *between;                          /* D eta of the other parity; of the operator */
    vec *y[TRACE_MASSES], *p[TRACE_MASSES];
    vec *rest, *part, *low;                         /* of deflation; NULL without memory for it */
};

quark_tracer *quark_tracer_create(lattice *l, place where, precision p, int masses)
{
    quark_tracer *t = memory_alloc(sizeof *t, "solves of stochastic traces");
    assert(masses >= 1 && masses <= TRACE_MASSES);
    t->masses = masses;
    for (int parity = 0; parity < 2; parity++)
        t->space[parity] = cg_space_create(l, sites[parity], where, p);
    t->hopped = vec_create(l, ON_EVEN, where, p);
    t->between = vec_create(l, ON_ODD, where, p);
    for (int k = 0; k < masses; k++) {
        t->y[k] = vec_create(l, ON_EVEN, where, p);
        t->p[k] = vec_create(l, ON_EVEN, where, p);
    }
    return t;
}

void quark_tracer_free(quark_tracer *t)
{
    if (!t)
        return;
    for (int k = 0; k < t->masses; k++) {
        vec_free(t->y[k]);
        vec_free(t->p[k]);
    }
    vec_free(t->low);
    vec_free(t->part);
    vec_free(t->rest);
    vec_free(t->between);
    vec_free(t->hopped);
    for (int parity = 0; parity < 2; parity++)
        cg_space_free(t->space[parity]);
    memory_free(t);
}

memory_need quark_tracer_bytes(const lattice_shape *shape, precision p, int masses)
{
    memory_need need = cg_space_bytes(shape, p, ON_EVEN, 1, 1);
    need = memory_need_add(need, need);
    need.lasting += (size_t)(2 + 2 * masses) * vec_bytes(shape, p, ON_EVEN);
    return need;
}

void quark_tracer_reserve_deflation(quark_tracer *t)
{
    t->rest = vec_create_native(t->y[0], t->y[0]->f.precision);
    t->part = vec_create_native(t->y[0], t->y[0]->f.precision);
    t->low = vec_create_native(t->y[0], t->y[0]->f.precision);
}

static void move_to(quark_tracer *t, int parity)
{
    if (t->rest) {
        vec_move_to(t->rest, sites[parity]);
        vec_move_to(t->part, sites[parity]);
    }
    vec_move_to(t->hopped, sites[parity]);
    vec_move_to(t->between, sites[1 - parity]);
    for (int k = 0; k < t->masses; k++) {
        vec_move_to(t->y[k], sites[parity]);
        vec_move_to(t->p[k], sites[parity]);
    }
}

staggered_normal_op quark_tracer_operator(quark_tracer *t, staggered_terms links)
{
    move_to(t, 0);
    return staggered_normal_operator_with(links, t->between);
}

/* part <- sum_i w_i (w_i^+ b) / (lambda_i + shift)^inverse, inverse = 0 or 1, over the modes w_i on the parity of b:
 * x_i on even sites, and D x_i / lambda_i^1/2 on odd ones, where w_i^+ b = x_i^+ D^+ b / lambda_i^1/2. */
static void along_modes(quark_tracer *t, const quark_trace_task *task, int parity, double shift, int inverse,
                        const vec *b)
{
    double weight[DEFLATION_PAIRS_MAX];
    for (int i = 0; i < deflation_result(task->modes)->found; i++) {
        const double value = deflation_pairs(task->modes)[i].value, below = inverse ? value + shift : 1;
        const bool is_zero = value <= deflation_zero(task->modes);
        weight[i] = parity == 0 ? 1 / below : is_zero ? 0 : 1 / (below * value);
    }
    if (parity == 0) {
        deflation_combine(t->part, task->modes, weight, b);
        return;
    }
    staggered_hop_with(t->between, task->links, b);
    vec_combine(t->between, -1, t->between, NULL, NULL, 0);
    deflation_combine(t->low, task->modes, weight, t->between);
    staggered_hop_with(t->part, task->links, t->low);
}

/* All systems with the modes: the rest of b in a common Krylov space, the part along the modes, and then conjugate
 * gradients with each system. */
static multishift_result solve_deflated(quark_tracer *t, const quark_trace_task *task, int parity,
                                        const linop *a, const shifted_family *all)
{
    shifted_family family = *all;
    along_modes(t, task, parity, 0, 0, all->b);
    vec_copy(t->rest, all->b);
    vec_axpy(t->rest, -1, t->part);
    family.b = t->rest;
    multishift_result r = multishift_solve(a, family, task->stop.max_iterations, false, t->space[parity]);
    r.converged = true;
    r.spent = false;
    for (int k = 0; k < all->count; k++) {
        along_modes(t, task, parity, all->system[k].shift, 1, all->b);
        vec_axpy(t->y[k], 1, t->part);
        const solve_result s = cg_solve(a, t->y[k], all->system[k].shift, all->b, task->stop, t->space[parity]);
        r.residual[k] = s.residual;
        r.polish_iterations += s.iterations;
        r.converged &= s.converged;
        r.spent |= s.spent;
    }
    return r;
}

/* Adds the currents of the source on one parity; overwrites `hopped`. */
static void add_currents(quark_trace *traces, quark_tracer *t, const quark_trace_task *task, int parity)
{
    staggered_hop_with(t->between, *task->current, task->eta[parity]);
    staggered_hop_with(t->hopped, task->links, t->between);
    for (int k = 0; k < task->count; k++)
        traces[k].current += vec_dot(t->y[k], t->hopped).re;
}

/* y of all masses on one parity; their residuals.  False with the reason if a solve does not converge. */
static bool solve_parity(double *residual, quark_tracer *t, const quark_trace_task *task, int parity,
                         int64_t *iterations, failure *f)
{
    const int count = task->count;
    const stop_rule stop = task->stop;
    shifted system[TRACE_MASSES];
    for (int k = 0; k < count; k++)
        system[k] = (shifted){ 4 * task->mass[k] * task->mass[k], stop.tolerance };
    move_to(t, parity);
    staggered_normal_op op = staggered_normal_operator_with(task->links, t->between);
    const shifted_family family = { .b = task->eta[parity], .system = system, .count = count, .x = t->y, .p = t->p };
    const multishift_result r = task->modes
        ? solve_deflated(t, task, parity, &op.base, &family)
        : multishift_solve(&op.base, family, stop.max_iterations, true, t->space[parity]);
    *iterations += r.iterations + r.polish_iterations;
    for (int k = 0; k < count; k++) {
        residual[k] = fmax(residual[k], r.residual[k]);
        if (!r.converged && !(r.residual[k] <= stop.tolerance))
            return fail(f, "mass %g: residual %.1e on %s sites after %d iterations, requested %.1e (%s)",
                        task->mass[k], r.residual[k], parity ? "odd" : "even", r.iterations, stop.tolerance,
                        solve_advice_for(r.spent, r.residual[k]).s);
    }
    return r.converged || fail(f, "a solve on %s sites did not converge", parity ? "odd" : "even");
}

/* Solves on one parity, and adds the contributions of its y to the traces of both. */
static bool solve(quark_trace *traces, quark_tracer *t, const quark_trace_task *task, int parity, int64_t *iterations,
                  failure *f)
{
    vec *const *eta = task->eta;
    const double *mass = task->mass;
    double residual[TRACE_MASSES] = { 0 };
    const bool ok = solve_parity(residual, t, task, parity, iterations, f);
    staggered_hop_with(t->hopped, task->links, eta[1 - parity]);
    for (int k = 0; k < task->count; k++) {
        const complex_number other = vec_dot(t->hopped, t->y[k]);
        const double overlap = vec_dot(eta[parity], t->y[k]).re;
        traces[k].parity[parity].re += 2 * mass[k] * overlap;
        traces[k].square += 8 * mass[k] * mass[k] * vec_norm2(t->y[k]) - overlap;
        traces[k].parity[1 - parity].re += other.re;
        traces[k].parity[1 - parity].im += other.im;
        traces[k].residual = fmax(traces[k].residual, residual[k]);
    }
    if (task->current)
        add_currents(traces, t, task, parity);
    return ok;
}

bool quark_tracer_run(quark_trace *traces, quark_tracer *t, const quark_trace_task *task, int64_t *iterations,
                      failure *f)
{
    const int count = task->count;
    assert(count >= 1 && count <= t->masses);
    for (int k = 0; k < count; k++)
        traces[k] = (quark_trace){ .residual = 0 };
    for (int parity = 0; parity < 2; parity++)
        if (!solve(traces, t, task, parity, iterations, f))
            return false;
    const double normal = 2 / (double)lattice_volume(task->eta[0]->f.lattice);
    for (int k = 0; k < count; k++) {
        traces[k].square *= normal / 2;
        traces[k].current *= normal / 2;
        for (int parity = 0; parity < 2; parity++) {
            traces[k].parity[parity].re *= normal;
            traces[k].parity[parity].im *= normal;
        }
    }
    return true;
}

bool quark_tracer_quarks(vec *const *quark[2], double *residual, quark_tracer *t, const quark_trace_task *task,
                         int64_t *iterations, failure *f)
{
    assert(task->count >= 1 && task->count <= t->masses);
    for (int k = 0; k < task->count; k++) {
        vec_zero(quark[0][k]);
        vec_zero(quark[1][k]);
    }
    for (int parity = 0; parity < 2; parity++) {
        if (vec_norm2(task->eta[parity]) == 0)
            continue;
        if (!solve_parity(residual, t, task, parity, iterations, f))
            return false;
        for (int k = 0; k < task->count; k++) {
            vec_axpy(quark[parity][k], 2 * task->mass[k], t->y[k]);
            staggered_hop_with(t->between, task->links, t->y[k]);
            vec_axpy(quark[1 - parity][k], -1, t->between);
        }
    }
    return true;
}
