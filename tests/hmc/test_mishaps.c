/* test_mishaps.c - a system that fails at a chosen call: a tool for tests of what survives, and its own test.
 *
 *     test_mishaps count COMMAND...             prints how many calls COMMAND makes that change files
 *     test_mishaps error NUMBER K COMMAND...    the K-th of them fails with errno NUMBER
 *     test_mishaps signal NUMBER K COMMAND...   a signal arrives before the K-th
 *     test_mishaps short NUMBER K COMMAND...    the K-th writes no more than NUMBER bytes, if it is a write
 *     test_mishaps before SHELL K COMMAND...    a command of the shell runs before the K-th
 *
 * prints the K-th call's name and ends with the status of COMMAND (128 + the signal that ended it), or with
 * 77 where the system does not offer this.  The calls are seen through a seccomp filter with a listener
 * (Linux 5.5, no privilege): COMMAND is the program as it is, and a call is stopped before it happens. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* process_vm_readv */
#endif
#include "tests/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNAVAILABLE = 77, NOT_STARTED = 126 };

typedef enum { COUNT, ERROR, SIGNAL, SHORT, BEFORE } mishap_kind;
typedef struct { mishap_kind kind; int number; long at; const char *shell; } mishap;

/* What became of a command. */
typedef struct { int status; long calls; const char *name; } mishap_end;

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#endif

#ifdef SECCOMP_USER_NOTIF_FLAG_CONTINUE
/* Calls that change files.  `argument`: which of them must have one of `bits` (an open that creates), or be
 * larger than 2 (a write to a file, not to the terminal); -1: all. */
typedef struct { int number; const char *name; int argument; uint32_t bits; } watched_call;
static const watched_call watched[] = {
    { SYS_write, "write", 0, 0 },
    { SYS_writev, "writev", 0, 0 },
    { SYS_pwrite64, "pwrite", 0, 0 },
    { SYS_openat, "open", 2, O_CREAT },
    { SYS_fsync, "fsync", -1, 0 },
    { SYS_ftruncate, "ftruncate", -1, 0 },
    { SYS_renameat2, "renameat2", -1, 0 },
    { SYS_linkat, "linkat", -1, 0 },
    { SYS_unlinkat, "unlinkat", -1, 0 },
    { SYS_mkdirat, "mkdirat", -1, 0 },
#ifdef SYS_rename
    { SYS_rename, "rename", -1, 0 },
    { SYS_link, "link", -1, 0 },
    { SYS_unlink, "unlink", -1, 0 },
    { SYS_mkdir, "mkdir", -1, 0 },
#endif
#ifdef SYS_renameat
    { SYS_renameat, "renameat", -1, 0 },
#endif
};
enum { WATCHED = sizeof watched / sizeof *watched, STEPS = 5 };

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offsetof(struct seccomp_data, member)))
#define TELL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* From now on the calls of this process wait for the listener, whose descriptor is returned. */
static int install_filter(void)
{
    struct sock_filter program[WATCHED * (STEPS + 1) + 2];
    size_t n = 0;
    program[n++] = (struct sock_filter)LOAD(nr);
    for (int i = 0; i < WATCHED; i++) {
        const watched_call *w = &watched[i];
        struct sock_filter steps[STEPS] = { TELL };
        uint8_t length = 1;
        if (w->argument >= 0) {
            uint16_t test = w->bits ? BPF_JSET : BPF_JGT;
            steps[0] = (struct sock_filter)LOAD(args[w->argument]);
            steps[1] = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, w->bits ? w->bits : 2u, 0, 1);
            steps[2] = (struct sock_filter)TELL;
            steps[3] = (struct sock_filter)ALLOW;
            length = 4;
        }
        program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)w->number, 0, length);
        memcpy(program + n, steps, length * sizeof *steps);
        n += length;
    }
    program[n++] = (struct sock_filter)ALLOW;
    struct sock_fprog filter = { .len = (unsigned short)n, .filter = program };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}

/* A message that carries one descriptor. */
typedef union { char space[CMSG_SPACE(sizeof(int))]; struct cmsghdr aligned; } descriptor_space;

static struct msghdr carrier(descriptor_space *space, struct iovec *byte)
{
    memset(space, 0, sizeof *space);
    return (struct msghdr){ .msg_iov = byte, .msg_iovlen = 1, .msg_control = space->space,
                            .msg_controllen = sizeof space->space };
}

static bool send_descriptor(int socket, int descriptor)
{
    descriptor_space space;
    char zero = 0;
    struct iovec byte = { &zero, 1 };
    struct msghdr message = carrier(&space, &byte);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof descriptor),
                              .cmsg_level = SOL_SOCKET,
                              .cmsg_type = SCM_RIGHTS };
    memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, 0) == 1;
}

static int receive_descriptor(int socket)
{
    descriptor_space space;
    char zero;
    struct iovec byte = { &zero, 1 };
    struct msghdr message = carrier(&space, &byte);
    int descriptor = -1;
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 1 && CMSG_FIRSTHDR(&message))
        memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

static const char *name_of(int number)
{
    for (int i = 0; i < WATCHED; i++)
        if (watched[i].number == number)
            return watched[i].name;
    return "?";
}

/* Whether a call changes a file or a folder: a driver may write into pipes and devices. */
static bool is_of_a_file(const struct seccomp_notif *call)
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

/* Write the first `most` bytes of what the caller wants to write, for it; how many were written, or -1. */
static int64_t write_part(const struct seccomp_notif *call, size_t most)
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

