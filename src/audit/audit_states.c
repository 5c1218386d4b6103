/* audit_states.c - check that every configuration and checkpoint of the record exists, is readable and is correct. */
#include "src/audit/audit_parts.h"

#include "src/ensemble/state_fields.h"
#include "src/io/configuration.h"
#include "src/io/disk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ANOTHER_COPY "restore the right file from a copy; or move this file and all later ones away, and kiln run " \
                     "generates them again from the newest remaining state"

/* The walk through the states.  `parent`: the links digest that the next configuration must name, of trajectory `named`
 * (0: of the start links); `digests`: the `older` ones before; `unchained`: that of the last configuration before the
 * chain begins; `gap`: the configuration that the next one names is missing or faulty, so the next one is not
 * blamed. */
typedef struct { place where; uint64_t parent, unchained; int64_t named, older; uint64_t *digests; bool gap; } walk;

static bool same_stream(audit *a, const links_info *info, const char *path, const char *advice)
{
    const run_params *p = &a->params;
    if (memcmp(info->extents, p->extents, sizeof p->extents) != 0)
        return audit_found(a, path, "a file of another lattice", extents_to_text(p->extents).s,
                           extents_to_text(info->extents).s, advice);
    if (!info->has_state)
        return audit_found(a, path, "a file without a state", "a valid record kiln-run-state", "none", advice);
    if (info->state.seed != (uint64_t)p->random.seed || info->state.stream != (uint32_t)p->random.stream)
        return audit_found(a, path, "a file of another stream",
                           fault_format("seed %" PRId64 ", stream %" PRId64, p->random.seed, p->random.stream).s,
                           fault_format("seed %" PRIu64 ", stream %" PRIu32, info->state.seed, info->state.stream).s,
                           advice);
    return true;
}

/* Compare the state with its segment and its line. */
static bool fits_record(audit *a, const run_state *state, const char *path)
{
    const record_rules rules = audit_rules(a);
    stream_fault f = { 0 };
    const bool ok = record_check_state(&f, &a->record, &rules, state, path, ANOTHER_COPY)
                    || audit_found(a, text_string(&f.where), text_string(&f.what), text_string(&f.expected),
                                   text_string(&f.found), text_string(&f.advice));
    stream_fault_free(&f);
    return ok;
}

static bool is_older(const walk *w, uint64_t digest)
{
    for (int64_t i = 0; i < w->older; i++)
        if (w->digests[i] == digest)
            return true;
    return false;
}

static bool check_parent(audit *a, const walk *w, const run_state *state, const char *path)
{
    if (state->trajectory < a->segments.item[0].first || state->parent_digest == w->parent
        || (w->named == 0 && state->parent_digest == w->unchained))
        return true;
    if (w->gap)
        return true;
    if (is_older(w, state->parent_digest)) {
        audit_note(a, "%s: names an older configuration as the previous one: the interval of files was changed after "
                      "the run was killed", path);
        return true;
    }
    fault_reason before = fault_format("the start links");
    if (w->named > 0)
        before = fault_format("the configuration of %" PRId64, w->named);
    return audit_found(a, path, "a state that does not follow the previous configuration",
                       fault_format("links digest 0x%016" PRIx64 " of %s", w->parent, before.s).s,
                       fault_format("0x%016" PRIx64, state->parent_digest).s, ANOTHER_COPY);
}

/* Check one file completely; its metadata come first, so that a file of another stream need not be read to its end. */
static bool check_file(audit *a, walk *w, const state_file *file, uint64_t *digest)
{
    configuration_facts facts;
    failure why;
    const char *path = file->path;
    if (!links_read_info(path, &facts.info, &why)) {
        if (file->kind == FILE_CHECKPOINT && !disk_has(path))
            return true;                                  /* an active run has removed it */
        return audit_found(a, path, "a file that cannot be read", "a configuration with its state", why.why,
                           ANOTHER_COPY);
    }
    if (!same_stream(a, &facts.info, path, ANOTHER_COPY))
        return false;
    if (facts.info.state.trajectory != file->trajectory)
        return audit_found(a, path, "a file under the name of another trajectory",
                           fault_format("trajectory %" PRId64, file->trajectory).s,
                           fault_format("trajectory %" PRId64, facts.info.state.trajectory).s, ANOTHER_COPY);
    if (file->trajectory > record_check_last(&a->record))
        return audit_found(a, path, "a state without a line in the record",
                           fault_format("lines up to %" PRId64, file->trajectory).s,
                           fault_format("up to %" PRId64, record_check_last(&a->record)).s,
                           "restore the record from a copy");
    if (!fits_record(a, &facts.info.state, path) || !check_parent(a, w, &facts.info.state, path))
        return false;
    gauge *u = configuration_open(w->where, &facts, path, &why);
    if (!u)
        return audit_found(a, path, "a damaged file",
                           "links in SU(3) with the checksum, plaquette and link trace of its metadata", why.why,
                           ANOTHER_COPY);
    configuration_close(u);
    if (facts.info.state.has_fields && !state_fields_check(&a->params, &facts.info.state, &why) && disk_has(path))
        return audit_found(a, path, "a state without its fields",
                           "the folder of its fields, with its digest", why.why, ANOTHER_COPY);
    *digest = facts.digest;
    if (file->kind == FILE_CONFIGURATION)
        a->configurations++;
    else
        a->checkpoints++;
    return true;
}

