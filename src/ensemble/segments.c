/* segments.c - read, begin and add the segments of an ensemble; a change takes effect with one line, written
 * atomically. */
#include "src/ensemble/segments.h"

#include "src/base/checksum.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/base/json_members.h"
#include "src/ensemble/ensemble_parameters.h"
#include "src/ensemble/checksummed_line.h"
#include "src/ensemble/joined_changes.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifndef PACKAGE_STRING
#define PACKAGE_STRING "kiln"
#endif

void segments_free(segments *s)
{
    for (int i = 0; i < s->count; i++)
        free(s->item[i].line);
    free(s->item);
    *s = (segments){ 0 };
}

static void append_segment(segments *s, segment item)
{
    s->item = realloc(s->item, (size_t)(s->count + 1) * sizeof *s->item);
    require(s->item != NULL, "out of host memory: segments of an ensemble");
    s->item[s->count++] = item;
}

static bool read_line(segment *item, int number, const char *line, failure *f)
{
    int64_t found = 0;
    if (checksummed_line_check(line) != CHECKSUM_HOLDS)
        return fail(f, "the digest does not agree with the line, which was changed or is incomplete");
    yyjson_doc *doc = json_read_string(line, "line", f);
    const members m = { yyjson_doc_get_root(doc), NULL, f };
    bool ok = doc && json_members_integer(&found, &m, "segment")
              && (found == number || fail(f, "expected segment %d, found %" PRId64, number, found))
              && json_members_integer(&item->first, &m, "first_trajectory")
              && json_members_count(&item->input_digest, UINT64_MAX, &m, "input_digest")
              && json_members_count(&item->file_digest, UINT64_MAX, &m, "file_digest")
              && json_members_count(&item->chain, UINT64_MAX, &m, "chain");
    yyjson_doc_free(doc);
    return ok;
}

bool segments_read(segments *s, const char *directory, failure *f)
{
    text path = path_in_folder(directory, SEGMENTS_FILE);
    FILE *file = disk_open(text_string(&path));
    char *line = NULL;
    size_t capacity = 0;
    failure why;
    bool ok = file || errno == ENOENT
              || fail_system(f, errno, "%s: cannot be read: %s", text_string(&path), open_file_reason(errno));
    *s = (segments){ 0 };
    while (ok && file && getline(&line, &capacity, file) > 0) {
        segment item = { 0 };
        ok = read_line(&item, s->count + 1, line, &why)
             && (s->count == 0 || item.first >= s->item[s->count - 1].first
                 || fail(&why, "it begins with trajectory %" PRId64 ", before the one above", item.first));
        if (!ok) {
            fail(f, "%s: line %d: %s", text_string(&path), s->count + 1, why.why);
            break;
        }
        item.line = strdup(line);
        require(item.line != NULL, "out of host memory: segments of an ensemble");
        append_segment(s, item);
    }
    if (ok && file && ferror(file))
        ok = fail_system(f, errno, "%s: cannot be read: %s", text_string(&path), strerror(errno));
    if (ok && file && s->count == 0)
        ok = fail(f, "%s: is empty", text_string(&path));
    free(line);
    if (file)
        fclose(file);
    text_free(&path);
    return ok;
}

int segments_at(const segments *s, int64_t trajectory)
{
    int index = s->count > 0 ? s->count - 1 : 0;
    while (index > 0 && s->item[index].first > trajectory)
        index--;
    return index;
}

bool segments_change_at(const segments *s, int64_t trajectory)
{
    const int index = segments_at(s, trajectory);
    return index > 0 && s->item[index].first == trajectory
           && s->item[index].input_digest != s->item[index - 1].input_digest;
}

int64_t segments_last(const segments *s, int index)
{
    return index + 1 < s->count ? s->item[index + 1].first - 1 : INT64_MAX;
}

int64_t segments_last_unchanged(const segments *s, int index)
{
    while (index + 1 < s->count && s->item[index + 1].input_digest == s->item[index].input_digest)
        index++;
    return segments_last(s, index);
}

int64_t segments_chain_begins(const segments *s)
{
    return s && s->count > 0 ? s->item[0].first : INT64_MAX;
}

