/* ensemble.c - start or continue an ensemble; write states. */
#include "src/ensemble/ensemble.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/ensemble/ensemble_inside.h"
#include "src/ensemble/ensemble_measurements.h"
#include "src/ensemble/ensemble_parameters.h"
#include "src/ensemble/ensemble_state.h"
#include "src/ensemble/midtrajectory.h"
#include "src/ensemble/state_fields.h"
#include "src/ensemble/start_links.h"
#include "src/ensemble/failure_folder.h"
#include "src/hmc/run_anisotropy.h"
#include "src/io/disk.h"
#include "src/io/folder_lock.h"

#include <inttypes.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifndef PACKAGE_STRING
#define PACKAGE_STRING "kiln"
#endif

enum { STATES_KEPT = 2 };              /* a checkpoint stays while it is one of this many newest states */

/* A request for a new segment: the reason that the user gave (or NULL), and the keys that differ. */
typedef struct { const char *reason; text changes; } segment_request;

/* The state of the stream after `e->trajectory`, whose links and memory are these. */
static run_state state_of(const ensemble *e, const gauge *u, const state_memory *memory)
{
    const run_params *p = e->params;
    return (run_state){ .trajectory = e->trajectory,
                        .seed = (uint64_t)p->random.seed,
                        .stream = (uint32_t)p->random.stream,
                        .input_digest = ensemble_digest_at(e, e->trajectory),
                        .parent_digest = e->parent,
                        .chained = e->chain.begun, .chain = e->chain.value,
                        .plaquette = gauge_plaquette(u).average,
                        .version = PACKAGE_STRING,
                        .open_in_time = lattice_is_open(u->links.lattice),
                        .xi_0 = run_anisotropy(p) != 1 ? run_anisotropy(p) : 0,
                        .memory = *memory };
}

void ensemble_begin_chain(ensemble *e)
{
    if (e->chain.begun || e->segments.count == 0 || e->segments.item[0].first != e->trajectory + 1)
        return;
    e->chain = (chain_value){ true, e->segments.item[0].chain };
    e->parent = e->chain.value;
}

static bool start_links(ensemble *e, failure *f)
{
    const run_params *p = e->params;
    text origin = { 0 };
    bool made = start_links_make(e->u, p, e->limits, &origin, f);
    text_free(&origin);
    if (!made
        || !segments_begin(&e->segments, p->output.directory, e->trajectory + 1, configuration_digest(e->u, 64), f))
        return false;
    ensemble_begin_chain(e);
    return true;
}

/* Begin the stream again where the record covers no state, if its start links can be reproduced. */
static bool start_links_again(ensemble *e, found_state *found, failure *f)
{
    const run_params *p = e->params;
    text origin = { 0 };
    bool ok = start_links_make(e->u, p, e->limits, &origin, f);
    text_free(&origin);
    found->links = ok ? configuration_digest(e->u, 64) : 0;
    found->memory = e->blank;
    if (ok && found->links != e->segments.item[0].chain)
        ok = fail(f, "%s/run.jsonl: has no line for the trajectory of any state file, and the start links cannot be "
                     "reproduced: expected links with the digest 0x%016" PRIx64 " (" SEGMENTS_FILE "), found 0x%016"
                     PRIx64 "; restore the record from a copy", p->output.directory, e->segments.item[0].chain,
                  found->links);
    if (ok)
        log_line(LOG_WARNING, "%s: the stream begins again from its start links", p->output.directory);
    return ok;
}

