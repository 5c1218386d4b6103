/* run_view.c - folder, record and summary of an ensemble together; numbers as text. */
#include "src/report/run_view.h"

#include "src/audit/audit.h"
#include "src/base/json_members.h"
#include "src/ensemble/ensembles_below.h"
#include "src/report/folder_warnings.h"
#include "src/report/lattice_reach.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOUR = 3600 };

static bool is_folder(const char *path, failure *f)
{
    struct stat what;
    errno = 0;
    if (stat(path, &what) != 0)
        return fail_system(f, errno, "%s: %s", path, strerror(errno));
    return S_ISDIR(what.st_mode) || fail(f, "%s: is not a folder; expected the folder of an ensemble, which is the "
                                            "output.directory of its input", path);
}

static bool lacks_file(const char *directory, const char *name)
{
    text path = path_in_folder(directory, name);
    const bool lacks = access(text_string(&path), F_OK) != 0 && errno == ENOENT;
    text_free(&path);
    return lacks;
}

static bool fail_without_ensemble(const run_view *v, failure *f)
{
    text words = { 0 };
    const bool some = ensembles_below_add(&words, v->directory, v->command);
    if (!some)
        text_add(&words, "expected the folder of an ensemble, which is the output.directory of its input");
    fail(f, "%s: has neither parameters.yaml nor run.jsonl%s%s", v->directory, some ? ", but " : "; ",
         text_string(&words));
    text_free(&words);
    return false;
}

/* Before the end of its first trajectory a run has no record.  A folder without record and parameters is no
 * ensemble. */
static bool read_record(run_view *v, failure *f)
{
    if (!is_folder(v->directory, f))
        return false;
    if (lacks_file(v->directory, "run.jsonl")) {
        run_history_free(&v->history);
        run_folder_read(&v->folder, v->directory);
        return !lacks_file(v->directory, "parameters.yaml") || fail_without_ensemble(v, f);
    }
    run_folder_read(&v->folder, v->directory);               /* before the record: a segment precedes its lines */
    const continuity_rules rules = continuity_rules_make(&v->folder.segments,
                                                         v->folder.known ? &v->folder.in.p : NULL);
    text path = path_in_folder(v->directory, "run.jsonl");
    bool ok = run_history_update(&v->history, &rules, &v->lines, text_string(&path), f);
    text_free(&path);
    return ok;
}

/* The molecular-dynamics time of the trajectory of a line. */
static double length_of(const run_view *v, int64_t line)
{
    const run_folder *f = &v->folder;
    if (f->segments.count > 0)
        return f->segment[segments_at(&f->segments, v->history.line[line].trajectory)].length;
    return f->known ? f->in.p.hmc.length : NAN;
}

/* The molecular-dynamics time of the accepted trajectories of the means. */
static double accepted_units(const run_view *v)
{
    double units = 0;
    for (int64_t i = history_line_from(&v->history, v->summary.from); i < v->history.count; i++)
        if (v->history.line[i].tested && v->history.line[i].accepted)
            units += length_of(v, i);
    return units;
}

static void count_cost(run_view *v)
{
    const run_summary *s = &v->summary;
    v->hours_per_unit = s->accepted > 0 ? s->tested_seconds / HOUR / accepted_units(v) : NAN;
    v->hours_per_independent = s->slowest_cost.value / HOUR;
}

/* Free the results of the last reading, except the history and the findings of run_view_check. */
static void forget_view(run_view *v)
{
    record_lines_free(&v->lines);
    run_warnings_free(&v->warnings);
    run_summary_free(&v->summary);
    run_folder_free(&v->folder);
}

/* While all trajectories belong to thermalization, the means will begin with the first one after it. */
static void set_first_of_means(run_view *v)
{
    run_summary *s = &v->summary;
    const run_params *p = &v->folder.in.p;
    const int64_t first = v->folder.known ? p->start.trajectory + p->hmc.thermalization + 1 : 0;
    if (s->used == 0 && first > s->from)
        s->from = first;
}

bool run_view_read(run_view *v, const char *directory, int64_t from, failure *f)
{
    forget_view(v);
    v->directory = directory;
    if (!read_record(v, f))
        return false;
    run_folder_list(&v->folder, directory);
    run_summary_make(&v->summary, &v->history, v->folder.start, from,
                     v->folder.known ? v->folder.in.p.extents : NULL);
    set_first_of_means(v);
    folder_warnings_add(&v->warnings, &v->history, &v->summary, &v->folder);
    run_warnings_add_all(&v->warnings, &v->history, &v->summary, &v->folder);
    if (v->folder.known)
        lattice_reach_check(&v->warnings, &v->summary, &v->history, &v->folder.in.p);
    count_cost(v);
    return true;
}

