/* ensemble_files.c - names of the files of an ensemble, the list of its states, its lock. */
#include "src/ensemble/ensemble_files.h"

#include "src/base/log.h"
#include "src/ensemble/segments.h"
#include "src/ensemble/state_fields_folder.h"
#include "src/io/disk.h"
#include "src/io/folder_lock.h"
#include "src/io/links_file.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const infix[] = { [FILE_CONFIGURATION] = "", [FILE_CHECKPOINT] = ".checkpoint" };

#define SUFFIX ".lime"

text state_file_path(const run_params *p, state_file_kind kind, int64_t trajectory)
{
    text path = { 0 };
    text_add(&path, "%s/%s%s.%06" PRId64 SUFFIX, p->output.directory, p->output.name, infix[kind], trajectory);
    return path;
}

/* Whether `entry` begins with the name of a state file of this kind; its trajectory, and what follows the name. */
static bool parse_name(const run_params *p, state_file_kind kind, const char *entry, int64_t *trajectory,
                       const char **rest)
{
    text head = { 0 };
    text_add(&head, "%s%s.", p->output.name, infix[kind]);
    bool fits = strncmp(entry, text_string(&head), head.length) == 0;
    const char *digits = entry + head.length;
    size_t n = fits ? strspn(digits, "0123456789") : 0;
    text_free(&head);
    /* Leading zeros fill up to six digits, so that a number has only one name. */
    if (n < 6 || n > 10 || (n > 6 && *digits == '0') || strncmp(digits + n, SUFFIX, strlen(SUFFIX)) != 0)
        return false;
    *trajectory = strtoll(digits, NULL, 10);
    *rest = digits + n + strlen(SUFFIX);
    return true;
}

static int newest_first(const void *left, const void *right)
{
    const state_file *a = left, *b = right;
    if (a->trajectory != b->trajectory)
        return a->trajectory < b->trajectory ? 1 : -1;
    return (int)a->kind - (int)b->kind;
}

state_files state_files_list(const run_params *p)
{
    state_files files = { 0 };
    disk_names names;
    require(disk_list(&names, p->output.directory) || errno == ENOENT || errno == ENOTDIR,
            "%s: its files cannot be listed: %s", p->output.directory, strerror(errno));
    for (int i = 0; i < names.count; i++)
        for (state_file_kind kind = FILE_CONFIGURATION; kind <= FILE_CHECKPOINT; kind++) {
            int64_t trajectory;
            const char *rest;
            if (!parse_name(p, kind, names.name[i], &trajectory, &rest) || *rest)
                continue;
            files.file = realloc(files.file, (size_t)(files.count + 1) * sizeof *files.file);
            require(files.file != NULL, "out of host memory: the list of files in %s", p->output.directory);
            files.file[files.count++] = (state_file){ trajectory, kind, state_file_path(p, kind, trajectory).s, false };
        }
    disk_names_free(&names);
    if (files.count > 0)
        qsort(files.file, (size_t)files.count, sizeof *files.file, newest_first);
    return files;
}

void state_files_free(state_files *files)
{
    for (int i = 0; i < files->count; i++)
        free(files->file[i].path);
    free(files->file);
    *files = (state_files){ 0 };
}

bool state_file_is_incomplete(const char *path)
{
    links_info info;
    return links_read_info(path, &info, NULL) && (info.bits == 32 || (info.has_state && info.state.lacks_fields));
}

static void remove_checkpoint(const run_params *p, const state_file *file)
{
    if (disk_unlink(file->path) != 0)
        log_line(LOG_WARNING, "%s: cannot remove this old checkpoint: %s", file->path, strerror(errno));
    else
        state_fields_remove(p, file->trajectory);
}

