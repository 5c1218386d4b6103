/* stream_costs.c - observables and prices from the record of a stream. */
#include "src/compare/stream_costs.h"

#include "integrators/schedule.h"
#include "src/comm/comm.h"
#include "src/io/disk.h"
#include "src/report/headlines.h"
#include "src/report/run_history.h"
#include "src/report/run_summary.h"

#include <math.h>
#include <string.h>

/* Results of each flow measurement that has them: t0, topological charge (also of the bulk), susceptibility. */
static const char *const slow_keys[] = { "t0", "charge", "charge_inside", "susceptibility" };
enum { SLOW_KEYS = sizeof slow_keys / sizeof *slow_keys };

/* Evaluations of forces of a trajectory: of all monomials, each on its level. */
static double forces_of(const run_params *p)
{
    evolve_term terms[HMC_TERMS];
    schedule *s = hmc_plan(p, terms);
    double forces = 0;
    for (int n = 0; n < run_monomial_count(p); n++)
        forces += (double)s->level[terms[n].level].force_evaluations;
    schedule_free(s);
    return forces;
}

static double history_work(const run_history *h, int64_t line, const void *forces)
{
    double count = *(const double *)forces;
    for (int c = 0; c < h->columns; c++)
        if (h->column[c].kind == COLUMN_ITERATIONS && isfinite(h->column[c].value[line]))
            count += h->column[c].value[line];
    return count;
}

static correlated_mean price_of(const run_history *h, const candidate *c, bool counted)
{
    const double forces = forces_of(&c->in.p);
    history_series s = counted ? history_series_make(h, 0, history_work, &forces)
                               : history_series_make(h, 0, history_seconds, NULL);
    const correlated_mean price = correlated_mean_of((chain){ s.value, 1, &s.length }, WINDOW_S);
    history_series_free(&s);
    return price;
}

static const quantity *find_quantity(const run_summary *s, const char *title)
{
    if (strcmp(title, s->plaquette.title) == 0)
        return &s->plaquette;
    for (int i = 0; i < s->measured; i++)
        if (strcmp(s->measurement[i].title, title) == 0)
            return &s->measurement[i];
    return NULL;
}

/* Add an observable; one that was not measured is left out, unless it is `wanted`. */
static void add_observable(compared_stream *s, const run_summary *from, const char *title, bool wanted)
{
    static const correlated_mean none = { .verdict = SERIES_EMPTY, .mean = NAN, .error = NAN, .error_error = NAN,
                                          .deviation = NAN, .tau = NAN, .tau_error = NAN, .replica_q = NAN };
    const quantity *q = find_quantity(from, title);
    const bool measured = q && isfinite(q->of.mean);
    if ((!measured && !wanted) || s->observables == COMPARED_OBSERVABLES)
        return;
    compared_observable *o = &s->observable[s->observables++];
    *o = (compared_observable){ .of = measured ? q->of : none };
    strncpy(o->title, title, sizeof o->title - 1);
    o->cost = independent_cost_of(&o->of, &s->price);
}

static void add_slow_ones(compared_stream *s, const run_summary *from, const param_list *list)
{
    add_observable(s, from, from->plaquette.title, true);
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k < SLOW_KEYS; k++) {
            text title = headlines_title(measurement_name(list, i), slow_keys[k]);
            add_observable(s, from, text_string(&title), false);
            text_free(&title);
        }
}

static void summarize(compared_stream *s, const run_history *h, const candidate *c, const comparison_request *r)
{
    run_summary all;
    run_summary_make(&all, h, c->in.p.start.trajectory, 0, c->in.p.extents);
    s->trajectories = h->count;
    s->acceptance = all.acceptance.of;
    s->price = price_of(h, c, r->work);
    for (int i = 0; i < r->observables; i++)
        add_observable(s, &all, r->observable[i], true);
    if (r->observables == 0)
        add_slow_ones(s, &all, &c->in.p.measurements);
    run_summary_free(&all);
}

static bool read_record(compared_stream *s, const candidate *c, const comparison_request *r, failure *f)
{
    run_history h = { .count = 0 };
    const bool done = run_history_read(&h, &c->in.p, f);
    if (done && h.count > 0)
        summarize(s, &h, c, r);
    run_history_free(&h);
    return done;
}

bool stream_costs_read(compared_stream *s, const candidate *c, const comparison_request *r, failure *f)
{
    const comm *world = comm_world();
    text path = path_in_folder(c->in.p.output.directory, "run.jsonl");
    const bool begun = disk_has(text_string(&path));
    text_free(&path);
    *s = (compared_stream){ .length = c->in.p.hmc.length };
    const bool read = !begun || read_record(s, c, r, f);     /* collective: all ranks read the segments */
    const bool done = read || !comm_is_root(world);
    comm_broadcast(world, s, sizeof *s);
    return comm_agree(world, done, f);
}
