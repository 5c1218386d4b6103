/* comparison_start.c - make the start links of a comparison; continue a stream up to a trajectory. */
#include "src/compare/comparison_start.h"

#include "src/base/log.h"
#include "src/comm/comm.h"
#include "src/ensemble/ensemble.h"
#include "src/ensemble/ensemble_check.h"
#include "src/ensemble/latest_links.h"
#include "src/io/configuration.h"
#include "src/io/disk.h"
#include "src/tune/shared_clock.h"

#include <inttypes.h>
#include <math.h>

#define STOPPED "stopped; the same command continues"

/* The log of a stream tells which program, on which device, made its trajectories (report/device_log.h). */
static void log_trajectory(const ensemble_progress *p)
{
    log_line(LOG_INFO, "trajectory %" PRId64 "/%" PRId64 "  plaquette %.8f  %.2f s", p->number, p->until,
             p->observables->plaquette.average, p->seconds);
}

/* Without log lines on stderr: the log file in the folder of the ensemble has them. */
static ensemble_end run_quietly(const candidate *c, int64_t until, run_limits limits, const stream_limits *s,
                                failure *f)
{
    bool ended_start = false;
    limits.stopped = &ended_start;
    log_set_quiet(true);
    ensemble *e = ensemble_open(&c->in.p, s->where, &limits, f);
    ensemble_end end = ended_start ? ENSEMBLE_STOPPED : ENSEMBLE_FAILED;
    if (e)
        end = ensemble_trajectory(e) >= until ? ENSEMBLE_DONE : ensemble_run(e, until, &limits, log_trajectory, f);
    ensemble_close(e);
    log_set_quiet(s->quiet);
    return end;
}

bool comparison_advance(bool *done, const candidate *c, int64_t until, const stream_limits *s, failure *f)
{
    const double left = s->end - shared_clock_now();
    *done = false;
    if (!shared_clock_goes_on(s->limits, STOPPED, f))
        return false;
    if (!(left > 0))
        return true;
    const run_limits limits = { .stop = s->limits->stop, .time = walltime_begin(left), .midtrajectory_every = -1 };
    const ensemble_end end = run_quietly(c, until, limits, s, f);
    if (end == ENSEMBLE_STOPPED && !shared_clock_goes_on(s->limits, STOPPED, f))
        return false;
    *done = end == ENSEMBLE_DONE;
    return end != ENSEMBLE_FAILED;
}

/* Whether the file `from` has the links of the start file `path`; false with the reason. */
static bool is_start_of(const char *path, const char *from, const run_params *p, place where, failure *f)
{
    latest_links at;
    configuration_facts start;
    const lattice_shape shape = run_shape(p);
    lattice *l = lattice_create(&shape);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    bool ok = configuration_load(u, LINKS_AS_STORED, &start, path, f)
              && latest_links_load(&at, u, p, from, NULL, f);
    if (ok) {
        text_free(&at.origin);
        ok = configuration_digest(u, 64) == start.digest
             || fail(f, "%s: the streams began with other links than those of --from %s; leave out --from, or choose "
                        "another folder", path, from);
    }
    gauge_free(u);
    lattice_free(l);
    return ok;
}

/* The source of the links: the file `from`; if NULL, the newest state in the folder of `p`.  `thermalization`: they
 * count as thermalized after this number of trajectories (0: also the start links of `p`); -1: as in the input. */
typedef struct { const run_params *p; const char *from; int64_t thermalization; } start_source;

/* Save the links as the start if they are thermalized.  *done is false if the time was over before. */
static bool save_start(bool *done, bool *thermalized, const char *path, const start_source *s,
                       const stream_limits *limits, failure *f)
{
    bool ended = false;
    const run_params *p = s->p;
    latest_links at;
    const lattice_shape shape = run_shape(p);
    lattice *l = lattice_create(&shape);
    gauge *u = gauge_create(l, limits->where, PRECISION_DOUBLE);
    const run_limits sweeps = { .stop = limits->limits->stop, .time = walltime_begin(limits->end - shared_clock_now()),
                                .stopped = &ended };
    bool ok = latest_links_load(&at, u, p, s->from, &sweeps, f);
    *done = !ended;
    if (ended)
        ok = shared_clock_goes_on(limits->limits, STOPPED, f);
    *thermalized = ok && *done && (at.thermalized || (s->thermalization >= 0 && at.trajectory >= s->thermalization));
    if (*thermalized) {
        const configuration_label label = { .bits = 64 };
        ok = configuration_save(u, path, &label, NULL, f);
        log_line(LOG_INFO, "%s: links of %s, plaquette %.6f", path, text_string(&at.origin),
                 gauge_plaquette(u).average);
    }
    text_free(&at.origin);
    gauge_free(u);
    lattice_free(l);
    return ok;
}

static bool thermalize(bool *done, const char *path, const comparison_request *r, const stream_limits *limits,
                       failure *f)
{
    candidate c;
    bool thermalized;
    if (!candidate_make_thermalization(&c, r, f))
        return false;
    log_line(LOG_INFO, "%s: thermalization, %" PRId64 " trajectories", r->directory, c.trajectories);
    bool ok = comparison_advance(done, &c, c.trajectories, limits, f);
    if (ok && *done)
        ok = save_start(done, &thermalized, path, &(start_source){ &c.in.p, NULL, c.trajectories }, limits, f)
             && (thermalized || !*done || fail(f, "%s: no state was found after the thermalization", r->directory));
    candidate_free(&c);
    return ok;
}

bool comparison_start(bool *done, const comparison_request *r, const run_params *p, const stream_limits *limits,
                      failure *f)
{
    text path = path_in_folder(r->directory, "start.lime"), begun = path_in_folder(r->directory, "thermalization");
    bool thermalized = disk_has(text_string(&path)), ok = true;
    *done = true;
    if (!thermalized && disk_make_folders(r->directory) != 0)
        ok = fail(f, "%s: cannot be created", r->directory);
    const bool available = r->from || (!disk_has(text_string(&begun))
                                       && (p->start.from == START_FILE || !ensemble_is_fresh(p)));
    if (thermalized && r->from)
        ok = is_start_of(text_string(&path), r->from, p, limits->where, f);
    if (ok && !thermalized && available)
        ok = save_start(done, &thermalized, text_string(&path), &(start_source){ p, r->from, -1 }, limits, f);
    if (ok && *done && !thermalized)
        ok = thermalize(done, text_string(&path), r, limits, f);
    text_free(&path);
    text_free(&begun);
    return ok;
}
