/* ensemble_check.c - parameters, segments, record and states of an ensemble, checked before it continues. */
#include "src/ensemble/ensemble_check.h"

#include "src/base/checksum.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/ensemble/ensemble_parameters.h"
#include "src/ensemble/record.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

bool ensemble_is_fresh(const run_params *p)
{
    state_files files = state_files_list(p);
    bool fresh = files.count == 0 && record_is_empty(p->output.directory);
    state_files_free(&files);
    return fresh;
}

bool ensemble_memory_fits(const run_params *p, place where, failure *f)
{
    failure other;
    if (hmc_memory_fits(p, where, f))
        return true;
    if (!ensemble_is_fresh(p) && !ensemble_lattice_agrees(p, &other))
        *f = other;
    return false;
}

/* Whether a run that stopped before its first state leaves a file of this name. */
static bool is_of_a_beginning(const char *name)
{
    static const char *const ours[] = { "lock", "run.log", "run.jsonl", SEGMENTS_FILE, "parameters.yaml" };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(name, ours[i]) == 0)
            return true;
    return *name == '.' || strstr(name, SAFE_FILE_TEMPORARY) != NULL;
}

/* Without states and record there is at most one segment: a second one begins after trajectories. */
static bool check_segments_of_a_beginning(const char *directory, failure *f)
{
    segments s;
    bool ok = segments_read(&s, directory, f)
              && (s.count <= 1
                  || fail(f, "%s: " SEGMENTS_FILE " has several segments, but states and record of their trajectories "
                             "are missing: restore them from a copy, or use another directory",
                          directory));
    segments_free(&s);
    return ok;
}

/* Whether parameters.yaml may be replaced: it is missing, or as kiln run writes it. */
static bool check_parameters_of_a_beginning(const char *directory, failure *f)
{
    parameters_file there = { 0 };
    failure why;
    text path = ensemble_parameters_path(directory, INT64_MAX), content = { 0 };
    bool ok = !disk_has(text_string(&path)) && errno == ENOENT;
    if (!ok && parameters_file_read(&there, text_string(&path), &why)) {
        ensemble_parameters_text(&content, &there.in.p, ENSEMBLE_IN_ITS_FOLDER);
        ok = digest64(DIGEST64_START, text_string(&content), content.length) == there.file_digest;
    }
    if (!ok)
        fail(f, "%s: was not written by kiln run and is not overwritten; choose a new folder as output.directory, or "
                "move the file away", text_string(&path));
    parameters_file_free(&there);
    text_free(&path);
    text_free(&content);
    return ok;
}

static bool check_names_of_a_beginning(const run_params *p, failure *f)
{
    const char *directory = p->output.directory;
    disk_names names;
    bool ok = true;
    disk_list(&names, directory);
    for (int i = 0; ok && i < names.count; i++)
        ok = is_of_a_beginning(names.name[i])
             || fail(f, "%s: holds no ensemble, but other files (%s); choose a new folder as output.directory",
                     directory, names.name[i]);
    disk_names_free(&names);
    return ok;
}

/* The run generates lost lines at the end of the record again.  A missing record is refused: somebody probably forgot
 * to copy it, and the run would generate the whole stream again. */
static bool check_record_is_there(const run_params *p, failure *f)
{
    text path = path_in_folder(p->output.directory, "run.jsonl");
    state_files files = state_files_list(p);
    bool ok = files.count == 0 || files.file[0].trajectory <= p->start.trajectory || disk_has(text_string(&path))
              || fail(f, "%s: is missing, but there are states up to trajectory %" PRId64 "; restore it from a copy, "
                         "or create an empty file to generate all trajectories again", text_string(&path),
                      files.file[0].trajectory);
    state_files_free(&files);
    text_free(&path);
    return ok;
}

bool ensemble_check_folder(const run_params *p, failure *f)
{
    const char *directory = p->output.directory;
    struct stat there;
    if (disk_status(&there, directory) == 0 ? !S_ISDIR(there.st_mode) : errno == ENOTDIR)
        return fail_system(f, ENOTDIR, "%s: %s; choose as output.directory the name of a folder, which kiln run makes",
                           directory, strerror(ENOTDIR));
    if (!ensemble_is_fresh(p))
        return check_record_is_there(p, f);
    return (check_segments_of_a_beginning(directory, f) && check_names_of_a_beginning(p, f)
            && check_parameters_of_a_beginning(directory, f))
           || !ensemble_is_fresh(p);                /* another process has begun it in the meantime */
}