/* "ensemble: monomials.0.beta: 5.7" */
static bool is_of_monomials(const char *change)
{
    change += strcspn(change, ":");
    change += strspn(change, ": ");
    return strncmp(change, "monomials.", strlen("monomials.")) == 0;
}

bool segments_change_monomials(const segments *s, int index)
{
    yyjson_doc *line = index > 0 ? json_read_string(s->item[index].line, SEGMENTS_FILE, NULL) : NULL;
    yyjson_val *changes = json_member_list(yyjson_doc_get_root(line), "changes"), *change;
    size_t i, count;
    bool found = false;
    yyjson_arr_foreach(changes, i, count, change)
        found = found || (yyjson_is_str(change) && is_of_monomials(yyjson_get_str(change)));
    yyjson_doc_free(line);
    return found;
}

text segments_parameters_path(const segments *s, const char *directory, int index)
{
    return ensemble_parameters_path(directory, segments_last(s, index));
}

/* Write the file from the lines, completely or not at all. */
static bool write_lines(const segments *s, const char *directory, failure *f)
{
    text path = path_in_folder(directory, SEGMENTS_FILE), content = { 0 };
    for (int i = 0; i < s->count; i++)
        text_add(&content, "%s", s->item[i].line);
    bool ok = safe_file_write_text(text_string(&path), text_string(&content), true, f);
    text_free(&path);
    text_free(&content);
    return ok;
}

static void add_changes(json *j, const text *changes)
{
    json_open(j, "changes", '[');
    for (const char *line = changes ? text_string(changes) : ""; *line;) {
        text one = { 0 };
        line += strspn(line, "\n ");
        text_add_bytes(&one, line, strcspn(line, "\n"));
        line += strcspn(line, "\n");
        if (one.length > 0)
            json_text(j, NULL, text_string(&one));
        text_free(&one);
    }
    json_close(j);
}

/* Append a segment with its line; false if the line cannot be read back (a reason that is not valid text). */
static bool compose_line(segments *s, segment item, const char *reason, const text *changes, failure *f)
{
    json j = { 0 };
    text line = { 0 };
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    failure why;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    json_open(&j, NULL, '{');
    json_int(&j, "segment", s->count + 1);
    json_int(&j, "first_trajectory", item.first);
    json_hex(&j, "input_digest", item.input_digest);
    json_hex(&j, "file_digest", item.file_digest);
    json_hex(&j, "chain", item.chain);
    json_text(&j, "reason", reason);
    add_changes(&j, changes);
    json_text(&j, "time", stamp);
    json_text(&j, "version", PACKAGE_STRING);
    checksummed_line_add(&j);
    json_close(&j);
    text_add(&line, "%s\n", json_string(&j));
    json_free(&j);
    segment back;
    if (!read_line(&back, s->count + 1, text_string(&line), &why)) {
        text_free(&line);
        return fail(f, "the reason of a new segment cannot be written: %s", why.why);
    }
    item.line = line.s;
    append_segment(s, item);
    return true;
}

bool segments_begin(segments *s, const char *directory, int64_t first, uint64_t chain, failure *f)
{
    parameters_file there;
    text path = ensemble_parameters_path(directory, INT64_MAX);
    segments_free(s);
    bool ok = parameters_file_read(&there, text_string(&path), f)
              && compose_line(s, (segment){ first, there.input_digest, there.file_digest, chain, NULL }, NULL, NULL, f)
              && write_lines(s, directory, f);
    parameters_file_free(&there);
    text_free(&path);
    return ok;
}

/* The reasons of a segment and of a change after it, and their changes as those of one. */
static void join(text *reason, text *changes, const segment *s, const segments_change *change)
{
    yyjson_doc *line = json_read_string(s->line, SEGMENTS_FILE, NULL);
    const char *before = json_member_text(yyjson_doc_get_root(line), "reason");
    yyjson_val *list = json_member_list(yyjson_doc_get_root(line), "changes"), *item;
    size_t i, count;
    text all = { 0 };
    text_add(reason, "%s", before ? before : "");
    if (change->reason && (!before || strcmp(before, change->reason) != 0))
        text_add(reason, "%s%s", reason->length ? "; " : "", change->reason);
    yyjson_arr_foreach(list, i, count, item)
        if (yyjson_is_str(item))
            text_add(&all, "\n  %s", yyjson_get_str(item));
    text_add(&all, "%s", text_string(change->changes));
    joined_changes_add(changes, &all);
    text_free(&all);
    yyjson_doc_free(line);
}