/* Find the segment of the next trajectory, or begin one with these parameters; then restore the memory of the terms. */
static bool settle_segment(ensemble *e, const found_state *found, const segment_request *request, failure *f)
{
    const run_params *p = e->params;
    int64_t next = e->trajectory + 1;
    if (e->segments.count == 0
        && !segments_begin(&e->segments, p->output.directory, next, e->chain.begun ? e->chain.value : found->links, f))
        return false;
    ensemble_begin_chain(e);
    if (request) {
        const segments_change change = { request->reason, &request->changes, next, e->chain.value };
        if (!segments_add(&e->segments, p, &change, f))
            return false;
    } else if (!e->past.missing && !ensemble_measurements_settle(&e->segments, p, next, e->chain.value, f)) {
        return false;
    }
    int index = segments_at(&e->segments, next);
    text path = segments_parameters_path(&e->segments, p->output.directory, index);
    bool ok = e->segments.item[index].input_digest == e->digest
              || fail(f, "%s: trajectory %" PRId64 " belongs to a segment with other parameters; to generate it, use "
                         "%s as the input", p->output.directory, next, text_string(&path));
    text_free(&path);
    if (ok && segments_change_at(&e->segments, next)) {
        hmc_set_memory(e->h, &e->blank);
        hmc_set_fields(e->h, false);
    } else if (ok)
        hmc_set_memory(e->h, &found->memory);
    return ok;
}

bool ensemble_write_state(ensemble *e, state_file_kind kind, const gauge *u, const state_memory *memory, failure *f)
{
    const run_params *p = e->params;
    run_state state = state_of(e, u, memory);
    fields_draft fields;
    if (!state_fields_draft(&fields, &state, kind, p, e->h, u == hmc_start_links(e->h), f))
        return false;
    text path = state_file_path(p, kind, e->trajectory), lfn = { 0 };
    if (*p->output.lfn)
        text_add(&lfn, "%s.%06" PRId64, p->output.lfn, e->trajectory);
    int bits = kind == FILE_CONFIGURATION ? (int)p->output.bits : 64;
    configuration_label label = { .state = &state, .lfn = lfn.s, .bits = bits };
    uint64_t digest = 0;
    state_verdict verdict = STATE_DAMAGED;
    if (disk_has_name(text_string(&path))) {
        verdict = state_file_compare(u, text_string(&path), &state, &digest, f);
        if (verdict == STATE_VALID)
            log_line(LOG_INFO, "%s exists already, with these links", text_string(&path));
        if (verdict == STATE_DAMAGED) {
            log_line(LOG_WARNING, "%s", f->why);
            state_file_set_aside(text_string(&path));
        }
    }
    bool ok = verdict != STATE_UNTOUCHABLE;
    if (!ok)
        state_fields_drop(&fields);
    ok = ok && state_fields_keep(&fields, p, f)
         && (verdict == STATE_VALID || configuration_save(u, text_string(&path), &label, NULL, f));
    if (ok && kind == FILE_CONFIGURATION && e->chain.begun)
        e->parent = verdict == STATE_VALID ? digest : configuration_digest(u, bits);
    if (ok && bits == 64 && !state.lacks_fields) {
        e->written = e->trajectory;
        text_free(&e->lost);
        state_files_prune(p, STATES_KEPT, e->written, e->confirmed);
        midtrajectory_forget(p->output.directory, e->written);
        ensemble_emit_state(e, -1);
    }
    text_free(&path);
    text_free(&lfn);
    return ok;
}

bool ensemble_write_state_now(ensemble *e, state_file_kind kind, failure *f)
{
    state_memory memory;
    hmc_get_memory(e->h, &memory);
    return ensemble_write_state(e, kind, e->u, &memory, f);
}

/* Whether the ensemble may continue with these parameters; the state that it continues from is not known yet. */
static bool parameters_fit(ensemble *e, segment_request *request, failure *f)
{
    const run_params *p = e->params;
    if (request && e->past.missing)
        return fail(f, "%s/parameters.yaml: is missing, and the input has the same parameters, so that no new segment "
                       "can begin; run again without --new-segment: kiln run then restores the file",
                    p->output.directory);
    if (request)
        return ensemble_parameters_may_change(p, &request->changes, &e->digest_unknown, f);
    for (int i = 0; i + 1 < e->segments.count; i++)
        if (e->segments.item[i].input_digest == e->digest)
            return true;
    return e->past.missing || ensemble_parameters_agree(p, f);       /* the input gives its bytes */
}