/* Whether the input, written out, has exactly these bytes. */
static bool input_gives(const run_params *p, uint64_t file_digest, text *content)
{
    ensemble_parameters_text(content, p, ENSEMBLE_IN_ITS_FOLDER);
    return digest64(DIGEST64_START, text_string(content), content->length) == file_digest;
}

static bool refuse_missing(const char *path, const segment *s, int number, failure *f)
{
    return fail(f, "%s: is missing, and the input differs from it (" SEGMENTS_FILE ": digest 0x%016" PRIx64
                   " of segment %d); restore the file from a copy, or run with the input that has the values of "
                   "segment %d: \"changes\" in " SEGMENTS_FILE " lists what each segment changed", path,
                s->file_digest, number, number);
}

bool ensemble_restore_parameters(const segments *s, const run_params *p, failure *f)
{
    bool ok = true;
    for (int i = 0; ok && i < s->count; i++) {
        text path = segments_parameters_path(s, p->output.directory, i), content = { 0 };
        const char *name = text_string(&path);
        const bool missing = !disk_has(name) && errno == ENOENT;
        if (missing && !input_gives(p, s->item[i].file_digest, &content)) {
            log_line(LOG_WARNING, "%s: is missing; this run does not need the file, but kiln audit and kiln publish "
                                  "do: restore it from a copy", name);
        } else if (missing) {
            ok = safe_file_write_text(name, text_string(&content), true, f);
            if (ok)
                log_line(LOG_WARNING, "%s: was missing; restored from the input, whose digest agrees with "
                                      SEGMENTS_FILE, name);
        }
        text_free(&path);
        text_free(&content);
    }
    return ok;
}

static bool is_unchanged(const parameters_file *file, const char *path, const segment *s, int number,
                         const run_params *p, failure *f)
{
    text content = { 0 };
    if (file->input_digest == s->input_digest && file->file_digest == s->file_digest)
        return true;
    const char *more = input_gives(p, s->file_digest, &content)
                           ? ", or remove it: kiln run then restores it from this input" : "";
    text_free(&content);
    if (file->input_digest == s->input_digest)
        return fail(f, "%s: was changed, though not in its physics: expected the file digest 0x%016" PRIx64
                       " (" SEGMENTS_FILE " line %d), found 0x%016" PRIx64 "; restore it from a copy%s",
                    path, s->file_digest, number, file->file_digest, more);
    return fail(f, "%s: was changed: expected the input digest 0x%016" PRIx64 " (" SEGMENTS_FILE
                   " line %d), found 0x%016" PRIx64 "; restore it from a copy%s", path, s->input_digest, number,
                file->input_digest, more);
}

enum { UNKNOWN = -1 };                 /* hmc.thermalization of a segment without its file */

static bool check_parameters(ensemble_past *past, int index, const run_params *p, failure *f)
{
    const segments *s = past->rules.segments;
    const bool newest = index == s->count - 1;
    parameters_file file = { 0 };
    text path = segments_parameters_path(s, p->output.directory, index), content = { 0 };
    const char *name = text_string(&path);
    const bool missing = !disk_has(name) && errno == ENOENT;
    const bool given = missing && input_gives(p, s->item[index].file_digest, &content);
    bool ok = missing ? given || !newest || refuse_missing(name, &s->item[index], index + 1, f)
                      : parameters_file_read(&file, name, f)
                            && is_unchanged(&file, name, &s->item[index], index + 1, p, f);
    past->missing |= given && newest;
    if (ok)
        past->thermalization[index] = given ? p->hmc.thermalization : missing ? UNKNOWN
                                                                              : file.in.p.hmc.thermalization;
    parameters_file_free(&file);
    text_free(&path);
    text_free(&content);
    return ok;
}

/* The run can do without the file of an old segment if another one has the same input digest, thus its thermalization:
 * they differ in measurements or other keys that may change. */
static bool do_without(ensemble_past *past, int index, const run_params *p, failure *f)
{
    const segments *s = past->rules.segments;
    for (int i = 0; i < s->count && past->thermalization[index] == UNKNOWN; i++)
        if (s->item[i].input_digest == s->item[index].input_digest)
            past->thermalization[index] = past->thermalization[i];
    if (past->thermalization[index] != UNKNOWN)
        return true;
    text path = segments_parameters_path(s, p->output.directory, index);
    refuse_missing(text_string(&path), &s->item[index], index + 1, f);
    text_free(&path);
    return false;
}

static bool any_state_chained(const run_params *p)
{
    state_files files = state_files_list(p);
    bool chained = false;
    for (int i = 0; i < files.count && !chained; i++) {
        links_info info;
        chained = links_read_info(files.file[i].path, &info, NULL) && info.has_state && info.state.chained;
    }
    state_files_free(&files);
    return chained;
}

