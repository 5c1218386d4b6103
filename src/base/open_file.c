/* open_file.c - O_NONBLOCK, then fstat: an open that neither waits nor takes a file of another type. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* fopencookie */
#endif
#include "src/base/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODE = 0666 };

static int close_with(int descriptor, int error)
{
    if (descriptor >= 0)
        close(descriptor);
    errno = error;
    return -1;
}

/* Open at once, whatever the path leads to; *type is its type. */
static int open_at_once(const char *path, int flags, struct stat *what)
{
    const int descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, MODE);
    if (descriptor < 0)
        return close_with(descriptor, errno == ENXIO ? ESPIPE : errno);      /* a socket, or a device without driver */
    return fstat(descriptor, what) == 0 ? descriptor : close_with(descriptor, errno);
}

/* O_NONBLOCK has no effect on regular files today; cleared in case a later system gives it one. */
static int as_usual(int descriptor)
{
    const int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0 ? descriptor
                                                                                : close_with(descriptor, errno);
}

static bool is_good(const struct stat *what, int flags)
{
    return S_ISREG(what->st_mode) || (S_ISDIR(what->st_mode) && (flags & O_ACCMODE) == O_RDONLY);
}

int open_file(const char *path, int flags)
{
    struct stat what;
    const int descriptor = open_at_once(path, flags, &what);
    if (descriptor < 0)
        return -1;
    return is_good(&what, flags) ? as_usual(descriptor) : close_with(descriptor, ESPIPE);
}

int open_file_own(const char *path, int flags)
{
    struct stat what;
    const int descriptor = open_file(path, flags | O_NOFOLLOW);
    if (descriptor < 0)
        return -1;
    if (fstat(descriptor, &what) != 0)
        return close_with(descriptor, errno);
    if (S_ISREG(what.st_mode) && what.st_nlink > 1)
        return close_with(descriptor, EMLINK);
    return descriptor;
}

FILE *open_file_read(const char *path)
{
    const int descriptor = open_file(path, O_RDONLY);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (!stream && descriptor >= 0)
        close_with(descriptor, errno);
    return stream;
}

/* ---- streams */

/* poll, unlike read, ends at every signal that is caught. */
static int wait_until(int descriptor, short what)
{
    struct pollfd wanted = { .fd = descriptor, .events = what };
    return poll(&wanted, 1, -1) < 0 ? -1 : 0;
}

ssize_t read_or_wait(int descriptor, char *bytes, size_t n)
{
    for (;;) {
        const ssize_t got = read(descriptor, bytes, n);
        if (got >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK) || wait_until(descriptor, POLLIN) != 0)
            return got;
    }
}

int open_stream_descriptor(const char *path, bool *regular)
{
    struct stat what;
    const int descriptor = open_at_once(path, O_RDONLY, &what);
    *regular = descriptor >= 0 && is_good(&what, O_RDONLY);
    return descriptor;
}

static ssize_t read_cookie(void *of, char *bytes, size_t n)
{
    return read_or_wait((int)(intptr_t)of, bytes, n);
}

static int close_cookie(void *of)
{
    return close((int)(intptr_t)of);
}

FILE *open_stream_read(const char *path)
{
    bool regular;
    const int descriptor = open_stream_descriptor(path, &regular);
    if (descriptor < 0)
        return NULL;
    FILE *stream = regular ? fdopen(descriptor, "rb")
                           : fopencookie((void *)(intptr_t)descriptor, "rb",
                                         (cookie_io_functions_t){ .read = read_cookie, .close = close_cookie });
    if (!stream)
        close_with(descriptor, errno);
    return stream;
}

bool is_output_stream(const char *path)
{
    struct stat what;
    return stat(path, &what) == 0 && (S_ISFIFO(what.st_mode) || S_ISCHR(what.st_mode));
}

int write_to_stream(const char *path, const char *bytes, size_t n)
{
    struct stat what;
    const int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return -1;
    if (fstat(descriptor, &what) != 0 || !(S_ISFIFO(what.st_mode) || S_ISCHR(what.st_mode)))
        return close_with(descriptor, ESPIPE);
    for (size_t done = 0; done < n;) {
        const ssize_t more = write(descriptor, bytes + done, n - done);
        if (more > 0)
            done += (size_t)more;
        else if ((more == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) || wait_until(descriptor, POLLOUT) != 0)
            return close_with(descriptor, more == 0 ? EIO : errno);
    }
    return close(descriptor);
}

const char *open_file_reason(int error)
{
    switch (error) {
    case ESPIPE: return "not a regular file but a pipe, a device or a socket; move it away or choose another name";
    case ELOOP:  return "a symbolic link, and Kiln does not change the file it leads to; replace the link by the file";
    case EMLINK: return "it has another name (a hard link), whose content would change, too; replace it by a copy";
    case ENXIO:  return "no process reads this pipe";
    default:     return strerror(error);
    }
}