static bool open_record(ensemble *e, failure *f)
{
    const char *directory = e->params->output.directory;
    const int64_t start = e->params->start.trajectory;
    record_cut *cut = &e->cut;
    *cut = (record_cut){ 0 };
    e->r = record_open(directory, start, e->trajectory, cut, f);
    if (cut->dropped > 0)
        log_line(LOG_INFO, "the record has %s after that state; the run generates the trajectories again",
                 count_to_text(cut->dropped, "line").s);
    if (cut->missing > 0)
        log_line(LOG_WARNING, "%s/run.jsonl: %" PRId64 "/%" PRId64 " trajectories up to that state are not in the "
                 "record", directory, cut->missing, e->trajectory - start);
    if (cut->changed > 0)
        log_line(LOG_WARNING, "%s/run.jsonl: %s changed since Kiln wrote them, beginning with line %" PRId64
                 "; see \"kiln audit %s\"", directory, count_to_text(cut->changed, "line").s, cut->first_changed,
                 directory);
    return e->r != NULL;
}

/* Trajectories from before the first SDC check count as confirmed. */
static void begin_watch(ensemble *e)
{
    if (e->params->sdc_check.rate > 0)
        e->confirmed = e->cut.sdc_checked > 0 ? e->cut.sdc_checked - 1 : e->trajectory;
}

/* The trajectory of the newest state that is not newer than `confirmed` and can continue with these parameters; if
 * there is none, of the oldest state that can. */
static int64_t state_to_go_back_to(const ensemble *e, const state_files *files)
{
    int64_t found = e->trajectory;
    for (int i = 0; i < files->count; i++) {
        const state_file *file = &files->file[i];
        if (state_file_is_incomplete(file->path) || ensemble_digest_at(e, file->trajectory + 1) != e->digest)
            continue;
        found = file->trajectory;
        if (found <= e->confirmed)
            break;
    }
    return found;
}

bool ensemble_roll_back(ensemble *e, failure *f)
{
    const run_params *p = e->params;
    state_files files = state_files_list(p);
    const int64_t to = state_to_go_back_to(e, &files);
    found_state found;
    for (int i = 0; i < files.count; i++)
        if (files.file[i].trajectory > to) {
            state_file_set_aside(files.file[i].path);
            state_fields_set_aside(p, files.file[i].trajectory);
        }
    state_files_free(&files);
    midtrajectory_forget(p->output.directory, e->trajectory + 1);
    record_close(e->r);
    e->r = NULL;
    return ensemble_check_tables(&e->past, &e->segments, p, f) && ensemble_find_state(e, &found, f)
           && (found.valid || fail(f, "%s: no valid state is left to return to", p->output.directory))
           && settle_segment(e, &found, NULL, f) && ensemble_restore_parameters(&e->segments, p, f)
           && open_record(e, f);
}

/* Write the parameters of a new ensemble, over those of an interrupted beginning. */
static bool begin_folder(const run_params *p, const segment_request *request, failure *f)
{
    const char *directory = p->output.directory;
    if (!ensemble_check_folder(p, f))
        return false;
    if (request)
        return fail(f, "%s: there is no ensemble yet; start one without --new-segment",
                    directory);
    return ensemble_parameters_write(directory, p, ENSEMBLE_IN_ITS_FOLDER, f);
}

/* Check that the files belong together and to these parameters. */
static bool check_folder(ensemble *e, segment_request *request, failure *f)
{
    return segments_open(&e->segments, e->params->output.directory, f)
           && ensemble_check_tables(&e->past, &e->segments, e->params, f) && parameters_fit(e, request, f);
}

/* Begin a stream that has no state, or whose states the record does not cover, with the start links. */
static bool stand_at_start(ensemble *e, bool fresh, found_state *found, failure *f)
{
    const char *directory = e->params->output.directory;
    if (fresh)
        return start_links(e, f) && ensemble_write_state_now(e, FILE_CHECKPOINT, f);
    if (found->uncovered == 0)
        return fail(f, "%s: holds an ensemble, but none of its states is valid; restore a state from a copy, or use "
                       "another directory", directory);
    if (e->segments.count == 0 || e->segments.item[0].first > e->trajectory + 1)
        return fail(f, "%s/run.jsonl: has no line for the trajectory of any state file; the newest of these files "
                       "belongs to trajectory %" PRId64
                       "; restore the record from a copy, or use another directory", directory, found->uncovered);
    return start_links_again(e, found, f) && settle_segment(e, found, NULL, f)
           && ensemble_write_state_now(e, FILE_CHECKPOINT, f);
}

