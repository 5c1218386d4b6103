/* ensemble.c - start or continue, and go on; the order of writes makes every instant a valid one.
 *
 * After a trajectory: first its line in the record, then (when due) the state.  A crash between leaves
 * lines without their state; they are cut off when the run continues from the older state and makes the
 * same trajectories again. */
#include "src/hmc/ensemble.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/hmc/ensemble_files.h"
#include "src/hmc/ensemble_parameters.h"
#include "src/hmc/ensemble_state.h"
#include "src/hmc/quenched.h"
#include "src/hmc/trouble.h"
#include "src/lattice/rng.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifndef PACKAGE_STRING
#define PACKAGE_STRING "kiln"
#endif

enum { STATES_KEPT = 2 };              /* newest states that a checkpoint may be one of */

struct ensemble {
    const run_params *params;
    uint64_t digest, parent;
    int lock;
    lattice *lattice;
    gauge *u;
    hmc *h;
    measurements *measurements;
    record *r;
    int64_t trajectory, written;       /* in the links; in the newest state on disk */
};

/* The state of the stream as it is now, with the links where they are. */
static run_state state_now(const ensemble *e)
{
    const run_params *p = e->params;
    run_state state = { .trajectory = e->trajectory,
                        .seed = (uint64_t)p->random.seed,
                        .stream = (uint32_t)p->random.stream,
                        .input_digest = e->digest,
                        .parent_digest = e->parent,
                        .plaquette = gauge_plaquette(e->u).average,
                        .version = PACKAGE_STRING };
    hmc_recall(e->h, &state.memory);
    return state;
}

static void set_aside(const state_files *files)
{
    for (int i = 0; i < files->count; i++)
        if (files->file[i].damaged) {
            state_file_set_aside(files->file[i].path);
            log_line(LOG_WARNING, "falling back to the state before it");
        }
}

/* Continue from the newest state that is valid; `*found` tells whether there is one.  False with the reason if
 * a file is in the way that must not be touched; then none is. */
static bool find_state(ensemble *e, bool *found, failure *f)
{
    state_files files = state_files_list(e->params);
    run_state wanted = state_now(e);
    bool may_go_on = true;
    *found = false;
    for (int i = 0; i < files.count && may_go_on && !*found; i++) {
        state_file *file = &files.file[i];
        configuration_facts facts;
        if (state_file_is_rounded(file->path))
            continue;
        switch (state_file_load(e->u, &facts, file, &wanted, f)) {
        case STATE_VALID:
            *found = true;
            e->trajectory = e->written = facts.info.state.trajectory;
            e->parent = facts.info.state.parent_digest;
            hmc_remember(e->h, &facts.info.state.memory);
            break;
        case STATE_DAMAGED:
            file->damaged = true;
            log_line(LOG_WARNING, "%s", f->why);
            break;
        case STATE_UNTOUCHABLE:
            may_go_on = false;
            break;
        }
        if (*found)
            log_line(LOG_INFO, "continuing after trajectory %" PRId64 ": %s", e->trajectory, file->path);
    }
    if (may_go_on)
        set_aside(&files);
    state_files_free(&files);
    return may_go_on;
}

static uint64_t digest_of(const gauge *u)
{
    const int *extents = lattice_extents(u->links.lattice);
    double *links = memory_alloc(links_count(extents) * sizeof *links, "links to be named");
    gauge_export(links, u);
    uint64_t digest = links_digest(links, extents);
    memory_free(links);
    return digest;
}

static bool start_links(ensemble *e, failure *f)
{
    const run_params *p = e->params;
    configuration_facts facts;
    switch ((start_kind)p->start.from) {
    case START_COLD:
        gauge_set_unit(e->u);
        log_line(LOG_INFO, "cold start");
        break;
    case START_HOT:
        gauge_set_random(e->u, rng_key_for((uint64_t)p->random.seed, (uint32_t)p->random.stream, 0, RNG_START_LINKS));
        log_line(LOG_INFO, "hot start");
        break;
    case START_FILE:
        if (!configuration_load(e->u, &facts, p->start.file, f))
            return false;
        log_line(LOG_INFO, "start from %s (%s, %d bit): plaquette %.15g, off SU(3) by %.1e", p->start.file,
                 links_format_name(facts.info.format), facts.info.bits, facts.plaquette.average,
                 facts.quality.unitarity);
        if (p->start.reunitarize) {
            double moved = configuration_reunitarize(e->u);
            log_line(LOG_INFO, "reunitarised: links moved by up to %.1e, plaquette %.15g", moved,
                     gauge_plaquette(e->u).average);
        }
        break;
    }
    start_heat_bath(p, e->u);
    e->parent = digest_of(e->u);
    return true;
}