void run_view_check(run_view *v)
{
    audit a;
    stream_fault_free(&v->fault);
    v->faulty = false;
    audit_tables(&a, v->directory, v->lines.count > 0 ? &v->lines : NULL);
    const bool begun = v->history.checksummed || (a.segments.count > 0 && a.files.count > 0);
    if (a.faulty && begun) {
        v->faulty = true;
        v->fault = a.fault;
        memset(&a.fault, 0, sizeof a.fault);
    }
    audit_free(&a);
    record_lines_free(&v->lines);
}

text run_view_fault_text(const run_view *v)
{
    const int64_t left_out = history_left_out(&v->history) + v->history.changed;
    text words = { 0 };
    if (v->faulty)
        text_add(&words, "%s: %s: expected %s, found %s; the means below %s; kiln audit %s says what to do",
                 text_string(&v->fault.where), text_string(&v->fault.what), text_string(&v->fault.expected),
                 text_string(&v->fault.found), left_out > 0 ? "leave out lines, see the warnings"
                                                            : "include the faulty lines", v->directory);
    for (char *c = words.s; c && (c = strchr(c, '\n'));)      /* an input may have several faults */
        *c = ' ';
    return words;
}

void run_view_check_lock(run_view *v)
{
    run_folder_check_lock(&v->folder, v->directory);
}

void run_view_free(run_view *v)
{
    forget_view(v);
    stream_fault_free(&v->fault);
    run_history_free(&v->history);
}

int64_t segment_end(const run_view *v, int index)
{
    const segments *all = &v->folder.segments;
    int64_t last = segments_last(all, index);
    if (last > v->summary.last)
        last = v->summary.last >= all->item[index].first ? v->summary.last : all->item[index].first - 1;
    return last;
}

segment_texts segment_texts_of(const run_view *v, int index)
{
    segment_texts w = { { 0 }, { 0 } };
    yyjson_doc *line = json_read_string(v->folder.segments.item[index].line, SEGMENTS_FILE, NULL);
    const char *reason = json_member_text(yyjson_doc_get_root(line), "reason");
    yyjson_val *changes = json_member_list(yyjson_doc_get_root(line), "changes"), *change;
    size_t i, count;
    text_add(&w.reason, "%s", reason ? reason : "");
    yyjson_arr_foreach(changes, i, count, change)
        if (yyjson_is_str(change))
            text_add(&w.changes, "%s%s", w.changes.length ? "\n" : "", yyjson_get_str(change));
    yyjson_doc_free(line);
    return w;
}

void segment_texts_free(segment_texts *w)
{
    text_free(&w->reason);
    text_free(&w->changes);
}

int64_t run_view_target(const run_view *v)
{
    return history_target(&v->history, v->folder.known ? v->folder.in.p.hmc.trajectories : 0);
}

int64_t run_view_done(const run_view *v)
{
    return v->summary.last - v->folder.start;
}

void run_view_add_progress(text *out, const run_view *v)
{
    const int64_t done = run_view_done(v), target = run_view_target(v), start = v->folder.start;
    if (target == 0)
        text_add(out, "%" PRId64, done);
    else if (done <= target)
        text_add(out, "%" PRId64 " of %" PRId64, done, target);
    else
        text_add(out, "%" PRId64 ", %" PRId64 " more than the %" PRId64 " of hmc.trajectories", done, done - target,
                 target);
    if (start > 0 && done > 0)
        text_add(out, " (numbers %" PRId64 " to %" PRId64 ")", start + 1, v->summary.last);
    else if (start > 0)
        text_add(out, " (the first one has the number %" PRId64 ")", start + 1);
}

void run_view_add_midtrajectory(text *out, const run_view *v)
{
    const midtrajectory_point *at = &v->folder.midtrajectory;
    if (at->trajectory == v->summary.last + 1)
        text_add(out, ", trajectory %" PRId64 " %s at step %" PRId64, at->trajectory,
                 v->folder.running ? "checkpointed" : "interrupted", at->step);
}

int64_t run_view_unsaved(const run_view *v)
{
    const int64_t state = v->folder.state;
    return state >= v->folder.start && v->summary.last > state ? v->summary.last - state : 0;
}

