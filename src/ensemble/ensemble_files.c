/* ensemble_files.c - names of the files of an ensemble, its lock, the list of its states. */
#include "src/ensemble/ensemble_files.h"

#include "src/base/log.h"
#include "src/base/open_file.h"
#include "src/comm/comm.h"
#include "src/ensemble/segments.h"
#include "src/ensemble/state_fields_folder.h"
#include "src/io/disk.h"
#include "src/io/links_file.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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
        fail(f, "%s: cannot create this folder: %s: %s", directory, text_string(&path), strerror(reason));
    text_free(&path);
    return reason == 0;
}

/* Try for a moment: `kiln status` holds the lock for an instant when it tests it. */
static bool lock_patiently(int lock)
{
    enum { TRIES = 10 };
    const struct timespec pause = { .tv_nsec = 50000000 };
    for (int i = 0; i < TRIES; i++) {
        if (flock(lock, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK)
            return false;
        nanosleep(&pause, NULL);
    }
    errno = EWOULDBLOCK;
    return false;
}

/* The line of the process that held the lock last; "" without one. */
static void read_holder(char holder[LOCK_LINE], int lock)
{
    const ssize_t n = pread(lock, holder, LOCK_LINE - 1, 0);
    holder[n > 0 ? n : 0] = '\0';
    holder[strcspn(holder, "\n")] = '\0';
}

/* Appends the line of the process that held the lock last, if that process was killed. */
static void add_lost_holder(text *lost, int lock)
{
    char holder[LOCK_LINE];
    read_holder(holder, lock);
    text_add(lost, "%s", strstr(holder, LOCK_ENDED) ? "" : holder);
}

text ensemble_lost_holder(const char *directory)
{
    text path = path_in_folder(directory, "lock"), lost = { 0 };
    const int lock = open_file_own(text_string(&path), O_RDONLY);
    if (lock >= 0) {
        add_lost_holder(&lost, lock);
        close(lock);
    }
    text_free(&path);
    return lost;
}

static int acquire_lock(text *lost, const char *directory, failure *f)
{
    text path = path_in_folder(directory, "lock");
    char holder[LOCK_LINE] = "";
    int lock = open_file_own(text_string(&path), O_RDWR | O_CREAT);
    if (lock < 0) {
        fail(f, "%s: cannot be opened: %s", text_string(&path), open_file_reason(errno));
    } else if (!lock_patiently(lock)) {
        int reason = errno;
        read_holder(holder, lock);
        if (reason == EWOULDBLOCK)
            fail(f, "%s: another process runs this ensemble (%s); kiln watch %s follows it; a second stream needs "
                    "another output.directory and random.stream", text_string(&path),
                 *holder ? holder : "unknown", directory);
        else
            fail(f, "%s: cannot be locked: %s", text_string(&path), strerror(reason));
        close(lock);
        lock = -1;
    } else {
        char host[64] = "";
        add_lost_holder(lost, lock);
        gethostname(host, sizeof host - 1);
        int n = snprintf(holder, sizeof holder, "process %ld on %s\n", (long)getpid(), host);
        /* The text is for people and kiln status: the run holds its lock even where a full disk refuses it. */
        if (ftruncate(lock, 0) != 0 || pwrite(lock, holder, (size_t)n, 0) != n)
            log_line(LOG_DETAIL, "%s: %s", text_string(&path), strerror(errno));
    }
    text_free(&path);
    return lock;
}

/* Appends LOCK_ENDED to the line.  If a full disk refuses more bytes, empties the file: "" also means a normal end. */
static void mark_ended(int lock)
{
    static const char ended[] = LOCK_ENDED "\n";
    char holder[LOCK_LINE];
    const ssize_t n = pread(lock, holder, sizeof holder, 0), length = sizeof ended - 1;
    if ((n <= 0 || pwrite(lock, ended, (size_t)length, n - 1) != length) && ftruncate(lock, 0) != 0)
        log_line(LOG_DETAIL, "the lock: %s", strerror(errno));
}

/* Overwrites before it truncates: a full disk does not refuse bytes that replace others. */
static void write_lost_holder(int lock, const text *lost)
{
    const ssize_t length = (ssize_t)lost->length + 1;
    char holder[LOCK_LINE + 1];
    snprintf(holder, sizeof holder, "%s\n", text_string(lost));
    if (pwrite(lock, holder, (size_t)length, 0) != length || ftruncate(lock, length) != 0)
        log_line(LOG_DETAIL, "the lock: %s", strerror(errno));
}

void ensemble_unlock(int *lock, const text *lost)
{
    if (*lock < 0)
        return;
    if (lost->length > 0)
        write_lost_holder(*lock, lost);
    else
        mark_ended(*lock);
    close(*lock);
    *lock = -1;
}

bool ensemble_lock(int *lock, text *lost, const char *directory, failure *f)
{
    const comm *world = comm_world();
    *lock = -1;
    if (comm_is_root(world))
        *lock = acquire_lock(lost, directory, f);
    return comm_agree(world, *lock >= 0 || !comm_is_root(world), f);
}