/* One call waits: let it happen, or not.  Memory is cleared as the kernel demands. */
static void answer(int listener, const mishap *m, mishap_end *end)
{
    struct seccomp_notif call;
    memset(&call, 0, sizeof call);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
        return;
    struct seccomp_notif_resp response = { .id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
    const bool counts = is_of_a_file(&call);
    end->calls += counts;
    if (counts && m->kind != COUNT && end->calls == m->at) {
        end->name = name_of(call.data.nr);
        int64_t written = m->kind == SHORT ? write_part(&call, (size_t)m->number) : -1;
        if (m->kind == SIGNAL)
            kill((pid_t)call.pid, m->number);
        else if (m->kind == ERROR)
            response = (struct seccomp_notif_resp){ .id = call.id, .error = -m->number };
        else if (written >= 0)
            response = (struct seccomp_notif_resp){ .id = call.id, .val = written };
        else if (m->kind == SHORT)
            end->name = "none";
        else if (system(m->shell) != 0)
            end->name = "failed";
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static mishap_end run_with(const mishap *m, char **command)
{
    mishap_end end = { UNAVAILABLE, 0, "none" };
    int pair[2], status = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return end;
    pid_t child = fork();
    if (child == 0) {
        int listener = install_filter();
        if (listener < 0 || !send_descriptor(pair[1], listener))
            _exit(UNAVAILABLE);
        close(listener);
        execvp(command[0], command);
        _exit(NOT_STARTED);
    }
    close(pair[1]);
    int listener = child > 0 ? receive_descriptor(pair[0]) : -1;
    close(pair[0]);
    struct pollfd waiting = { .fd = listener, .events = POLLIN };
    while (child > 0 && waitpid(child, &status, WNOHANG) == 0) {
        enum { MILLISECONDS = 5 };      /* a command that has ended makes no call: look again */
        if (poll(&waiting, 1, MILLISECONDS) == 1 && (waiting.revents & POLLIN))
            answer(listener, m, &end);
    }
    if (listener >= 0)
        close(listener);
    if (child > 0)
        end.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return end;
}
#else
static mishap_end run_with(const mishap *m, char **command)
{
    (void)m;
    (void)command;
    return (mishap_end){ UNAVAILABLE, 0, "none" };
}
#endif

static int use(int argc, char **argv)
{
    static const struct { const char *name; mishap_kind kind; int arguments; } uses[] = {
        { "count", COUNT, 2 }, { "error", ERROR, 4 },   { "signal", SIGNAL, 4 },
        { "short", SHORT, 4 }, { "before", BEFORE, 4 },
    };
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (strcmp(argv[1], uses[i].name) != 0 || argc <= uses[i].arguments)
            continue;
        mishap m = { .kind = uses[i].kind };
        if (m.kind != COUNT) {
            m.number = atoi(argv[2]);
            m.shell = argv[2];
            m.at = atol(argv[3]);
        }
        mishap_end end = run_with(&m, argv + uses[i].arguments);
        if (m.kind == COUNT)
            printf("%ld\n", end.calls);
        else
            printf("%s\n", end.name);
        return end.status;
    }
    fprintf(stderr, "usage: count COMMAND... | error NUMBER K COMMAND... | signal NUMBER K COMMAND... | "
                    "short NUMBER K COMMAND... | before SHELL K COMMAND...\n");
    return 2;
}

static mishap_end shell_with(mishap_kind kind, int number, long at, char *script, char *path)
{
    char shell[] = "sh", option[] = "-c";
    char *command[] = { shell, option, script, path, NULL };
    return run_with(&(mishap){ kind, number, at, "true" }, command);
}

/* Two calls: a file is created, and written. */
static mishap_end write_with(mishap_kind kind, int number, long at, char *path)
{
    char script[] = "echo written | sed -n \"w $0\"";
    return shell_with(kind, number, at, script, path);
}

static long size_of(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return use(argc, argv);

    char path[512];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/kiln-mishaps-XXXXXX", folder ? folder : P_tmpdir);
    int created = mkstemp(path);
    if (created >= 0)
        close(created);
    unlink(path);
    mishap_end counted = write_with(COUNT, 0, 0, path);
    if (counted.status == UNAVAILABLE) {
        skip("a system call fails where it is told to", "the system lets no process listen to another's calls");
        return facts_end();
    }
    fact(counted.status == 0 && counted.calls == 2 && size_of(path) == 8, "a command is left alone while its calls "
         "are counted: %ld, status %d", counted.calls, counted.status);
    unlink(path);
    mishap_end refused = write_with(ERROR, EROFS, 1, path);
    fact(refused.status != 0 && size_of(path) == -1, "the first call fails (%s): no file", refused.name);
    mishap_end full = write_with(ERROR, ENOSPC, 2, path);
    fact(full.status != 0 && size_of(path) == 0, "the second call fails (%s): an empty file", full.name);
    unlink(path);
    mishap_end killed = write_with(SIGNAL, SIGKILL, 2, path);
    fact(killed.status == 128 + SIGKILL && size_of(path) == 0, "killed before the second call: an empty file");
    unlink(path);
    mishap_end part = write_with(SHORT, 3, 2, path);
    fact(part.status == 0 && part.calls == 3 && size_of(path) == 8, "the second call writes three of eight bytes, "
         "and a third one the rest: %ld calls", part.calls);
    unlink(path);
    /* it is opened as a file would be, which is one call */
    char into_a_device[] = "echo written | sed -n 'w /dev/null'";
    mishap_end device = shell_with(COUNT, 0, 0, into_a_device, path);
    fact(device.status == 0 && device.calls == 1, "what is written into a device is no change of a file: %ld calls",
         device.calls);
    return facts_end();
}
