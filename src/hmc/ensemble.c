/* ensemble.c - start or continue; states written. */
#include "src/hmc/ensemble_inside.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/hmc/ensemble_parameters.h"
#include "src/hmc/ensemble_state.h"
#include "src/hmc/moment.h"
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

/* The state of the stream after `e->trajectory`, whose links and memory are these. */
static run_state state_of(const ensemble *e, const gauge *u, const state_memory *memory)
{
    const run_params *p = e->params;
    return (run_state){ .trajectory = e->trajectory,
                        .seed = (uint64_t)p->random.seed,
                        .stream = (uint32_t)p->random.stream,
                        .input_digest = e->digest,
                        .parent_digest = e->parent,
                        .plaquette = gauge_plaquette(u).average,
                        .version = PACKAGE_STRING,
                        .memory = *memory };
}

static run_state state_now(const ensemble *e)
{
    state_memory memory;
    hmc_recall(e->h, &memory);
    return state_of(e, e->u, &memory);
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

bool ensemble_write_state(ensemble *e, state_file_kind kind, const gauge *u, const state_memory *memory, failure *f)
{
    const run_params *p = e->params;
    run_state state = state_of(e, u, memory);
    text path = state_file_path(p, kind, e->trajectory), lfn = { 0 };
    if (*p->output.lfn)
        text_add(&lfn, "%s.%06" PRId64, p->output.lfn, e->trajectory);
    int bits = kind == FILE_CONFIGURATION ? (int)p->output.bits : 64;
    configuration_label label = { .state = &state, .lfn = lfn.s, .bits = bits };
    struct stat there;
    state_verdict verdict = STATE_DAMAGED;
    if (lstat(text_string(&path), &there) == 0) {
        verdict = state_file_compare(u, text_string(&path), &state, f);
        if (verdict == STATE_VALID)
            log_line(LOG_INFO, "%s is there already, with these links", text_string(&path));
        if (verdict == STATE_DAMAGED) {
            log_line(LOG_WARNING, "%s", f->why);
            state_file_set_aside(text_string(&path));
        }
    }
    bool ok = verdict == STATE_VALID
              || (verdict == STATE_DAMAGED && configuration_save(u, text_string(&path), &label, NULL, f));
    if (ok && bits == 64) {
        e->written = e->trajectory;
        state_files_prune(p, STATES_KEPT);
        moments_forget(p->output.directory, e->written);
    }
    text_free(&path);
    text_free(&lfn);
    return ok;
}

bool ensemble_write_state_now(ensemble *e, state_file_kind kind, failure *f)
{
    state_memory memory;
    hmc_recall(e->h, &memory);
    return ensemble_write_state(e, kind, e->u, &memory, f);
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
        if (!start_links(e, f) || !ensemble_write_state_now(e, FILE_CHECKPOINT, f))
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
