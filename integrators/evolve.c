/* evolve.c - execute the kicks, drifts and force-gradient kicks of a schedule. */
#include "integrators/evolve.h"

#include "gpu/device.h"
#include "src/base/memory.h"

#include <assert.h>
#include <math.h>

struct evolver {
    const schedule *s;
    const evolve_term *terms;
    int count;
    int64_t next;                /* index of the next step */
    int64_t *evaluations;        /* for each term: number in this trajectory so far */
    int *first_size;             /* for each term: its first index in `sizes` */
    sum_array sizes;             /* a sum and a maximum for every evaluation of every term, where the links are */
    gauge *displaced;            /* force gradient only, else NULL */
    momentum *force;
    place where;
    double links;                /* their number, of all ranks */
};

static bool has_force_gradient(const schedule *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->step[i].what == MD_FORCE_GRADIENT)
            return true;
    return false;
}

/* The force evaluations of the first `count` terms in one run of the schedule. */
static int count_evaluations(const schedule *s, const evolve_term *terms, int count)
{
    int64_t evaluations = 0;
    for (int t = 0; t < count; t++)
        evaluations += s->level[terms[t].level].force_evaluations;
    return (int)evaluations;
}

size_t evolver_bytes(const schedule *s, const evolve_term *terms, int count, const lattice_shape *shape)
{
    const int evaluations = count_evaluations(s, terms, count);
    size_t bytes = sums_bytes(evaluations, evaluations);
    if (has_force_gradient(s))
        bytes += field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS) +
                 momentum_bytes(shape, PRECISION_DOUBLE);
    return bytes;
}

evolver *evolver_create(const schedule *s, const evolve_term *terms, int count, const gauge *u)
{
    evolver *e = memory_alloc(sizeof *e, "molecular dynamics");
    lattice *l = u->links.lattice;
    *e = (evolver){ .s = s, .terms = terms, .count = count, .where = u->links.where };
    e->links = 4 * (double)lattice_volume(l);
    e->evaluations = memory_alloc((size_t)count * sizeof *e->evaluations, "molecular dynamics");
    e->first_size = memory_alloc((size_t)count * sizeof *e->first_size, "molecular dynamics");
    for (int t = 0; t < count; t++)
        e->first_size[t] = count_evaluations(s, terms, t);
    const int evaluations = count_evaluations(s, terms, count);
    e->sizes = sums_create(l, e->where, evaluations, evaluations);
    if (has_force_gradient(s)) {
        e->displaced = gauge_create(l, u->links.where, u->links.precision);
        e->force = momentum_create(l, u->links.where, u->links.precision);
    }
    return e;
}

void evolver_free(evolver *e)
{
    if (!e)
        return;
    sums_free(&e->sizes);
    gauge_free(e->displaced);
    momentum_free(e->force);
    memory_free(e->evaluations);
    memory_free(e->first_size);
    memory_free(e);
}

/* P <- P + dt F_level(U), term by term; each is timed under its name.  Returns the term that failed, or -1. */
static int kick_momenta(evolver *e, int level, double dt, const gauge *u, momentum *p, monomial_call *c)
{
    for (int t = 0; t < e->count; t++) {
        if (e->terms[t].level != level)
            continue;
        assert(e->evaluations[t] < e->s->level[level].force_evaluations);
        const int evaluation = e->first_size[t] + (int)e->evaluations[t]++;
        clock_begin(c->clock, e->terms[t].name);
        bool done = monomial_add_force(e->terms[t].m, u, p, dt, sums_from(&e->sizes, evaluation, evaluation), c);
        device_wait();
        clock_end(c->clock);
        if (!done)
            return t;
    }
    return -1;
}

static int force_gradient(evolver *e, const md_step *step, gauge *u, momentum *p, monomial_call *c)
{
    momentum_zero(e->force);
    int failed = kick_momenta(e, step->level, 1, u, e->force, c);
    if (failed >= 0)
        return failed;
    gauge_copy(e->displaced, u);
    gauge_drift(e->displaced, step->displacement, e->force);
    failed = kick_momenta(e, step->level, step->dt, e->displaced, p, c);
    if (failed >= 0)
        gauge_copy(u, e->displaced);
    return failed;
}