static bool copy_file(const char *from, const char *to, failure *f)
{
    text content = { 0 };
    bool ok = disk_add_file(&content, from, f) && safe_file_write_text(to, text_string(&content), true, f);
    text_free(&content);
    return ok;
}

/* Replace parameters.yaml by a copy of parameters.yaml.next, then remove the latter. */
static bool apply_next_parameters(const char *directory, failure *f)
{
    text next = path_in_folder(directory, PARAMETERS_NEXT), path = ensemble_parameters_path(directory, INT64_MAX);
    bool ok = copy_file(text_string(&next), text_string(&path), f)
              && (disk_unlink(text_string(&next)) == 0
                  || fail_system(f, errno, "%s: cannot be removed: %s", text_string(&next), strerror(errno)));
    text_free(&next);
    text_free(&path);
    return ok;
}

bool segments_open(segments *s, const char *directory, failure *f)
{
    if (!segments_read(s, directory, f))
        return false;
    text next = path_in_folder(directory, PARAMETERS_NEXT);
    uint64_t digest;
    bool ok = true;
    if (disk_has(text_string(&next))) {
        if (s->count > 0 && file_digest(text_string(&next), &digest, f)
            && digest == s->item[s->count - 1].file_digest) {
            log_line(LOG_INFO, "%s: completed an interrupted change of parameters, which applies from trajectory %"
                               PRId64 " on", directory, s->item[s->count - 1].first);
            ok = apply_next_parameters(directory, f);
        } else if (disk_unlink(text_string(&next)) != 0) {
            ok = fail_system(f, errno, "%s: cannot remove this file of an incomplete change of parameters: %s",
                             text_string(&next), strerror(errno));
        }
    }
    text_free(&next);
    return ok;
}

/* The order of writes: see the head of segments.h. */
bool segments_add(segments *s, const run_params *p, const segments_change *change, failure *f)
{
    const char *directory = p->output.directory;
    const segment *newest = &s->item[s->count - 1];
    if (change->first < newest->first)
        return fail(f, "%s: trajectories %" PRId64 " to %" PRId64 " of an earlier segment are missing; before you "
                       "change parameters, generate them again: kiln run %s/parameters.%06" PRId64 ".yaml",
                    directory, change->first, newest->first - 1,
                    directory, newest->first - 1);
    text path = ensemble_parameters_path(directory, INT64_MAX), next = path_in_folder(directory, PARAMETERS_NEXT);
    text old = ensemble_parameters_path(directory, change->first - 1), content = { 0 }, reason = { 0 }, changes = { 0 };
    ensemble_parameters_text(&content, p, ENSEMBLE_IN_ITS_FOLDER);
    segment item = { .first = change->first, .input_digest = run_params_digest(p), .chain = change->chain,
                     .file_digest = digest64(DIGEST64_START, text_string(&content), content.length) };
    /* The first segment keeps the parameters that made its start links. */
    const bool replaces = item.first == newest->first
                          && (s->count > 1 || item.input_digest == newest->input_digest);
    if (replaces) {
        join(&reason, &changes, newest, change);
        free(s->item[--s->count].line);
    }
    bool ok = compose_line(s, item, reason.length ? reason.s : change->reason,
                           replaces ? &changes : change->changes, f)
              && safe_file_write_text(text_string(&next), text_string(&content), true, f)
              && (replaces || copy_file(text_string(&path), text_string(&old), f)) && write_lines(s, directory, f)
              && apply_next_parameters(directory, f);
    text_free(&path);
    text_free(&next);
    text_free(&old);
    text_free(&content);
    text_free(&reason);
    text_free(&changes);
    return ok;
}
