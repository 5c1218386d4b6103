/* file_calls.c - which calls change files, and what they work on in the process that makes them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* process_vm_readv */
#endif
#include "tests/ensemble/file_calls.h"

#ifdef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

const watched_call watched_calls[] = {
    { SYS_write, "write", "d", 0, 0 },
    { SYS_writev, "writev", "d", 0, 0 },
    { SYS_pwrite64, "pwrite", "d", 0, 0 },
    { SYS_openat, "open", "ap", 2, O_CREAT },
    { SYS_fsync, "fsync", "d", -1, 0 },
    { SYS_ftruncate, "ftruncate", "d", -1, 0 },
    { SYS_renameat2, "renameat2", "apap", -1, 0 },
    { SYS_linkat, "linkat", "apap", -1, 0 },
    { SYS_unlinkat, "unlinkat", "ap", -1, 0 },
    { SYS_mkdirat, "mkdirat", "ap", -1, 0 },
#ifdef SYS_rename
    { SYS_rename, "rename", "pp", -1, 0 },
    { SYS_link, "link", "pp", -1, 0 },
    { SYS_unlink, "unlink", "p", -1, 0 },
    { SYS_mkdir, "mkdir", "p", -1, 0 },
#endif
#ifdef SYS_renameat
    { SYS_renameat, "renameat", "apap", -1, 0 },
#endif
    { 0 },
};
_Static_assert(sizeof watched_calls / sizeof *watched_calls <= WATCHED_CALLS + 1, "a filter has room for all");

const watched_call *watched_call_of(int number)
{
    for (const watched_call *w = watched_calls; w->name; w++)
        if (w->number == number)
            return w;
    return NULL;
}

/* What a descriptor of the caller (AT_FDCWD: its working directory) is open on. */
static void path_of_descriptor(char path[PATH_MAX], const struct seccomp_notif *call, int descriptor)
{
    char link[64];
    if (descriptor == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/%u/cwd", (unsigned)call->pid);
    else
        snprintf(link, sizeof link, "/proc/%u/fd/%d", (unsigned)call->pid, descriptor);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    path[n < 0 ? 0 : n] = 0;
}

/* A path in the memory of the caller, counted from `folder`.  It is read piece by piece: what follows it may be the end
 * of what can be read. */
static void path_in_memory(char path[PATH_MAX], const struct seccomp_notif *call, uint64_t address, const char *folder)
{
    char name[PATH_MAX] = "";
    enum { PIECE = 16 };
    for (size_t n = 0, piece; n + PIECE < sizeof name && !memchr(name, 0, n); n += piece) {
        piece = PIECE - (address + n) % PIECE;
        struct iovec here = { name + n, piece }, there = { (void *)(uintptr_t)(address + n), piece };
        if (process_vm_readv((pid_t)call->pid, &here, 1, &there, 1, 0) != (ssize_t)piece)
            break;
    }
    if (name[0] == '/')
        folder = "";
    snprintf(path, PATH_MAX, "%.*s%s%.*s", PATH_MAX / 2 - 1, folder, *folder ? "/" : "", PATH_MAX / 2 - 1, name);
}

void call_list(FILE *list, const struct seccomp_notif *call)
{
    char path[PATH_MAX], folder[PATH_MAX];
    const watched_call *w = watched_call_of(call->data.nr);
    fputs(w->name, list);
    for (int i = 0; w->files[i]; i++) {
        const int descriptor = (int)call->data.args[i];
        if (w->files[i] == 'a')
            continue;
        path_of_descriptor(folder, call, i > 0 && w->files[i - 1] == 'a' ? (int)call->data.args[i - 1] : AT_FDCWD);
        if (w->files[i] == 'd')
            path_of_descriptor(path, call, descriptor);
        else
            path_in_memory(path, call, call->data.args[i], folder);
        fprintf(list, " %s", path);
    }
    fputc('\n', list);
}

bool call_is_of_a_file(const struct seccomp_notif *call)
{
    static const int on_descriptors[] = { SYS_write, SYS_writev, SYS_pwrite64, SYS_fsync, SYS_ftruncate };
    char path[64];
    struct stat about;
    snprintf(path, sizeof path, "/proc/%u/fd/%d", (unsigned)call->pid, (int)call->data.args[0]);
    for (size_t i = 0; i < sizeof on_descriptors / sizeof *on_descriptors; i++)
        if (call->data.nr == on_descriptors[i])
            return stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode);
    return true;
}

int64_t call_write_part(const struct seccomp_notif *call, size_t most)
{
    enum { MOST = 1 << 12 };
    char bytes[MOST];
    bool positioned = call->data.nr == SYS_pwrite64;
    size_t n = call->data.args[2] < most ? (size_t)call->data.args[2] : most;
    struct iovec here = { bytes, n < MOST ? n : MOST }, there = { (void *)(uintptr_t)call->data.args[1], here.iov_len };
    if (call->data.nr != SYS_write && !positioned)
        return -1;
    int process = (int)syscall(SYS_pidfd_open, (pid_t)call->pid, 0);
    int file = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, (int)call->data.args[0], 0);
    ssize_t written = -1;
    if (file >= 0 && process_vm_readv((pid_t)call->pid, &here, 1, &there, 1, 0) == (ssize_t)here.iov_len)
        written = positioned ? pwrite(file, bytes, here.iov_len, (off_t)call->data.args[3])
                             : write(file, bytes, here.iov_len);
    if (file >= 0)
        close(file);
    if (process >= 0)
        close(process);
    return written;
}
#endif
