/* test_mishaps.c - a system that fails at a chosen call: a tool for tests of what survives, and its own test.
 *
 *     test_mishaps count COMMAND...             prints how many calls COMMAND makes that change files
 *     test_mishaps list COMMAND...              prints each of them with the absolute paths of its files
 *     test_mishaps error NUMBER K COMMAND...    the K-th of them fails with errno NUMBER
 *     test_mishaps signal NUMBER K COMMAND...   a signal arrives before the K-th
 *     test_mishaps short NUMBER K COMMAND...    the K-th writes no more than NUMBER bytes, if it is a write
 *     test_mishaps before SHELL K COMMAND...    a command of the shell runs before the K-th
 *
 * prints the K-th call's name and ends with the status of COMMAND (128 + the signal that ended it), or with
 * 77 where the system does not offer this.  The calls are seen through a seccomp filter with a listener
 * (Linux 5.5, no privilege): COMMAND is the program as it is, and a call is stopped before it happens. */
#include "tests/facts.h"
#include "tests/ensemble/file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNAVAILABLE = 77, NOT_STARTED = 126 };

typedef enum { COUNT, LIST, ERROR, SIGNAL, SHORT, BEFORE } mishap_kind;
typedef struct { mishap_kind kind; int number; long at; const char *shell; FILE *list; } mishap;

/* What became of a command. */
typedef struct { int status; long calls; const char *name; } mishap_end;

#ifdef __linux__
#include <linux/filter.h>
#include <poll.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#endif

#ifdef SECCOMP_USER_NOTIF_FLAG_CONTINUE
enum { STEPS = 5 };

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offsetof(struct seccomp_data, member)))
#define TELL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* From now on the calls of this process wait for the listener, whose descriptor is returned. */
static int install_filter(void)
{
    struct sock_filter program[WATCHED_CALLS * (STEPS + 1) + 2];
    size_t n = 0;
    program[n++] = (struct sock_filter)LOAD(nr);
    for (const watched_call *w = watched_calls; w->name; w++) {
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

/* One call waits: let it happen, or not.  Memory is cleared as the kernel demands. */
static void answer(int listener, const mishap *m, mishap_end *end)
{
    struct seccomp_notif call;
    memset(&call, 0, sizeof call);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
        return;
    struct seccomp_notif_resp response = { .id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
    const bool counts = call_is_of_a_file(&call);
    end->calls += counts;
    if (counts && m->kind == LIST)
        call_list(m->list, &call);
    if (counts && m->kind > LIST && end->calls == m->at) {
        end->name = watched_call_of(call.data.nr)->name;
        int64_t written = m->kind == SHORT ? call_write_part(&call, (size_t)m->number) : -1;
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
        { "count", COUNT, 2 },   { "list", LIST, 2 },   { "error", ERROR, 4 },
        { "signal", SIGNAL, 4 }, { "short", SHORT, 4 }, { "before", BEFORE, 4 },
    };
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (strcmp(argv[1], uses[i].name) != 0 || argc <= uses[i].arguments)
            continue;
        mishap m = { .kind = uses[i].kind, .list = stdout };
        setvbuf(stdout, NULL, _IOLBF, 0);                    /* whole lines between those of the command */
        if (m.kind > LIST) {
            m.number = atoi(argv[2]);
            m.shell = argv[2];
            m.at = atol(argv[3]);
        }
        mishap_end end = run_with(&m, argv + uses[i].arguments);
        if (m.kind == COUNT)
            printf("%ld\n", end.calls);
        else if (m.kind != LIST)
            printf("%s\n", end.name);
        return end.status;
    }
    fprintf(stderr, "usage: count COMMAND... | list COMMAND... | error NUMBER K COMMAND... | "
                    "signal NUMBER K COMMAND... | short NUMBER K COMMAND... | before SHELL K COMMAND...\n");
    return 2;
}

static mishap_end shell_with(mishap_kind kind, int number, long at, char *script, char *path)
{
    char shell[] = "sh", option[] = "-c";
    char *command[] = { shell, option, script, path, NULL };
    return run_with(&(mishap){ kind, number, at, "true", NULL }, command);
}

/* Calls by descriptor and by path, where the path counts from the working directory and where it does not. */
static void listed(char *path)
{
    char script[] = "cd \"${0%/*}\" && echo written | sed -n \"w $0\" && mv \"${0##*/}\" \"$0.moved\" && "
                    "rm \"$0.moved\"";
    char shell[] = "sh", option[] = "-c", *command[] = { shell, option, script, path, NULL }, *at = NULL;
    char want[4][1200], got[4][1200] = { "" };
    FILE *list = tmpfile();
    mishap_end end = run_with(&(mishap){ .kind = LIST, .list = list }, command);
    rewind(list);
    snprintf(want[0], sizeof want[0], "open %s\n", path);
    snprintf(want[1], sizeof want[1], "write %s\n", path);
    snprintf(want[2], sizeof want[2], " %s %s.moved\n", path, path);       /* behind the name of one of several calls */
    snprintf(want[3], sizeof want[3], " %s.moved\n", path);
    bool same = end.status == 0 && end.calls == 4;
    for (int i = 0; i < 4; i++) {
        same = fgets(got[i], sizeof got[i], list) && same;
        at = i < 2 ? got[i] : strchr(got[i], ' ');
        same = same && at && strcmp(at, want[i]) == 0;
    }
    fclose(list);
    if (!fact(same, "calls are listed with the absolute paths of their files"))
        note("%ld calls: %s %s %s %s", end.calls, got[0], got[1], got[2], got[3]);
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

    char path[512], resolved[PATH_MAX];
    const char *folder = getenv("TMPDIR");
    if (!realpath(folder ? folder : P_tmpdir, resolved))
        return 1;
    snprintf(path, sizeof path, "%.480s/kiln-mishaps-XXXXXX", resolved);
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
    unlink(path);
    listed(path);
    return facts_end();
}