void state_files_prune(const run_params *p, int keep, int64_t newest, int64_t confirmed)
{
    state_files files = state_files_list(p);
    bool still_wanted = true;                 /* one that is confirmed */
    int newer = 0;
    for (int i = 0; i < files.count; i++) {
        if (files.file[i].trajectory > newest)
            continue;
        const bool first_confirmed = still_wanted && files.file[i].trajectory <= confirmed
                                     && !state_file_is_incomplete(files.file[i].path);
        still_wanted &= !first_confirmed;
        if (newer < keep)
            newer += !state_file_is_incomplete(files.file[i].path);
        else if (first_confirmed)
            continue;
        else if (files.file[i].kind == FILE_CHECKPOINT)
            remove_checkpoint(p, &files.file[i]);
    }
    state_files_free(&files);
}

void state_file_set_aside(const char *path)
{
    text aside = { 0 };
    text_add(&aside, "%s.corrupt", path);
    for (int n = 2; disk_has(text_string(&aside)); n++) {
        text_clear(&aside);
        text_add(&aside, "%s.corrupt.%d", path, n);
    }
    if (disk_rename(path, text_string(&aside)) == 0)
        log_line(LOG_WARNING, "%s: renamed to %s", path, text_string(&aside));
    else
        log_line(LOG_WARNING, "%s: cannot be renamed to %s: %s", path, text_string(&aside), strerror(errno));
    text_free(&aside);
}

/* Whether safe_file made this name while it wrote a file of the ensemble. */
static bool is_temporary(const run_params *p, const char *entry)
{
    static const char *const plain[] = { "parameters.", SEGMENTS_FILE };
    int64_t trajectory;
    const char *rest = entry, *mark = strstr(entry, SAFE_FILE_TEMPORARY);
    if (!mark)
        return false;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strncmp(entry, plain[i], strlen(plain[i])) == 0)
            return true;
    return (parse_name(p, FILE_CONFIGURATION, entry, &trajectory, &rest)
            || parse_name(p, FILE_CHECKPOINT, entry, &trajectory, &rest)) && rest == mark;
}

void state_files_sweep(const run_params *p)
{
    disk_names names;
    disk_list(&names, p->output.directory);
    for (int i = 0; i < names.count; i++) {
        if (!is_temporary(p, names.name[i]))
            continue;
        text path = path_in_folder(p->output.directory, names.name[i]);
        if (disk_unlink(text_string(&path)) != 0)
            log_line(LOG_WARNING, "%s: cannot remove this temporary file of a killed process: %s", text_string(&path),
                     strerror(errno));
        text_free(&path);
    }
    disk_names_free(&names);
}

bool ensemble_folder_create(const char *directory, failure *f)
{
    text path = { 0 };
    struct stat what = { 0 };
    int reason = 0;
    for (const char *end = directory; *end && reason == 0;) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        text_clear(&path);
        text_add_bytes(&path, directory, (size_t)(end - directory));
        const bool absent = disk_status(&what, text_string(&path)) != 0;
        if (absent)
            reason = disk_make_folder(text_string(&path)) == 0 ? 0 : errno;
        const bool made = absent && reason == 0;
        if (disk_status(&what, text_string(&path)) == 0)     /* another process may have made it in between */
            reason = S_ISDIR(what.st_mode) ? 0 : ENOTDIR;
        if (made && !safe_file_keep_name(text_string(&path), f)) {
            text_free(&path);
            return false;
        }
    }
    if (reason)
        fail_system(f, reason, "%s: cannot create this folder: %s: %s", directory, text_string(&path),
                    strerror(reason));
    text_free(&path);
    return reason == 0;
}

bool ensemble_lock(int *lock, text *lost, const char *directory, failure *f)
{
    text remedy = { 0 };
    text_add(&remedy, "kiln watch %s follows it; a second stream needs another output.directory and random.stream",
             directory);
    const folder_holder other = { .does = "runs this ensemble", .remedy = text_string(&remedy) };
    const bool locked = folder_lock(lock, lost, directory, &other, f);
    text_free(&remedy);
    return locked;
}