bool ensemble_is_chained(const run_params *p)
{
    const segments none = { 0 };
    record_check lines;
    record_check_file(&lines, p->output.directory, &(record_rules){ .segments = &none }, INT64_MAX);
    const bool chained = lines.chained || any_state_chained(p);
    record_check_free(&lines);
    return chained;
}

bool ensemble_check_tables(ensemble_past *past, const segments *s, const run_params *p, failure *f)
{
    const char *directory = p->output.directory;
    ensemble_past_free(past);
    past->thermalization = memory_alloc((size_t)(s->count + 1) * sizeof *past->thermalization,
                                        "segments of an ensemble");
    past->rules = (record_rules){ s, past->thermalization, p->start.trajectory, (uint64_t)p->random.seed,
                                  (uint32_t)p->random.stream };
    for (int i = 0; i < s->count; i++)
        if (!check_parameters(past, i, p, f))
            return false;
    for (int i = 0; i < s->count; i++)
        if (!do_without(past, i, p, f))
            return false;
    record_check_file(&past->record, directory, &past->rules, INT64_MAX);
    if (s->count == 0 && ensemble_is_chained(p))
        return fail(f, "%s/" SEGMENTS_FILE ": is missing, so that the parameters of the trajectories are unknown; "
                       "restore it from a copy, or begin another ensemble with a configuration of this one as "
                       "start.file", directory);
    return true;
}

void ensemble_past_free(ensemble_past *past)
{
    record_check_free(&past->record);
    memory_free(past->thermalization);
    *past = (ensemble_past){ 0 };
}

/* Check the metadata of a state, not its links. */
static bool check_state(const ensemble_past *past, const run_params *p, const state_file *file, failure *f)
{
    static const char advice[] = "restore the right file from a copy, or move this one away";
    links_info info;
    failure why;
    stream_fault fault = { 0 };
    if (!links_read_info(file->path, &info, &why)) {
        log_line(LOG_WARNING, "%s; this run does not need the file; see kiln audit", why.why);
        return true;
    }
    if (memcmp(info.extents, p->extents, sizeof info.extents) != 0)
        return fail(f, "%s: expected a lattice of %s, found %s; %s", file->path, extents_to_text(p->extents).s,
                    extents_to_text(info.extents).s, advice);
    if (!info.has_state) {
        log_line(LOG_WARNING, "%s: has no valid record kiln-run-state; this run does not need the file; see kiln audit",
                 file->path);
        return true;
    }
    if (info.state.seed != past->rules.seed || info.state.stream != past->rules.stream)
        return fail(f, "%s: expected seed %" PRIu64 ", stream %" PRIu32 ", found seed %" PRIu64
                       ", stream %" PRIu32 "; %s", file->path, past->rules.seed, past->rules.stream, info.state.seed,
                    info.state.stream, advice);
    if (info.state.trajectory != file->trajectory)
        return fail(f, "%s: expected the state after trajectory %" PRId64 ", found the one after trajectory %" PRId64
                       "; %s", file->path, file->trajectory, info.state.trajectory, advice);
    bool ok = record_check_state(&fault, &past->record, &past->rules, &info.state, file->path, advice)
              || stream_fault_fail(&fault, f);
    stream_fault_free(&fault);
    return ok;
}

/* Warn of configurations that the record lists, but the folder does not have. */
static void warn_of_missing(const ensemble_past *past, const run_params *p, int64_t trajectory)
{
    int64_t missing = 0, first = 0;
    for (int64_t n = p->start.trajectory + 1; n <= trajectory; n++) {
        if (!record_check_line(&past->record, n)->configuration)
            continue;
        text path = state_file_path(p, FILE_CONFIGURATION, n);
        if (!disk_has(text_string(&path)))
            first = missing++ ? first : n;
        text_free(&path);
    }
    if (missing > 0)
        log_line(LOG_WARNING, "%s: %s missing, beginning with trajectory %" PRId64 "; this run does not need the "
                              "files, but kiln audit and kiln publish do: restore them", p->output.directory,
                 nouns_to_text(missing, "configuration of the record is", "configurations of the record are").s, first);
}

bool ensemble_check_states(const ensemble_past *past, const run_params *p, int64_t trajectory, failure *f)
{
    state_files files = state_files_list(p);
    bool ok = true;
    for (int i = 0; i < files.count && ok; i++)
        if (files.file[i].trajectory <= trajectory)
            ok = check_state(past, p, &files.file[i], f);
    state_files_free(&files);
    if (ok)
        warn_of_missing(past, p, trajectory);
    return ok;
}
