/* folder_lock.c - one process at a time works in a folder. */
#include "src/io/folder_lock.h"

#include "src/base/log.h"
#include "src/base/open_file.h"
#include "src/comm/comm.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* Try for half a second: `kiln status` holds the lock for an instant when it tests it. */
static bool lock_with_retries(int lock)
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

text folder_lost_holder(const char *directory)
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

static int acquire_lock(text *lost, const char *directory, const folder_holder *other, failure *f)
{
    text path = path_in_folder(directory, "lock");
    char holder[LOCK_LINE] = "";
    int lock = open_file_own(text_string(&path), O_RDWR | O_CREAT);
    if (lock < 0) {
        fail_system(f, errno, "%s: cannot be opened: %s", text_string(&path), open_file_reason(errno));
    } else if (!lock_with_retries(lock)) {
        int reason = errno;
        read_holder(holder, lock);
        if (reason == EWOULDBLOCK)
            fail(f, "%s: another process %s (%s); %s", text_string(&path), other->does, *holder ? holder : "unknown",
                 other->remedy);
        else
            fail_system(f, reason, "%s: cannot be locked: %s", text_string(&path), strerror(reason));
        close(lock);
        lock = -1;
    } else {
        char host[64] = "";
        add_lost_holder(lost, lock);
        gethostname(host, sizeof host - 1);
        int n = snprintf(holder, sizeof holder, "process %ld on %s\n", (long)getpid(), host);
        /* The line is for users and kiln status: the process holds the lock even if the line cannot be written. */
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

void folder_unlock(int *lock, const text *lost)
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

bool folder_lock(int *lock, text *lost, const char *directory, const folder_holder *other, failure *f)
{
    const comm *world = comm_world();
    *lock = -1;
    if (comm_is_root(world))
        *lock = acquire_lock(lost, directory, other, f);
    return comm_agree(world, *lock >= 0 || !comm_is_root(world), f);
}