/* Write the state, unless it is there.  A configuration of 32 bits can be: it is no state to continue from, and
 * the run has come by once more. */
static bool write_state(ensemble *e, state_file_kind kind, failure *f)
{
    const run_params *p = e->params;
    run_state state = state_now(e);
    text path = state_file_path(p, kind, e->trajectory), lfn = { 0 };
    if (*p->output.lfn)
        text_add(&lfn, "%s.%06" PRId64, p->output.lfn, e->trajectory);
    int bits = kind == FILE_CONFIGURATION ? (int)p->output.bits : 64;
    configuration_label label = { .state = &state, .lfn = lfn.s, .bits = bits };
    struct stat there;
    state_verdict verdict = STATE_DAMAGED;
    if (lstat(text_string(&path), &there) == 0) {
        verdict = state_file_compare(e->u, text_string(&path), &state, f);
        if (verdict == STATE_VALID)
            log_line(LOG_INFO, "%s is there already, with these links", text_string(&path));
        if (verdict == STATE_DAMAGED) {
            log_line(LOG_WARNING, "%s", f->why);
            state_file_set_aside(text_string(&path));
        }
    }
    bool ok = verdict == STATE_VALID
              || (verdict == STATE_DAMAGED && configuration_save(e->u, text_string(&path), &label, NULL, f));
    if (ok && bits == 64) {
        e->written = e->trajectory;
        state_files_prune(p, STATES_KEPT);
    }
    text_free(&path);
    text_free(&lfn);
    return ok;
}

bool ensemble_is_fresh(const run_params *p)
{
    state_files files = state_files_list(p);
    bool fresh = files.count == 0 && record_is_empty(p->output.directory);
    state_files_free(&files);
    return fresh;
}

/* Everything that needs the lock. */
static bool open_locked(ensemble *e, failure *f)
{
    const run_params *p = e->params;
    bool fresh = ensemble_is_fresh(p), found;
    if (fresh ? !ensemble_parameters_write(p->output.directory, p, f) : !ensemble_parameters_agree(p, f))
        return false;
    state_files_sweep(p);
    trouble_sweep(p->output.directory);

    text log = { 0 };
    text_add(&log, "%s/run.log", p->output.directory);
    bool ok = log_open_file(text_string(&log), f);
    text_free(&log);
    if (!ok)
        return false;

    if (!find_state(e, &found, f))
        return false;
    if (!found) {
        if (!fresh)
            return fail(f,
                        "%s: an ensemble lives here, but none of its states is valid; it is not begun again over its "
                        "record: put a state back, or use another directory",
                        p->output.directory);
        if (!start_links(e, f) || !write_state(e, FILE_CHECKPOINT, f))
            return false;
    }
    record_cut cut = { 0 };
    e->r = record_open(p->output.directory, e->trajectory, &cut, f);
    if (cut.dropped > 0)
        log_line(LOG_INFO, "%" PRId64 " lines of the record are later than that state; they are made again",
                 cut.dropped);
    if (cut.missing > 0)
        log_line(LOG_WARNING, "%s/run.jsonl: %" PRId64 " of the %" PRId64 " trajectories up to that state are not in "
                 "the record", p->output.directory, cut.missing, e->trajectory);
    return e->r != NULL;
}

/* What may fail without leaving a trace comes first: memory, then the folder and its lock, then files. */
ensemble *ensemble_open(const run_params *p, place where, failure *f)
{
    ensemble *e = memory_alloc(sizeof *e, "an ensemble");
    e->params = p;
    e->lock = -1;
    e->digest = run_params_digest(p);
    e->written = -1;
    e->lattice = lattice_create(p->extents);
    e->u = gauge_create(e->lattice, where, PRECISION_DOUBLE);
    e->h = hmc_create(p, e->u);
    e->measurements = measurements_create(&p->measurements, e->u);
    bool ok = ensemble_folder_create(p->output.directory, f);
    ok = ok && (e->lock = ensemble_lock(p->output.directory, f)) >= 0 && open_locked(e, f);
    if (ok)
        return e;
    ensemble_close(e);
    return NULL;
}

void ensemble_close(ensemble *e)
{
    if (!e)
        return;
    record_close(e->r);
    measurements_free(e->measurements);
    hmc_free(e->h);
    gauge_free(e->u);
    lattice_free(e->lattice);
    log_close_file();
    if (e->lock >= 0)
        close(e->lock);
    memory_free(e);
}

int64_t ensemble_trajectory(const ensemble *e)
{
    return e->trajectory;
}

const gauge *ensemble_links(const ensemble *e)
{
    return e->u;
}

