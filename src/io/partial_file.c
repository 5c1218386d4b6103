/* partial_file.c - create temporary files, and remove those whose process has ended.
 *
 * A file is removed only if its process has certainly ended: its name has the number of this machine and that of a
 * process which does not exist, it belongs to this user, and its lock is free.  The number of the machine is needed
 * where locks do not reach other machines, the number of the process in the time between creation and lock. */
#include "src/io/partial_file.h"

#include "src/base/checksum.h"
#include "src/base/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };       /* containers may have the same host name and numbers of processes */

static uint32_t host_number(void)
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return (uint32_t)(digest64(DIGEST64_START, name, strlen(name)) & 0xffffffff);
}

static void set_name(text *name, const char *path, int attempt)
{
    text_clear(name);
    text_add(name, "%s" SAFE_FILE_TEMPORARY "%" PRIu32 "-%ld-%d", path, host_number(), (long)getpid(), attempt);
}

/* ---- files that are left */

/* Whether the numbers in a name are those of an ended process of this machine. */
static bool has_ended(const char *numbers)
{
    char *end;
    errno = 0;
    const unsigned long long host = strtoull(numbers, &end, 10);
    if (end == numbers || *end != '-' || host != host_number())
        return false;
    const char *process = end + 1;
    const long long number = strtoll(process, &end, 10);
    return end != process && *end == '-' && errno == 0 && number > 0 && number == (pid_t)number
           && kill((pid_t)number, 0) != 0 && errno == ESRCH;
}

/* The files of a folder, which has no folders of its own. */
static void empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
}

static void remove_if_free(const char *path)
{
    struct stat named, opened;
    if (lstat(path, &named) != 0 || named.st_uid != geteuid() || !(S_ISREG(named.st_mode) || S_ISDIR(named.st_mode)))
        return;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &opened) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
        && flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
        if (S_ISDIR(opened.st_mode))
            empty_folder(path);
        const bool removed = (S_ISDIR(opened.st_mode) ? rmdir(path) : unlink(path)) == 0;
        if (removed)
            log_line(LOG_DETAIL, "%s: removed; its process was killed", path);
        else
            log_line(LOG_WARNING, "%s: cannot remove what a killed process left: %s", path, strerror(errno));
    }
    close(descriptor);
}

void partial_files_sweep(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(name), mark = sizeof SAFE_FILE_TEMPORARY - 1;
    text folder = { 0 };
    if (slash)
        text_add_bytes(&folder, path, (size_t)(slash - path + 1));
    else
        text_add(&folder, "./");
    DIR *d = opendir(text_string(&folder));
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (strncmp(entry->d_name, name, length) == 0
            && strncmp(entry->d_name + length, SAFE_FILE_TEMPORARY, mark) == 0
            && has_ended(entry->d_name + length + mark)) {
            text left = { 0 };
            text_add(&left, "%s%s", text_string(&folder), entry->d_name);
            remove_if_free(text_string(&left));
            text_free(&left);
        }
    if (d)
        closedir(d);
    text_free(&folder);
}

/* ---- creation */

int partial_file_create(text *name, const char *path)
{
    int descriptor = -1;
    partial_files_sweep(path);
    for (int i = 0; i < ATTEMPTS && descriptor < 0 && (i == 0 || errno == EEXIST); i++) {
        set_name(name, path, i);
        descriptor = open(text_string(name), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    /* Some file systems have no locks; the number of the process protects the file there. */
    if (descriptor >= 0)
        (void)flock(descriptor, LOCK_EX | LOCK_NB);
    return descriptor;
}

int partial_folder_create(text *name, const char *path)
{
    int made = -1;
    partial_files_sweep(path);
    for (int i = 0; i < ATTEMPTS && made != 0 && (i == 0 || errno == EEXIST); i++) {
        set_name(name, path, i);
        made = mkdir(text_string(name), 0777);
    }
    const int descriptor = made == 0 ? open(text_string(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        (void)flock(descriptor, LOCK_EX | LOCK_NB);
    } else if (made == 0) {
        const int reason = errno;
        rmdir(text_string(name));
        errno = reason;
    }
    return descriptor;
}

void partial_file_name(text *name, const char *path)
{
    struct stat there;
    partial_files_sweep(path);
    for (int i = 0; i < ATTEMPTS && (i == 0 || lstat(text_string(name), &there) == 0); i++)
        set_name(name, path, i);
}
