/* quark_trace.c - solve for one source on both parities with all masses. */
#include "src/measure/quark_trace.h"

#include "src/base/memory.h"

#include <assert.h>
#include <math.h>

static const parity_set sites[2] = { ON_EVEN, ON_ODD };

struct quark_tracer {
    int masses;
    cg_space *space[2];
    vec *hopped, *between;                          /* D eta of the other parity; of the operator */
    vec *y[TRACE_MASSES], *p[TRACE_MASSES];
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

static void move_to(quark_tracer *t, int parity)
{
    vec_move_to(t->hopped, sites[parity]);
    vec_move_to(t->between, sites[1 - parity]);
    for (int k = 0; k < t->masses; k++) {
        vec_move_to(t->y[k], sites[parity]);
        vec_move_to(t->p[k], sites[parity]);
    }
}

/* y on one parity, and what it contributes to both. */
static bool solve(quark_trace *traces, quark_tracer *t, const quark_trace_task *task, int parity, int64_t *iterations,
                  failure *f)
{
    vec *const *eta = task->eta;
    const double *mass = task->mass;
    const int count = task->count;
    const stop_rule stop = task->stop;
    shifted system[TRACE_MASSES];
    for (int k = 0; k < count; k++)
        system[k] = (shifted){ 4 * mass[k] * mass[k], stop.tolerance };
    move_to(t, parity);
    staggered_normal_op op = staggered_normal_operator_with(task->links, t->between);
    const shifted_family family = { .b = eta[parity], .system = system, .count = count, .x = t->y, .p = t->p };
    multishift_result r = multishift_solve(&op.base, family, stop.max_iterations, true, t->space[parity]);
    *iterations += r.iterations + r.polish_iterations;
    staggered_hop_with(t->hopped, task->links, eta[1 - parity]);
    for (int k = 0; k < count; k++) {
        complex_number other = vec_dot(t->hopped, t->y[k]);
        traces[k].parity[parity].re += 2 * mass[k] * vec_dot(eta[parity], t->y[k]).re;
        traces[k].parity[1 - parity].re += other.re;
        traces[k].parity[1 - parity].im += other.im;
        traces[k].residual = fmax(traces[k].residual, r.residual[k]);
        if (!r.converged && !(r.residual[k] <= stop.tolerance))
            return fail(f, "mass %g: residual %.1e on %s sites after %d iterations, requested %.1e", mass[k],
                        r.residual[k], parity ? "odd" : "even", r.iterations, stop.tolerance);
    }
    return r.converged || fail(f, "a solve on %s sites did not converge", parity ? "odd" : "even");
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
    double normal = 2 / (double)lattice_volume(task->eta[0]->f.lattice);
    for (int k = 0; k < count; k++)
        for (int parity = 0; parity < 2; parity++) {
            traces[k].parity[parity].re *= normal;
            traces[k].parity[parity].im *= normal;
        }
    return true;
}
