/* results.c - read, lock and extend a file of measurements. */
#include "src/ensemble/results.h"

#include "src/base/checksum.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/base/utf8.h"
#include "src/comm/comm.h"
#include "src/base/json_members.h"
#include "src/ensemble/checksummed_line.h"
#include "src/ensemble/key_list.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

typedef struct { char *path, *checksum; int64_t size, modified; uint64_t links; } known_file;
typedef struct { char *name; uint64_t settings; } known_settings;

struct results {
    text path;
    int descriptor;                      /* holds the lock; -1 on ranks that do not write */
    key_list keys;
    int files, files_capacity;
    known_file *file;
    int sets;
    known_settings *set;                 /* without repetitions */
    int64_t broken, first_broken;        /* lines that changed since they were written, and the number of the first */
    off_t end;                           /* of the last whole line */
};

/* ---- keys */

uint64_t results_key(const char *name, uint64_t parameters, uint64_t links, const measurement_point *random)
{
    text what = { 0 };
    text_add(&what, "%s %016" PRIx64 " %016" PRIx64, name, parameters, links);
    if (random)
        text_add(&what, " %016" PRIx64 " %" PRIu32 " %" PRId64, random->seed, random->stream, random->trajectory);
    const uint64_t key = digest64(DIGEST64_START, text_string(&what), what.length);
    text_free(&what);
    return key;
}

/* In place of a number: of any configuration with a number of its own, and of any without. */
enum { WITHOUT_NUMBER = -1, WITH_NUMBER = -2, NAMES = -3 };

int64_t results_number(int64_t number, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return number >= 0 ? number : NAMES - (int64_t)(digest64(DIGEST64_START, name, strlen(name)) >> 2);
}

static uint64_t numbered_key(uint64_t key, int64_t number)
{
    return digest64(digest64(DIGEST64_START, &key, sizeof key), &number, sizeof number);
}

bool results_have(const results *r, uint64_t key, int64_t number)
{
    return key_list_has(&r->keys, numbered_key(key, number))
           || key_list_has(&r->keys, numbered_key(key, number >= 0 ? WITHOUT_NUMBER : WITH_NUMBER));
}

bool results_have_unnumbered(const results *r, uint64_t key)
{
    return key_list_has(&r->keys, numbered_key(key, WITHOUT_NUMBER));
}

/* ---- settings */

bool results_have_others(uint64_t *other, const results *r, const char *name, uint64_t settings)
{
    for (int i = r->sets - 1; i >= 0; i--)
        if (strcmp(r->set[i].name, name) == 0 && r->set[i].settings != settings) {
            *other = r->set[i].settings;
            return true;
        }
    return false;
}

static void add_settings(results *r, const char *name, uint64_t settings)
{
    assert(name != NULL);                                     /* the key of a member */
    for (int i = 0; i < r->sets; i++)
        if (r->set[i].settings == settings && strcmp(r->set[i].name, name) == 0)
            return;
    r->set = realloc(r->set, (size_t)(r->sets + 1) * sizeof *r->set);
    require(r->set != NULL, "out of host memory: the settings of results");
    r->set[r->sets] = (known_settings){ strdup(name), settings };
    require(r->set[r->sets++].name != NULL, "out of host memory: the settings of results");
}

/* ---- files */

static bool is_file(const known_file *known, const measured_file *file)
{
    return known->size == file->size && known->modified == file->modified && strcmp(known->path, file->path) == 0
           && strcmp(known->checksum, file->checksum) == 0;
}

bool results_links_of(uint64_t *links, const results *r, const measured_file *file)
{
    for (int i = r->files - 1; i >= 0; i--)
        if (is_file(&r->file[i], file)) {
            *links = r->file[i].links;
            return true;
        }
    return false;
}

static void add_file(results *r, const measured_file *file, uint64_t links)
{
    if (r->files == r->files_capacity) {
        r->files_capacity = r->files_capacity ? 2 * r->files_capacity : 256;
        r->file = realloc(r->file, (size_t)r->files_capacity * sizeof *r->file);
        require(r->file != NULL, "out of host memory: the files of results");
    }
    known_file *known = &r->file[r->files++];
    *known = (known_file){ strdup(file->path), strdup(file->checksum), file->size, file->modified, links };
    require(known->path && known->checksum, "out of host memory: the files of results");
}

/* ---- lines */

#define BEGIN "{\"file\": \""
#define KEYS ", \"keys\": {"