/* The files due after this trajectory; with `last` its state is written in any case. */
static bool write_due(ensemble *e, bool last, failure *f)
{
    const run_params *p = e->params;
    bool due = e->trajectory % p->output.configuration_every == 0 && e->trajectory > 0;
    if (due && !write_state(e, FILE_CONFIGURATION, f))
        return false;
    if (e->written < e->trajectory && (last || e->trajectory % p->output.checkpoint_every == 0))
        return write_state(e, FILE_CHECKPOINT, f);
    return true;
}

/* Rejections without an acceptance between them. */
typedef struct { int count; bool told; } rejections;

/* One is chance; five are a run that goes nowhere, which nobody should find out the next morning. */
static void watch(rejections *row, const hmc_outcome *o)
{
    enum { SUSPICIOUS = 5 };
    row->count = o->accepted ? 0 : row->count + 1;
    if (row->count < SUSPICIOUS || row->told)
        return;
    row->told = true;
    log_line(LOG_WARNING, "%d trajectories rejected in a row (dH about %+.2g): shorter steps, or hmc.thermalization "
                          "for a start far from equilibrium", row->count, o->dh);
}

/* The measurements that are due, as one object in `j`; whether there are any. */
static bool measure_due(ensemble *e, json *j, clock_tree *clock)
{
    const run_params *p = e->params;
    if (!measurements_due(e->measurements, e->trajectory))
        return false;
    json_open(j, NULL, '{');
    measurements_run(e->measurements, false, e->u,
                     &(measurement_point){ (uint64_t)p->random.seed, (uint32_t)p->random.stream, e->trajectory }, j,
                     clock);
    json_close(j);
    return true;
}

/* Keep the moment, for a person to look at and to repeat, and the state that the trajectory began from. */
static ensemble_end end_in_trouble(ensemble *e, const hmc_trouble *t, failure *f)
{
    text folder;
    failure why;
    int64_t number = e->trajectory + 1;
    const char *step = hmc_step_names[t->step], *term = hmc_terms(e->h)[t->term].name;
    if (trouble_write(&folder, e->params, e->h, e->u, number, t, &why))
        fail(f, "trajectory %" PRId64 ", %s of %s: %s; it is kept in %s, and \"kiln replay %s\" repeats it", number,
             step, term, t->why.why, text_string(&folder), text_string(&folder));
    else
        fail(f, "trajectory %" PRId64 ", %s of %s: %s; it could not be kept for a replay: %s", number, step, term,
             t->why.why, why.why);
    text_free(&folder);
    hmc_restore(e->h, e->u);
    if (e->written < e->trajectory && !write_state(e, FILE_CHECKPOINT, &why))
        log_line(LOG_WARNING, "%s", why.why);
    return ENSEMBLE_FAILED;
}

ensemble_end ensemble_run(ensemble *e, int64_t until, const volatile sig_atomic_t *stop,
                          void (*tell)(const ensemble_progress *progress), failure *f)
{
    clock_tree clock = { 0 };
    rejections row = { 0 };
    double began = clock_now();
    while (e->trajectory < until && !*stop) {
        clock_begin(&clock, "trajectory");
        hmc_outcome outcome = hmc_trajectory(e->h, e->u, e->trajectory + 1, &clock, stop);
        if (outcome.trouble.step != STEP_NONE)
            return end_in_trouble(e, &outcome.trouble, f);
        if (outcome.interrupted)
            break;
        e->trajectory++;
        clock_begin(&clock, "measure");
        record_observables measured = record_measure(e->u);
        json results = { 0 };
        bool due = measure_due(e, &results, &clock);
        clock_end(&clock);
        clock_end(&clock);

        clock_tree next = { 0 };                   /* what follows a line is counted in the next one */
        double now = clock_now(), wall = now - began;
        began = now;
        clock_begin(&next, "record");
        bool written = record_append(e->r, e->trajectory, e->h, &outcome, &measured, due ? &results : NULL, &clock,
                                     wall, f);
        json_free(&results);
        if (written)
            tell(&(ensemble_progress){ e->trajectory, until, &outcome, &measured,
                                       clock_seconds(&clock, "trajectory") });
        watch(&row, &outcome);
        clock_end(&next);
        clock_begin(&next, "files");
        written = written && write_due(e, e->trajectory == until, f);
        clock_end(&next);
        if (!written)
            return ENSEMBLE_FAILED;
        clock = next;
    }
    if (e->trajectory < until) {
        if (e->written < e->trajectory && !write_state(e, FILE_CHECKPOINT, f))
            return ENSEMBLE_FAILED;
        return ENSEMBLE_STOPPED;
    }
    return ENSEMBLE_DONE;
}