/* Executes one step.  Returns the term that failed, or -1. */
static int run_step(evolver *e, const md_step *step, gauge *u, momentum *p, monomial_call *c)
{
    int failed = -1;
    clock_begin(c->clock, step->what == MD_DRIFT ? "drift" : "force");
    switch (step->what) {
    case MD_KICK:
        failed = kick_momenta(e, step->level, step->dt, u, p, c);
        break;
    case MD_DRIFT:
        gauge_drift(u, step->dt, p);
        device_wait();
        break;
    case MD_FORCE_GRADIENT:
        failed = force_gradient(e, step, u, p, c);
        break;
    }
    clock_end(c->clock);
    return failed;
}

evolve_end evolve_go_on(evolver *e, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch,
                        evolve_failure *problem)
{
    monomial_call call = { .clock = clock };
    bool begun = false;
    for (; e->next < e->s->count; e->next++) {
        const md_step *step = &e->s->step[e->next];
        if (step->what == MD_DRIFT && begun && watch && watch->leave(watch->of))
            return EVOLVE_STOPPED;
        begun = true;
        int failed = run_step(e, step, u, p, &call);
        if (failed >= 0 && problem)
            *problem = (evolve_failure){ failed, call.failure };
        if (failed >= 0)
            return EVOLVE_FAILED;
    }
    return EVOLVE_DONE;
}

static void begin_schedule(evolver *e)
{
    e->next = 0;
    sums_zero(&e->sizes);
    for (int t = 0; t < e->count; t++)
        e->evaluations[t] = 0;
}

evolve_end evolve(evolver *e, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch,
                  evolve_failure *problem)
{
    begin_schedule(e);
    return evolve_go_on(e, u, p, clock, watch, problem);
}

/* Whether the dynamics can stop before this step: a drift that is not the first step. */
static bool is_point(const evolver *e, int64_t step)
{
    return step > 0 && e->s->step[step].what == MD_DRIFT;
}

int64_t evolver_points(const evolver *e)
{
    int64_t points = 0;
    for (int64_t i = 0; i < e->s->count; i++)
        points += is_point(e, i);
    return points;
}

int64_t evolver_point(const evolver *e, int64_t index)
{
    int64_t step = 0;
    while (!is_point(e, step) || index-- > 0)
        step++;
    return step;
}

evolver_drifts evolver_progress(const evolver *e)
{
    evolver_drifts d = { 0, 0 };
    for (int64_t i = 0; i < e->s->count; i++)
        if (e->s->step[i].what == MD_DRIFT) {
            d.done += i < e->next;
            d.all++;
        }
    return d;
}

int64_t evolver_step(const evolver *e)
{
    return e->next;
}

bool evolver_is_near_end(const evolver *e)
{
    for (int64_t i = e->next + 1; i < e->s->count; i++)
        if (e->s->step[i].what == MD_DRIFT)
            return false;
    return true;
}

int evolver_evaluations(const evolver *e)
{
    return e->sizes.sums;
}

sum_array evolver_sizes(const evolver *e)
{
    return sums_read_new(&e->sizes);
}

bool evolver_put(evolver *e, int64_t step, const sum_array *sizes)
{
    if (step < 0 || step >= e->s->count || e->s->step[step].what != MD_DRIFT)
        return false;
    begin_schedule(e);
    for (; e->next < step; e->next++) {
        const md_step *done = &e->s->step[e->next];
        const int forces = done->what == MD_FORCE_GRADIENT ? 2 : done->what == MD_KICK ? 1 : 0;
        for (int t = 0; t < e->count; t++)
            e->evaluations[t] += e->terms[t].level == done->level ? forces : 0;
    }
    sums_put(&e->sizes, sizes->cells);
    return true;
}

void evolver_force_sizes(evolver *e, force_size *sizes)
{
    sum_array host = evolver_sizes(e);
    for (int t = 0; t < e->count; t++) {
        double sum = 0, max = 0;
        for (int64_t n = e->first_size[t]; n < e->first_size[t] + e->evaluations[t]; n++) {
            sum += sum_cell_value(&host.cells.sum[n], SUM_BOUND);
            max = fmax(max, max_cell_value(&host.cells.largest[n]));
        }
        double evaluations = (double)(e->evaluations[t] > 0 ? e->evaluations[t] : 1);
        sizes[t] = (force_size){ sqrt(sum / (e->links * evaluations)), sqrt(max) };
    }
    sums_host_free(&host);
}