void run_view_add_unsaved(text *out, const run_view *v)
{
    const int64_t unsaved = run_view_unsaved(v), last = v->summary.last;
    if (unsaved == 0)
        return;
    text_add(out, ", %" PRId64 " of them without a state (", unsaved);
    if (unsaved > 1)
        text_add(out, "%" PRId64 " to ", last - unsaved + 1);
    text_add(out, "%" PRId64 "), which the next run generates again", last);
}

int64_t run_view_first_of_replicas(const run_view *v)
{
    const segments *all = &v->folder.segments;
    int64_t first = v->summary.from;
    for (int i = 1; i < all->count && all->item[i].first <= v->summary.last; i++)
        if (v->folder.segment[i].new_tempering && all->item[i].first > first)
            first = all->item[i].first;
    return first;
}

const char *run_view_state(const run_view *v)
{
    return v->folder.running ? "running" : v->folder.failed.time.length > 0 ? "failed" : "idle";
}

void run_view_add_last_process(text *out, const run_view *v, const char *between)
{
    lost_process_add(out, &v->folder.lost, between);
    failed_run_add(out, &v->folder.failed, between);
}

void run_view_add_restarts(text *out, const run_view *v)
{
    const restart_log *l = &v->folder.restarts;
    if (l->count > 0)
        text_add(out, "%" PRId64 " after kills of the process, which changed no bit; the last one: %s", l->count,
                 text_string(&l->last));
}

void run_view_add_quantity_estimate(text *out, const quantity *q, estimate_writer *add)
{
    if (q->scale && isfinite(q->scale->needed_x))
        text_add(out, "none: %s %g needed", q->scale->range, q->scale->needed_x);
    else
        add(out, &q->of);
}

void run_view_add_values(text *out, const quantity *q)
{
    const int64_t used = q->scale ? q->scale->used : q->of.count;
    text_add(out, "%" PRId64, used);
    if (used < q->made)
        text_add(out, " of %" PRId64, q->made);
    if (q->beyond)
        text_add(out, ", lattice too small");
}

void run_view_add_tau(text *out, const correlated_mean *m)
{
    const int decimals = m->tau < 1 ? 2 : m->tau < 10 ? 1 : 0;
    if (!isfinite(m->tau))
        text_add(out, "%s", m->verdict == SERIES_CONSTANT ? "constant" : "-");
    else if (m->verdict == SERIES_TOO_SHORT || !isfinite(m->tau_error))
        text_add(out, m->verdict == SERIES_TOO_SHORT ? "> %.2g" : "%.2g", m->tau);
    else
        text_add(out, "%.*f +- %.*f", decimals, m->tau, decimals, m->tau_error);
}

void run_view_add_mean_energy(text *out, const correlated_mean *joules)
{
    const joules_unit unit = joules_unit_of(joules->mean);
    correlated_mean m = *joules;
    m.mean /= unit.joules;
    m.error /= unit.joules;
    run_view_add_estimate(out, &m);
    text_add(out, " %s per trajectory", unit.name);
    if (m.verdict == SERIES_TOO_SHORT || m.verdict == SERIES_SHORT)
        text_add(out, " (%s)", series_verdict_names[m.verdict]);
}

void run_view_add_energy(text *out, const run_summary *s)
{
    const int64_t known = s->joules.of.count;
    text_add(out, ", %s in ", joules_to_text(s->all_joules).s);
    if (known < s->trajectories)
        text_add(out, "%" PRId64 " of %" PRId64 " ", known, s->trajectories);
    text_add(out, "trajectories");
}

void run_view_add_independent_energy(text *out, const run_summary *s, const char *tau)
{
    const independent_cost *c = &s->slowest_joules;
    if (isfinite(c->value))
        text_add(out, "%s%s per independent configuration (2%s of %s)", c->bound ? "more than " : "",
                 joules_to_text(c->value).s, tau, s->slowest);
}

void run_view_add_duration(text *out, double seconds)
{
    enum { MINUTE = 60, DAY = 86400 };
    int64_t whole = (int64_t)(seconds + 0.5);
    if (!(seconds >= 0 && seconds < 1e12))
        text_add(out, "unknown");
    else if (seconds < MINUTE)
        text_add(out, "%.3g s", seconds);
    else if (whole < HOUR)
        text_add(out, "%d min %d s", (int)(whole / MINUTE), (int)(whole % MINUTE));
    else if (whole < DAY)
        text_add(out, "%d h %d min", (int)(whole / HOUR), (int)(whole % HOUR / MINUTE));
    else
        text_add(out, "%" PRId64 " d %d h", whole / DAY, (int)(whole % DAY / HOUR));
}
