/* recorded_tau.c - the slowest quantity of an ensemble, and what it costs with trajectories of other seconds. */
#include "src/compare/recorded_tau.h"

#include "src/report/run_view.h"

#include <math.h>
#include <string.h>

static const quantity *find_slowest(const run_summary *s)
{
    const quantity *slowest = &s->plaquette;
    for (int i = 0; i < s->measured; i++)
        if (s->measurement[i].title == s->slowest)
            slowest = &s->measurement[i];
    return slowest;
}

recorded_tau recorded_tau_read(const run_params *p)
{
    recorded_tau t = { .known = false };
    run_history h = { .count = 0 };
    run_summary s = { .trajectories = 0 };
    failure none;
    if (run_history_read(&h, p, &none) && h.count > 0)
        run_summary_make(&s, &h, p->start.trajectory, 0, p->extents);
    if (s.trajectories > 0 && isfinite(s.slowest_tau)) {
        const quantity *slowest = find_slowest(&s);
        t.known = true;
        t.of = slowest->of;
        strncpy(t.title, slowest->title, sizeof t.title - 1);
    }
    run_summary_free(&s);
    run_history_free(&h);
    return t;
}

static independent_cost cost_of(const recorded_tau *t, double seconds)
{
    return independent_cost_of(&t->of, &(correlated_mean){ .mean = seconds });
}

void recorded_tau_to_text(text *out, const recorded_tau *t, double before, double tuned)
{
    const independent_cost one = cost_of(t, before), other = cost_of(t, tuned);
    if (!t->known)
        return;
    text_add(out, "independent configuration, 2 tau of %s in the record (tau ", t->title);
    run_view_add_tau(out, &t->of);
    text_add(out, "): before ");
    independent_cost_add(out, &one);
    text_add(out, " s, tuned ");
    independent_cost_add(out, &other);
    text_add(out, " s\n");
}

static void cost_to_json(json *j, const char *key, const independent_cost *c)
{
    json_open(j, key, '{');
    json_real(j, "seconds", c->value);
    json_real(j, "error", c->error);
    json_bool(j, "is_lower_bound", c->bound);
    json_close(j);
}

void recorded_tau_to_json(json *j, const char *key, const recorded_tau *t, double before, double tuned)
{
    const independent_cost one = cost_of(t, before), other = cost_of(t, tuned);
    if (!t->known) {
        json_text(j, key, NULL);
        return;
    }
    json_open(j, key, '{');
    json_text(j, "slowest", t->title);
    json_real(j, "tau", t->of.tau);
    json_real(j, "tau_error", t->of.tau_error);
    json_text(j, "series", series_verdict_names[t->of.verdict]);
    cost_to_json(j, "before", &one);
    cost_to_json(j, "tuned", &other);
    json_close(j);
}
