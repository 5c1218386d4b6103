/* ensemble_resume.c - the state to continue from: the newest valid one that the record covers.
 *
 * A run that continued from a state without the lines of all earlier trajectories would leave a permanent gap in the
 * record.  Where lines at the end of the record are lost, the run returns to a state that the record still covers, or
 * to the start links, and generates the trajectories after it again, with the same bits.  Later states stay; the run
 * compares them when it reaches their trajectories. */
#include "src/ensemble/ensemble_inside.h"

#include "src/base/log.h"
#include "src/ensemble/state_fields.h"

#include <inttypes.h>

uint64_t ensemble_digest_at(const ensemble *e, int64_t trajectory)
{
    return e->segments.count > 0 ? e->segments.item[segments_at(&e->segments, trajectory)].input_digest
                                 : e->digest_unknown;
}

static void set_aside(const run_params *p, const state_files *files)
{
    for (int i = 0; i < files->count; i++)
        if (files->file[i].damaged) {
            state_file_set_aside(files->file[i].path);
            if (files->file[i].kind == FILE_CHECKPOINT)
                state_fields_set_aside(p, files->file[i].trajectory);
            log_line(LOG_WARNING, "falling back to an earlier state");
        }
}

/* Put the ensemble to a state that was loaded. */
static void adopt(ensemble *e, found_state *found, const configuration_facts *facts, state_file_kind kind)
{
    const run_state *state = &facts->info.state;
    e->trajectory = e->written = state->trajectory;
    e->chain = (chain_value){ state->chained, state->chain };
    e->parent = state->chained && kind == FILE_CONFIGURATION ? facts->digest : state->parent_digest;
    found->valid = true;
    found->links = facts->digest;
    found->memory = state->memory;
}

/* What the record implies for a state with valid content: the run can continue from it; only an older state can be
 * used; a person must decide. */
typedef enum { RECORD_COVERS, RECORD_ENDS_BEFORE, RECORD_CONTRADICTS } record_verdict;

static record_verdict hold_against_record(const ensemble *e, found_state *found, const run_state *state,
                                          const char *path, failure *f)
{
    const ensemble_past *past = &e->past;
    stream_fault fault = { 0 };
    if (state->trajectory > record_check_last(&past->record)) {
        if (!found->uncovered)
            found->uncovered = state->trajectory;
        if (!past->record.faulty)
            return RECORD_ENDS_BEFORE;
        stream_fault_fail(&past->record.fault, f);
        return RECORD_CONTRADICTS;
    }
    bool ok = record_check_state(&fault, &past->record, &past->rules, state, path,
                                 "Kiln did not touch it; move it away, or restore the right file from a copy, and run "
                                 "again")
              || stream_fault_fail(&fault, f);
    stream_fault_free(&fault);
    return ok ? RECORD_COVERS : RECORD_CONTRADICTS;
}

/* Read the fields besides the links, if the next trajectory takes them over. */
static state_verdict read_fields(ensemble *e, const run_state *state, failure *f)
{
    const bool anew = e->begins_segment || segments_change_at(&e->segments, state->trajectory + 1);
    if (!state->has_fields || !run_has_fields(e->params) || anew)
        return STATE_VALID;
    return state_fields_read(e->h, e->params, state, f);
}

bool ensemble_find_state(ensemble *e, found_state *found, failure *f)
{
    const run_params *p = e->params;
    state_files files = state_files_list(p);
    run_state wanted = { .seed = (uint64_t)p->random.seed, .stream = (uint32_t)p->random.stream };
    const state_file *chosen = NULL;
    bool may_go_on = true;
    *found = (found_state){ .valid = false };
    hmc_set_fields(e->h, false);
    for (int i = 0; i < files.count && may_go_on && !found->valid; i++) {
        state_file *file = &files.file[i];
        configuration_facts facts;
        if (state_file_is_incomplete(file->path))
            continue;
        wanted.input_digest = ensemble_digest_at(e, file->trajectory);
        state_verdict verdict = state_file_load(e->u, &facts, file, &wanted, f);
        record_verdict standing = RECORD_COVERS;
        if (verdict == STATE_VALID)
            standing = hold_against_record(e, found, &facts.info.state, file->path, f);
        if (verdict == STATE_VALID && standing == RECORD_COVERS)
            verdict = read_fields(e, &facts.info.state, f);
        file->damaged = verdict == STATE_DAMAGED;
        if (file->damaged)
            log_line(LOG_WARNING, "%s", f->why);
        may_go_on = verdict != STATE_UNTOUCHABLE && standing != RECORD_CONTRADICTS;
        if (verdict == STATE_VALID && standing == RECORD_COVERS) {
            adopt(e, found, &facts, file->kind);
            chosen = file;
        }
    }
    if (may_go_on && found->uncovered)
        log_line(LOG_WARNING, "%s/run.jsonl: ends with trajectory %" PRId64 ", but there are states up to trajectory "
                 "%" PRId64 ": the run generates the trajectories after the end of the record again, and compares "
                 "them with these states",
                 p->output.directory, record_check_last(&e->past.record), found->uncovered);
    if (may_go_on && found->valid)
        may_go_on = ensemble_check_states(&e->past, p, e->trajectory, f);
    if (may_go_on)
        set_aside(p, &files);
    if (may_go_on && chosen)
        log_line(LOG_INFO, "continuing after trajectory %" PRId64 ": %s", e->trajectory, chosen->path);
    state_files_free(&files);
    return may_go_on;
}
