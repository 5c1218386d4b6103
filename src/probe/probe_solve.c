/* probe_solve.c - kiln probe solve: solve a linear system with a Dirac operator. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/probe/probe_quarks.h"

const char *const probe_updates_names[] = { "delta", "estimate", "defect", NULL };

enum { HISTORY_CAPACITY = 100000 };                     /* residuals; later ones are not recorded */

mixed_rule probe_rule_of(const probe_options *o, residual_history *h)
{
    mixed_rule rule = mixed_rule_default();
    rule.estimate = o->updates == UPDATES_ESTIMATE;
    if (o->updates == UPDATES_DEFECT)
        rule.first = BY_DEFECT_CORRECTION;
    if (o->delta > 0)
        rule.delta = o->delta;
    if (o->inner > 0)
        rule.inner = o->inner;
    if (o->history) {
        *h = (residual_history){ .capacity = HISTORY_CAPACITY };
        h->seen = memory_alloc(HISTORY_CAPACITY * sizeof *h->seen, "the history of a residual");
        rule.history = h;
    }
    return rule;
}

void probe_rule_end(residual_history *h)
{
    memory_free(h->seen);
}

/* [[iteration, |r| / |b|], ...] of the iterated or of the true residuals */
static void history_to_json(json *j, const char *key, const residual_history *h, bool is_true)
{
    json_open(j, key, '[');
    for (int i = 0; i < h->count; i++)
        if (h->seen[i].is_true == is_true)
            json_reals(j, NULL, (const double[]){ h->seen[i].iteration, h->seen[i].residual }, 2);
    json_close(j);
}

static void method_to_json(json *j, const probe_quarks *q, const probe_solution *s)
{
    const residual_history *h = q->family->history(q);
    json_text(j, "method", solver_kind_names[q->options->method]);
    json_int(j, "updates", s->updates);
    json_int(j, "restarts", s->restarts);
    if (s->fallback) {
        json_open(j, "fallback", '{');
        json_text(j, "reason", mixed_failure_names[s->fallback]);
        json_int(j, "after_iterations", s->fallback_at);
        json_close(j);
    } else
        json_text(j, "fallback", NULL);
    if (h) {
        history_to_json(j, "iterated_residuals", h, false);
        history_to_json(j, "true_residuals", h, true);
    }
}

static int solve(json *j, probe_quarks *q, probe_vector x, probe_vector b)
{
    const probe_solution s = q->family->solve(q, x, b);
    if (q->family->solver)
        json_text(j, "solver", q->family->solver(q));
    json_bool(j, "converged", s.converged);
    if (q->family->solver)
        json_int(j, "solves", s.solves);
    json_int(j, "iterations", s.iterations);
    json_real(j, "true_residual", s.residual);
    if (q->family->history)
        method_to_json(j, q, &s);
    if (s.converged)
        return EXIT_OK;
    log_line(LOG_ERROR, "the solve did not converge: true residual %.3g after %s, requested %.3g", s.residual,
             count_to_text(s.iterations, "iteration").s, q->options->residual);
    return EXIT_FAILED;
}

int probe_solve(int argc, char **argv)
{
    static const probe_command command = {
        .name = "probe solve",
        .about = "Solves a linear system with the Dirac operator of staggered (hisq, asqtad, naive), domain-wall,\n"
                 "overlap or Wilson quarks, without or with a clover term, by conjugate gradients or BiCGstab, and\n"
                 "prints iterations and the true residual as JSON.\n"
                 "`kiln probe solve --operator OP --help` shows systems, arrays and options of an operator.",
        .solves = true,
        .work = solve,
    };
    return probe_command_run(&command, argc, argv);
}