/* The part of opening that needs the lock. */
static bool open_locked(ensemble *e, segment_request *request, failure *f)
{
    const run_params *p = e->params;
    found_state found;
    bool fresh = ensemble_is_fresh(p);
    if (fresh ? !begin_folder(p, request, f) : !check_folder(e, request, f))
        return false;
    state_files_sweep(p);
    state_fields_sweep(p);
    failure_folder_sweep(p->output.directory);
    sdc_check_sweep(p->output.directory);
    if (!ensemble_open_log(e, f))
        return false;

    e->begins_segment = request != NULL;
    if (!ensemble_find_state(e, &found, f))
        return false;
    e->begins_segment = false;
    if (found.uncovered && request)
        return fail(f, "%s/run.jsonl: lines of trajectories up to %" PRId64 " are lost; before you change parameters, "
                       "generate them again: kiln run without --new-segment", p->output.directory, found.uncovered);
    if (!(found.valid ? settle_segment(e, &found, request, f) : stand_at_start(e, fresh, &found, f))
        || !ensemble_restore_parameters(&e->segments, p, f))
        return false;
    midtrajectory_forget(p->output.directory, e->trajectory);       /* where a process was killed while it did so */
    if (!open_record(e, f))
        return false;
    begin_watch(e);
    return true;
}

/* First the steps whose failure leaves no trace: memory, then the folder and its lock, then files. */
static ensemble *open_with(const run_params *p, place where, const run_limits *limits, segment_request *request,
                           failure *f)
{
    ensemble *e = memory_alloc(sizeof *e, "an ensemble");
    const lattice_shape shape = run_shape(p);
    e->params = p;
    e->limits = limits;
    e->digest = e->digest_unknown = run_params_digest(p);
    e->written = e->confirmed = e->lock = -1;
    e->trajectory = p->start.trajectory;
    e->lattice = lattice_create(&shape);
    e->u = gauge_create(e->lattice, where, PRECISION_DOUBLE);
    e->h = hmc_create(p, e->u);
    e->energy = energy_meter_create(where == PLACE_GPU);
    hmc_get_memory(e->h, &e->blank);
    e->measurements = measurements_create(run_measurements(p), e->u);
    bool ok = ensemble_check_folder(p, f) && ensemble_folder_create(p->output.directory, f);
    ok = ok && ensemble_lock(&e->lock, &e->lost, p->output.directory, f) && open_locked(e, request, f);
    if (limits && limits->stopped && *limits->stopped)              /* stopped in sweeps over the start links */
        text_free(&e->lost);
    else if (!ok)
        log_line(LOG_DETAIL, "error: %s", f->why);          /* the caller reports it when the log is closed */
    if (!ok)
        ensemble_close(e);
    return ok ? e : NULL;
}

ensemble *ensemble_open(const run_params *p, place where, const run_limits *limits, failure *f)
{
    return open_with(p, where, limits, NULL, f);
}

ensemble *ensemble_open_segment(const run_params *p, place where, const char *reason, failure *f)
{
    segment_request request = { .reason = reason };
    ensemble *e = open_with(p, where, NULL, &request, f);
    if (e) {
        log_line(LOG_INFO, "a new segment begins with trajectory %" PRId64 "%s%s:%s", e->trajectory + 1,
                 reason ? ", reason: " : "", reason ? reason : "", text_string(&request.changes));
        if (midtrajectory_forget(p->output.directory, e->trajectory + 1) > 0)
            log_line(LOG_INFO, "that trajectory restarts: its mid-trajectory checkpoint has the old parameters");
    }
    text_free(&request.changes);
    return e;
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
    ensemble_past_free(&e->past);
    segments_free(&e->segments);
    log_close_file();
    folder_unlock(&e->lock, &e->lost);
    text_free(&e->lost);
    memory_free(e);
}