/* Whether a line, perhaps a torn one, begins as lines of results do.  Kiln changes no other file. */
static bool begins_well(const char *line, size_t length)
{
    const size_t n = sizeof BEGIN - 1;
    return strncmp(line, BEGIN, length < n ? length : n) == 0;
}

/* The position after the first closing brace that is not in a text; NULL: there is none. */
static const char *after_brace(const char *s)
{
    for (bool in_text = false; *s; s++) {
        if (*s == '"')
            in_text = !in_text;
        else if (*s == '\\' && s[1])
            s++;
        else if (*s == '}' && !in_text)
            return s + 1;
    }
    return NULL;
}

/* The members of a line up to "keys", as an object of their own: the results behind them may be long.  *rest: the
 * members after "keys". */
static text head_of(const char *line, const char **rest)
{
    text head = { 0 };
    const char *keys = strstr(line, KEYS), *end = keys ? after_brace(keys) : NULL;
    *rest = end ? end : "";
    if (end) {
        text_add_bytes(&head, line, (size_t)(end - line));
        text_add(&head, "}");
    }
    return head;
}

/* The number of the trajectory, which follows "bits" (links_to_json) in the members after "keys"; -1 without one. */
static int64_t trajectory_of(const char *rest)
{
    const char *bits = strstr(rest, ", \"bits\": ");
    int64_t n;
    return bits && sscanf(bits, ", \"bits\": %*d, \"trajectory\": %" SCNd64, &n) == 1 ? n : -1;
}

/* `path`: of the file, in bytes. */
static bool read_members(results *r, const members *line, const char *path, int64_t trajectory)
{
    measured_file file = { path, 0, 0, json_members_text(line, "checksum") };
    members keys, sets = { json_member_object(line->object, "settings"), NULL, NULL };
    uint64_t links = 0, key = 0;
    yyjson_val *name, *value;
    size_t i, count;
    if (!file.checksum || !json_members_integer(&file.size, line, "size")
        || !json_members_integer(&file.modified, line, "modified")
        || !json_members_count(&links, UINT64_MAX, line, "links") || !json_members_object(&keys, line, "keys"))
        return false;
    yyjson_obj_foreach(keys.object, i, count, name, value) {
        if (!json_members_count(&key, UINT64_MAX, &keys, yyjson_get_str(name)))
            return false;
        key_list_add(&r->keys, numbered_key(key, results_number(trajectory, path)));
        key_list_add(&r->keys, numbered_key(key, trajectory >= 0 ? WITH_NUMBER : WITHOUT_NUMBER));
    }
    if (sets.object)
        yyjson_obj_foreach(sets.object, i, count, name, value) {
            if (!json_members_count(&key, UINT64_MAX, &sets, yyjson_get_str(name)))
                return false;
            add_settings(r, yyjson_get_str(name), key);
        }
    add_file(r, &file, links);
    return true;
}

/* Take in a whole line; false if it is none of results. */
static bool parse_line(results *r, const char *line, int64_t number)
{
    if (checksummed_line_check(line) != CHECKSUM_HOLDS) {
        r->first_broken = r->broken++ ? r->first_broken : number;
        return true;
    }
    const char *rest;
    text head = head_of(line, &rest);
    yyjson_doc *doc = json_read_string(text_string(&head), "line", NULL);
    const members m = { yyjson_doc_get_root(doc), NULL, NULL };
    const char *path = doc ? json_members_text(&m, "file") : NULL;
    text bytes = { 0 };
    utf8_add_bytes(&bytes, path ? path : "");
    const bool ok = path && read_members(r, &m, text_string(&bytes), trajectory_of(rest));
    text_free(&bytes);
    yyjson_doc_free(doc);
    text_free(&head);
    return ok;
}

/* All whole lines of the file; r->end is behind the last of them. */
static bool read_lines(results *r, failure *f)
{
    const char *path = text_string(&r->path);
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int64_t number = 0;
    FILE *file = disk_open(path);
    if (!file)
        return fail_system(f, errno, "%s: cannot be opened: %s", path, open_file_reason(errno));
    bool ok = true, whole = true;
    errno = 0;
    while (ok && whole && (length = getline(&line, &capacity, file)) > 0) {
        whole = line[length - 1] == '\n';
        r->end += whole ? length : 0;
        number++;
        ok = (begins_well(line, (size_t)length) && (!whole || parse_line(r, line, number)))
             || fail(f, "%s: line %" PRId64 " is not a line of results; choose another file for the results", path,
                     number);
    }
    ok = ok && (!ferror(file) || fail_system(f, errno, "%s: cannot be read: %s", path, strerror(errno)));
    free(line);
    fclose(file);
    return ok;
}

