/* comparison.c - streams of all candidates, in turns; then their costs. */
#include "src/compare/comparison.h"

#include "src/base/log.h"
#include "src/compare/comparison_start.h"
#include "src/compare/stream_costs.h"
#include "src/tune/shared_clock.h"

#include <inttypes.h>
#include <math.h>

/* The load of a machine changes: in turns it falls on all streams alike.  More turns if the time is limited, since it
 * may end at any of them. */
enum { TURNS = 4, TURNS_IN_TIME = 20 };

static bool make_candidates(comparison *c, const comparison_request *r, const run_params *p, failure *f)
{
    for (int k = 0; k < candidates_count(r); k++) {
        if (!candidate_make(&c->candidate[k], r, p, k, f))
            return false;
        c->count++;
    }
    return true;
}

static bool run_streams(comparison *c, const comparison_request *r, const stream_limits *limits, failure *f)
{
    const int turns = r->seconds > 0 ? TURNS_IN_TIME : TURNS;
    bool done = true;
    for (int turn = 1; turn <= turns && done; turn++)
        for (int k = 0; k < c->count && done; k++) {
            const candidate *one = &c->candidate[k];
            const int64_t until = (one->trajectories * turn + turns - 1) / turns;
            log_progress("%s: up to trajectory %" PRId64 "/%" PRId64, one->label, until, one->trajectories);
            if (!comparison_advance(&done, one, until, limits, f))
                return false;
        }
    c->complete = done;
    return true;
}

bool comparison_run(comparison *c, const comparison_request *r, const run_params *p, place where, failure *f)
{
    const stream_limits limits = { where, r->seconds > 0 ? shared_clock_now() + r->seconds : INFINITY, r->stop,
                                   r->quiet };
    bool started = false;
    *c = (comparison){ .count = 0 };
    bool ok = comparison_start(&started, r, p, &limits, f);
    if (ok && !started)
        return fail(f, "%s: the time was over before the end of the thermalization; the same command continues",
                    r->directory);
    ok = ok && make_candidates(c, r, p, f) && run_streams(c, r, &limits, f);
    log_progress_end();
    for (int k = 0; k < c->count && ok; k++)
        ok = stream_costs_read(&c->stream[k], &c->candidate[k], r, f);
    if (ok)
        c->choice = comparison_choose(c->stream, c->count);
    return ok;
}

void comparison_free(comparison *c)
{
    for (int k = 0; k < c->count; k++)
        candidate_free(&c->candidate[k]);
    c->count = 0;
}