/* Advance the chain past a configuration: the next one names it. */
static void follow_state(walk *w, int64_t trajectory, uint64_t digest)
{
    w->digests = realloc(w->digests, (size_t)(w->older + 1) * sizeof *w->digests);
    require(w->digests != NULL, "out of host memory: digests of configurations");
    w->digests[w->older++] = w->parent;
    w->parent = digest;
    w->named = trajectory;
    w->gap = false;
}

/* Check the files of trajectory n, and whether one is missing.  `i`: index of the oldest file not yet checked. */
static void check_trajectory(audit *a, walk *w, int64_t n, int *i)
{
    const bool has_line = n > a->record.start && n <= record_check_last(&a->record);
    const bool due = has_line && record_check_line(&a->record, n)->configuration;
    bool found = false;
    int last = *i;
    while (*i >= 0 && a->files.file[*i].trajectory == n)
        --*i;
    for (int k = *i + 1; k <= last; k++) {                /* configurations first */
        const state_file *file = &a->files.file[k];
        uint64_t digest = 0;
        const bool fine = check_file(a, w, file, &digest);
        if (file->kind != FILE_CONFIGURATION)
            continue;
        found = true;
        w->gap |= !fine;                                  /* the next one is not blamed for naming it */
        if (!fine)
            continue;
        if (n < a->segments.item[0].first)
            w->unchained = digest;
        else if (due)
            follow_state(w, n, digest);
        else
            audit_note(a, "%s: exists, but the record has no configuration at %" PRId64 ": the interval of files was "
                          "changed after the run was killed", file->path, n);
    }
    if (!due || found)
        return;
    text path = state_file_path(&a->params, FILE_CONFIGURATION, n);
    if (a->gaps)
        audit_note(a, "%s: is missing, but the record lists it", text_string(&path));
    else
        audit_found(a, text_string(&path), "a missing configuration",
                fault_format("the configuration listed in line %" PRId64 " of the record", n - a->record.start).s,
                "no such file", "restore it from a copy, or from where it was moved");
    text_free(&path);
    w->gap = true;
}

void audit_states(audit *a, place where)
{
    walk w = { .where = where, .parent = a->segments.item[0].chain, .unchained = a->segments.item[0].chain };
    int i = a->files.count - 1;
    for (; i >= 0 && a->files.file[i].trajectory < a->record.start; i--)      /* a fault */
        check_file(a, &w, &a->files.file[i], &(uint64_t){ 0 });
    const int64_t last = a->short_record ? record_check_last(&a->record) : a->newest;
    for (int64_t n = a->record.start; n <= last; n++)
        check_trajectory(a, &w, n, &i);
    for (; i >= 0 && !a->short_record; i--)
        if (state_file_is_incomplete(a->files.file[i].path))
            audit_note(a, "%s: later than the newest state; it is checked when the run continues",
                       a->files.file[i].path);
        else
            check_file(a, &w, &a->files.file[i], &(uint64_t){ 0 });
    free(w.digests);
}

static bool begins_stream(const char *name, const char *head)
{
    return strncmp(name, head, strlen(head)) == 0;
}

static bool is_state_file(const audit *a, const char *name)
{
    for (int i = 0; i < a->files.count; i++)
        if (strcmp(a->files.file[i].path + strlen(a->directory) + 1, name) == 0)
            return true;
    return false;
}

static bool is_segment_file(const audit *a, const char *name)
{
    bool is = false;
    for (int i = 0; i < a->segments.count && !is; i++) {
        text path = segments_parameters_path(&a->segments, a->directory, i);
        is = strcmp(text_string(&path) + strlen(a->directory) + 1, name) == 0;
        text_free(&path);
    }
    return is;
}

/* Check a file that is neither a state nor a parameter file of a segment. */
static bool check_other(audit *a, const char *name)
{
    static const char *const ours[] = { "run.jsonl", "run.log", "lock", "report.html", "ildg", SEGMENTS_FILE };
    static const struct { const char *head, *what; } kept[] = {
        { "failure.", "a failed trajectory" },
        { "midtrajectory.", "an unfinished trajectory" },
        { "sdc.", "two evaluations that differ" },
        { "parameters.", "belongs to no segment: left by an interrupted change of parameters" },
    };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(name, ours[i]) == 0)
            return true;
    if (strstr(name, ".partial-") || strstr(name, ".corrupt")) {
        audit_note(a, "%s/%s: %s", a->directory, name,
                   strstr(name, ".corrupt") ? "a damaged file that a run renamed"
                                            : "an incomplete file of an active or killed run");
        return true;
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (begins_stream(name, kept[i].head)) {
            audit_note(a, "%s/%s: %s", a->directory, name, kept[i].what);
            return true;
        }
    int64_t trajectory;
    if (state_fields_is_name(&a->params, name, &trajectory))
        return true;
    links_info info;
    fault_reason path = fault_format("%s/%s", a->directory, name);
    if (links_read_info(path.s, &info, NULL) && info.has_state
        && !same_stream(a, &info, path.s, "move it to its own ensemble"))
        return false;
    audit_note(a, "%s: not a file of the ensemble", path.s);
    return true;
}

void audit_other_files(audit *a)
{
    disk_names names;
    disk_list(&names, a->directory);
    for (int i = 0; i < names.count; i++) {
        const char *name = names.name[i];
        if (name[0] != '.' && !is_state_file(a, name) && !is_segment_file(a, name))
            check_other(a, name);
    }
    disk_names_free(&names);
}