/* ---- opening */

/* On rank 0: create the file if it is missing, and lock it. */
static bool lock_file(results *r, failure *f)
{
    const char *path = text_string(&r->path);
    r->descriptor = open_file(path, O_RDWR | O_APPEND | O_CREAT);
    if (r->descriptor < 0)
        return fail_system(f, errno, "%s: cannot be opened: %s", path, open_file_reason(errno));
    if (flock(r->descriptor, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno == EWOULDBLOCK)
        return fail(f, "%s: another process writes measurements to this file; wait for its end, or choose another file",
                    path);
    return fail_system(f, errno, "%s: cannot be locked: %s", path, strerror(errno));
}

/* On rank 0: remove what follows the last whole line. */
static bool cut_torn_line(const results *r, failure *f)
{
    const char *path = text_string(&r->path);
    const off_t size = lseek(r->descriptor, 0, SEEK_END);
    if (size <= r->end)
        return true;
    log_line(LOG_WARNING, "%s: the last line is incomplete: a process was killed while it wrote; Kiln removes the line "
                          "and measures again", path);
    return (ftruncate(r->descriptor, r->end) == 0 && fsync(r->descriptor) == 0)
           || fail_system(f, errno, "%s: the incomplete last line cannot be removed: %s", path, strerror(errno));
}

results *results_open(const char *path, failure *f)
{
    const comm *world = comm_world();
    const bool root = comm_is_root(world);
    results *r = memory_alloc(sizeof *r, "a file of results");
    r->descriptor = -1;
    text_add(&r->path, "%s", path);
    bool ok = comm_agree(world, !root || lock_file(r, f), f) && safe_file_keep_name(path, f);
    ok = ok && comm_agree(world, read_lines(r, f), f) && comm_agree(world, !root || cut_torn_line(r, f), f);
    if (ok && r->broken > 0)
        log_line(LOG_WARNING, "%s: %s changed since Kiln wrote them, beginning with line %" PRId64
                              "; Kiln measures these configurations again", path,
                 count_to_text(r->broken, "line").s, r->first_broken);
    if (ok)
        return r;
    results_close(r);
    return NULL;
}

void results_close(results *r)
{
    if (!r)
        return;
    if (r->descriptor >= 0)
        close(r->descriptor);
    for (int i = 0; i < r->files; i++) {
        free(r->file[i].path);
        free(r->file[i].checksum);
    }
    for (int i = 0; i < r->sets; i++)
        free(r->set[i].name);
    free(r->set);
    free(r->file);
    key_list_free(&r->keys);
    text_free(&r->path);
    memory_free(r);
}

/* ---- writing */

void results_begin_line(json *j, const measured_file *file, uint64_t links, const measured_key *keys, int count)
{
    json_open(j, NULL, '{');
    json_text(j, "file", file->path);
    json_int(j, "size", file->size);
    json_int(j, "modified", file->modified);
    json_text(j, "checksum", file->checksum);
    json_hex(j, "links", links);
    json_open(j, "settings", '{');
    for (int i = 0; i < count; i++)
        if (keys[i].settings)
            json_hex(j, keys[i].name, keys[i].settings);
    json_close(j);
    json_open(j, "keys", '{');
    for (int i = 0; i < count; i++)
        json_hex(j, keys[i].name, keys[i].key);
    json_close(j);
}

/* On rank 0: all bytes of a line in the file and on the disk; otherwise nothing of it. */
static bool write_line(const results *r, const text *line, failure *f)
{
    size_t done = 0;
    errno = 0;
    while (done < line->length) {
        const ssize_t n = write(r->descriptor, line->s + done, line->length - done);
        if (n < 0 && errno != EINTR)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    if (done == line->length && fsync(r->descriptor) == 0)
        return true;
    fail_system(f, errno, "%s: the results cannot be written: %s", text_string(&r->path), strerror(errno));
    if (ftruncate(r->descriptor, r->end) != 0)
        log_line(LOG_WARNING, "%s: its last line is incomplete: %s", text_string(&r->path), strerror(errno));
    return false;
}

bool results_append(results *r, json *j, failure *f)
{
    const comm *world = comm_world();
    text line = { 0 };
    checksummed_line_add(j);
    json_close(j);
    text_add(&line, "%s\n", json_string(j));
    const bool ok = comm_agree(world, !comm_is_root(world) || write_line(r, &line, f), f);
    if (ok) {
        r->end += (off_t)line.length;
        parse_line(r, line.s, 0);
    }
    text_free(&line);
    return ok;
}
