/* comparison.c - streams of all candidates, in turns; then their costs. */
#include "src/compare/comparison.h"

#include "src/base/log.h"
#include "src/comm/comm.h"
#include "src/compare/comparison_start.h"
#include "src/compare/stream_costs.h"
#include "src/ensemble/latest_links.h"
#include "src/report/device_log.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Streams take turns, because the load of the machine may change and the time may be over at any point.  A turn is one
 * trajectory of the longest length, or a quarter of the present time of the streams if that is more. */
#define TURN 0.25

static bool make_candidates(comparison *c, const comparison_request *r, const run_params *p, failure *f)
{
    for (int k = 0; k < candidates_count(r); k++) {
        if (!candidate_make(&c->candidate[k], r, p, k, f))
            return false;
        c->count++;
    }
    return true;
}

static double longest_length(const comparison *c)
{
    double length = 0;
    for (int k = 0; k < c->count; k++)
        length = fmax(length, c->candidate[k].in.p.hmc.length);
    return length;
}

/* All streams up to `units` of molecular dynamics time.  The last turn opens each of them, and so checks it. */
static bool run_turn(bool *done, const comparison *c, double units, bool last, const stream_limits *limits, failure *f)
{
    *done = true;
    for (int k = 0; k < c->count && *done; k++) {
        const candidate *one = &c->candidate[k];
        const int64_t wanted = (int64_t)ceil(units / one->in.p.hmc.length - 1e-9);
        const int64_t until = last || wanted > one->trajectories ? one->trajectories : wanted;
        if (!last && latest_links_trajectories(&one->in.p) >= until)
            continue;
        log_progress("%s: up to trajectory %" PRId64 "/%" PRId64, one->label, until, one->trajectories);
        if (!comparison_advance(done, one, until, limits, f))
            return false;
    }
    return true;
}

static bool run_streams(comparison *c, const comparison_request *r, const stream_limits *limits, failure *f)
{
    const double longest = longest_length(c);
    double units = 0;
    bool done = true;
    while (units < r->units && done) {
        units = fmin(r->units, units + fmax(longest, TURN * units));
        if (!run_turn(&done, c, units, units >= r->units, limits, f))
            return false;
    }
    c->complete = done;
    return true;
}

/* Two devices that made trajectories of the streams; false if all are of one. */
static bool find_devices(text device[2], const comparison *c)
{
    bool apart = false;
    for (int k = 0; k < c->count; k++) {
        device_log l = device_log_read(c->candidate[k].in.p.output.directory);
        for (int i = 0; i < l.count && !apart; i++) {
            const char *name = text_string(&l.item[i].name);
            apart = device[0].length > 0 && strcmp(text_string(&device[0]), name) != 0;
            if (apart || device[0].length == 0)
                text_add(&device[apart], "%s", name);
        }
        device_log_free(&l);
    }
    return apart;
}

/* Rank 0 reads; its words are those of the report. */
static void choose(comparison *c, const comparison_request *r)
{
    text device[2] = { { 0 }, { 0 } };
    const comm *world = comm_world();
    const bool apart = !r->work && comm_is_root(world) && find_devices(device, c);
    c->choice = comm_decide(world, apart) ? comparison_choose_none(c->count, text_string(&device[0]),
                                                                   text_string(&device[1]))
                                          : comparison_choose(c->stream, c->count);
    text_free(&device[0]);
    text_free(&device[1]);
}

bool comparison_run(comparison *c, const comparison_request *r, const run_params *p, place where, failure *f)
{
    const stream_limits limits = { where, comm_number(comm_world(), r->limits->time.end), r->limits, r->quiet };
    bool started = false;
    *c = (comparison){ .count = 0 };
    bool ok = comparison_start(&started, r, p, &limits, f);
    if (ok && !started)
        return run_limits_fail(r->limits, f, "the time was over before the start links were made; the same command "
                                             "continues");
    ok = ok && make_candidates(c, r, p, f) && run_streams(c, r, &limits, f);
    log_progress_end();
    for (int k = 0; k < c->count && ok; k++)
        ok = stream_costs_read(&c->stream[k], &c->candidate[k], r, f);
    if (ok)
        choose(c, r);
    return ok;
}

void comparison_free(comparison *c)
{
    for (int k = 0; k < c->count; k++)
        candidate_free(&c->candidate[k]);
    c->count = 0;
}
