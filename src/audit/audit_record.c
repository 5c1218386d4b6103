/* audit_record.c - check the record, up to the newest state and after it (record_check.h checks the lines). */
#include "src/audit/audit_parts.h"

#include "src/io/links_file.h"

#include <inttypes.h>

/* Find the trajectory of the newest state.  A file whose name contradicts its state is ignored. */
static void find_newest(audit *a)
{
    for (int i = 0; i < a->files.count && a->newest < 0; i++) {
        links_info info;
        bool readable = links_read_info(a->files.file[i].path, &info, NULL);
        bool fits = readable && info.bits == 64 && info.has_state
                    && info.state.trajectory == a->files.file[i].trajectory
                    && info.state.seed == (uint64_t)a->params.random.seed
                    && info.state.stream == (uint32_t)a->params.random.stream;
        if (fits)
            a->newest = a->files.file[i].trajectory;
    }
}

/* Lines after the newest state are usual after a kill.  A faulty one among them is removed when the run continues. */
static void note_what_follows(audit *a)
{
    const record_check *c = &a->record;
    if (c->lines > c->count && !c->faulty)
        audit_note(a, "the record has %s after the newest state (trajectory %" PRId64 "); the run generates these "
                      "trajectories again when it continues", count_to_text(c->lines - c->count, "line").s, a->newest);
    if (c->torn)
        audit_note(a, "the last line of the record is incomplete: it is being written, or removed when the run "
                      "continues");
}

/* Lines that were read before the states were listed may end before the newest state, because the run has added lines
 * since: then the file is read again. */
static void check_lines(audit *a, const record_lines *lines)
{
    const record_rules rules = audit_rules(a);
    if (lines)
        record_check_lines(&a->record, a->directory, lines, &rules, a->newest);
    if (lines && (a->record.faulty || record_check_last(&a->record) >= a->newest))
        return;
    if (lines)
        record_check_free(&a->record);
    record_check_file(&a->record, a->directory, &rules, a->newest);
}

static void find_fault_of_line(audit *a)
{
    const stream_fault *f = &a->record.fault;
    const bool later = a->newest >= 0 && record_check_last(&a->record) == a->newest;
    const fault_reason advice = later
        ? fault_format("kiln run removes the lines after the newest state (trajectory %" PRId64 "), this one among "
                       "them, and generates their trajectories again", a->newest)
        : fault_format("%s", text_string(&f->advice));
    audit_found(a, text_string(&f->where), text_string(&f->what), text_string(&f->expected), text_string(&f->found),
                advice.s);
}

void audit_record(audit *a, const record_lines *lines)
{
    const record_check *c = &a->record;
    a->files = state_files_list(&a->params);
    find_newest(a);
    check_lines(a, lines);
    a->short_record = record_check_last(c) < a->newest;
    if (a->newest < 0)
        audit_found(a, a->directory, "no state", "a configuration or checkpoint to continue from",
                    fault_format("%s, %s in the record", count_to_text(a->files.count, "such file").s,
                                 count_to_text(c->lines, "line").s).s,
                    "restore a configuration or checkpoint from a copy");
    if (c->faulty) {
        find_fault_of_line(a);
    } else if (a->short_record) {
        text path = path_in_folder(a->directory, "run.jsonl");
        audit_found(a, text_string(&path), "missing lines at its end",
                    fault_format("lines up to trajectory %" PRId64 ", the newest state", a->newest).s,
                    fault_format("up to %" PRId64, record_check_last(c)).s,
                    "restore the lines from a copy of the record; or let kiln run generate their trajectories again, "
                    "from the newest state that the record covers");
        text_free(&path);
    }
    if (a->newest >= 0 && !a->short_record)
        note_what_follows(a);
    if (a->short_record && a->newest > record_check_last(c))
        audit_note(a, "states after trajectory %" PRId64 ", the last one with a valid line, are not checked",
                   record_check_last(c));
}
