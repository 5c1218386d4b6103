/* safe_file.c - write under a temporary name, synchronize, rename.
 *
 * rename is atomic: at any time, also after a crash, there is either the old file or the new one.  The folder is
 * synchronized, too, because the name is data of the folder.
 *
 * Only rank 0 writes.  The writers of a world of several ranks must all do the same, so an error of rank 0 shows on all
 * ranks at the next flush or commit, and until then on none. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* renameat2, fopencookie */
#endif
#include "src/io/safe_file.h"

#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/base/text.h"
#include "src/comm/comm.h"
#include "src/io/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The stream of one of several ranks: rank 0 writes to the file, the others write nothing. */
typedef struct { int descriptor, error; int64_t at, size; } shared_writer;

struct safe_file {
    const comm *world;
    text path, other, temporary;          /* other: empty, or in place of a path that is taken */
    FILE *stream;
    int descriptor;                       /* -1 on ranks that do not write */
    shared_writer writer;                 /* behind the stream, in a world of several ranks */
    bool replace;
};

static const char *reason(void)
{
    return errno ? strerror(errno) : "write error";
}

/* The result of rank 0 on all ranks, with its reason. */
static bool all_agree(const safe_file *s, bool ok, failure *f)
{
    return comm_agree(s->world, ok || !comm_is_root(s->world), f);
}

static void safe_file_free(safe_file *s)
{
    text_free(&s->path);
    text_free(&s->other);
    text_free(&s->temporary);
    memory_free(s);
}

/* ---- the stream of a world of several ranks: writing always seems to succeed */

static void write_own(shared_writer *w, const char *bytes, size_t n)
{
    for (size_t done = 0; done < n && w->error == 0;) {
        const ssize_t more = pwrite(w->descriptor, bytes + done, n - done, (off_t)(w->at + (int64_t)done));
        if (more > 0)
            done += (size_t)more;
        else if (more == 0 || errno != EINTR)
            w->error = more == 0 ? EIO : errno;
    }
}

static ssize_t write_shared(void *of, const char *bytes, size_t n)
{
    shared_writer *w = of;
    if (w->descriptor >= 0)
        write_own(w, bytes, n);
    w->at += (int64_t)n;
    w->size = w->size > w->at ? w->size : w->at;
    return (ssize_t)n;
}

static int seek_shared(void *of, off64_t *offset, int whence)
{
    shared_writer *w = of;
    const int64_t to = *offset + (whence == SEEK_CUR ? w->at : whence == SEEK_END ? w->size : 0);
    if (to < 0) {
        errno = EINVAL;
        return -1;
    }
    *offset = w->at = to;
    return 0;
}

static FILE *open_stream(safe_file *s)
{
    if (comm_size(s->world) == 1)
        return fdopen(s->descriptor, "w+b");
    s->writer = (shared_writer){ .descriptor = s->descriptor };
    FILE *stream = fopencookie(&s->writer, "wb", (cookie_io_functions_t){ .write = write_shared, .seek = seek_shared });
    require(stream != NULL, "out of host memory: the stream of %s", text_string(&s->path));
    return stream;
}

/* Write out and close.  False with errno. */
static bool close_stream(safe_file *s)
{
    const bool plain = comm_size(s->world) == 1;
    errno = 0;
    bool ok = fclose(s->stream) == 0;
    if (plain)
        return ok;
    if (s->writer.error) {
        errno = s->writer.error;
        ok = false;
    }
    if (s->descriptor >= 0 && close(s->descriptor) != 0)
        ok = false;
    return ok;
}

/* ---- creation */

/* What may be at the path. */
typedef enum { NOTHING, A_FILE, A_LINK_TO_A_FILE } may_be_there;

/* "a folder" */
static const char *type_of(const struct stat *what)
{
    return S_ISREG(what->st_mode) ? "a file" : S_ISDIR(what->st_mode) ? "a folder" : S_ISLNK(what->st_mode)
           ? "a symbolic link" : S_ISFIFO(what->st_mode) ? "a pipe" : S_ISSOCK(what->st_mode) ? "a socket" : "a device";
}

/* A symbolic link that leads to a file stays, and the file gets the content. */
static bool follow_link(safe_file *s, const char *path, struct stat *there, failure *f)
{
    char *real = realpath(path, NULL);
    const bool ok = (real && lstat(real, there) == 0)
                    || fail(f, "%s: is a symbolic link that leads nowhere; Kiln does not replace it", path);
    if (ok) {
        text_clear(&s->path);
        text_add(&s->path, "%s", real);
    }
    free(real);
    return ok;
}

static bool check_path(safe_file *s, const char *path, may_be_there may, failure *f)
{
    struct stat there;
    if (lstat(path, &there) != 0)
        return true;
    if (may == NOTHING)
        return fail(f, "%s: exists already%s%s; Kiln does not overwrite it", path, S_ISREG(there.st_mode) ? "" : " as ",
                    S_ISREG(there.st_mode) ? "" : type_of(&there));
    if (may == A_LINK_TO_A_FILE && S_ISLNK(there.st_mode) && !follow_link(s, path, &there, f))
        return false;
    return S_ISREG(there.st_mode)
           || fail(f, "%s: is %s, not a file; Kiln does not replace it", path, type_of(&there));
}

static bool create_temporary(safe_file *s, may_be_there may, failure *f)
{
    text given = { 0 };
    text_add(&given, "%s", text_string(&s->path));
    const char *path = text_string(&given);
    bool ok = check_path(s, path, may, f);
    if (ok) {
        s->descriptor = partial_file_create(&s->temporary, text_string(&s->path));
        ok = s->descriptor >= 0 || fail_system(f, errno, "%s: cannot be created: %s", path, strerror(errno));
    }
    text_free(&given);
    return ok;
}

static safe_file *create(const char *path, may_be_there may, failure *f)
{
    safe_file *s = memory_alloc(sizeof *s, "safe_file");
    s->world = comm_world();
    s->descriptor = -1;
    s->replace = may != NOTHING;
    text_add(&s->path, "%s", path);
    const bool made = all_agree(s, !comm_is_root(s->world) || create_temporary(s, may, f), f);
    if (made)
        s->stream = open_stream(s);
    if (!s->stream) {
        if (made)
            fail_system(f, errno, "%s: cannot be created: %s", path, strerror(errno));
        if (s->descriptor >= 0) {
            close(s->descriptor);
            unlink(text_string(&s->temporary));
        }
        safe_file_free(s);
        return NULL;
    }
    return s;
}

safe_file *safe_file_create(const char *path, bool replace, failure *f)
{
    return create(path, replace ? A_FILE : NOTHING, f);
}

bool safe_file_can_create(const char *path, failure *f)
{
    safe_file *s = safe_file_create(path, false, f);
    if (s)
        safe_file_abandon(s);
    return s != NULL;
}

void safe_file_final_names(failure *f)
{
    static const size_t length = sizeof SAFE_FILE_TEMPORARY - 1;
    for (char *at = f ? strstr(f->why, SAFE_FILE_TEMPORARY) : NULL; at; at = strstr(at, SAFE_FILE_TEMPORARY)) {
        const char *rest = at + length + strspn(at + length, "0123456789-");
        memmove(at, rest, strlen(rest) + 1);
    }
}

FILE *safe_file_stream(safe_file *s)
{
    return s->stream;
}

const char *safe_file_temporary(const safe_file *s)
{
    return text_string(&s->temporary);
}

void safe_file_set_other_name(safe_file *s, const char *path)
{
    text_clear(&s->other);
    text_add(&s->other, "%s", path);
}

static bool flush_own(safe_file *s, failure *f)
{
    errno = 0;
    bool ok = !ferror(s->stream) && fflush(s->stream) == 0;
    if (s->writer.error) {
        errno = s->writer.error;
        ok = false;
    }
    return (ok && fsync(s->descriptor) == 0)
           || fail_system(f, errno, "%s: cannot be written: %s", text_string(&s->path), reason());
}

bool safe_file_flush(safe_file *s, failure *f)
{
    return all_agree(s, !comm_is_root(s->world) || flush_own(s, f), f);
}

/* Rename the temporary file.  Without `replace` a file that has appeared in the meantime stays: renameat2 fails then;
 * on file systems without that call, a hard link does. */
static int rename_temporary(const safe_file *s, const char *to)
{
    const char *from = text_string(&s->temporary);
    if (s->replace)
        return rename(from, to);
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    return link(from, to) == 0 ? unlink(from) : -1;
}

static text folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    text folder = { 0 };
    if (slash)
        text_add_bytes(&folder, path, slash == path ? 1 : (size_t)(slash - path));
    else
        text_add(&folder, ".");
    return folder;
}

bool safe_file_keep_name(const char *path, failure *f)
{
    text folder = folder_of(path);
    const bool ok = disk_synchronize_folder(text_string(&folder)) == 0
                    || fail_system(f, errno, "%s: is complete, but fsync of its folder %s failed: %s", path,
                                   text_string(&folder), strerror(errno));
    text_free(&folder);
    return ok;
}

static bool name_temporary(const safe_file *s)
{
    return rename_temporary(s, text_string(&s->path)) == 0
           || (errno == EEXIST && s->other.length > 0 && rename_temporary(s, text_string(&s->other)) == 0);
}

/* Close the file and give it its name. */
static bool finish_own(safe_file *s, failure *f)
{
    const char *path = text_string(&s->path);
    if (!close_stream(s))
        fail_system(f, errno, "%s: cannot be written: %s", path, reason());
    else if (name_temporary(s))
        return true;
    else if (errno == EEXIST)
        fail(f, "%s: exists already; Kiln does not overwrite it", path);
    else
        fail_system(f, errno, "%s: its temporary file cannot be renamed: %s", path, strerror(errno));
    unlink(text_string(&s->temporary));
    return false;
}

bool safe_file_commit(safe_file *s, failure *f)
{
    if (!safe_file_flush(s, f)) {
        safe_file_abandon(s);
        return false;
    }
    bool own = true;
    if (comm_is_root(s->world))
        own = finish_own(s, f);
    else
        close_stream(s);
    const bool ok = all_agree(s, own, f) && safe_file_keep_name(text_string(&s->path), f);
    safe_file_free(s);
    return ok;
}

void safe_file_abandon(safe_file *s)
{
    close_stream(s);
    if (comm_is_root(s->world))
        unlink(text_string(&s->temporary));
    safe_file_free(s);
}

/* ---- texts */

static bool put_text(safe_file *s, const char *content, failure *f)
{
    if (!s)
        return false;
    fwrite(content, 1, strlen(content), safe_file_stream(s));    /* commit sees an error */
    return safe_file_commit(s, f);
}

/* Pipes and devices, which rank 0 sees. */
static bool leads_to_stream(const char *path)
{
    struct stat what;
    return disk_status(&what, path) == 0 && (S_ISFIFO(what.st_mode) || S_ISCHR(what.st_mode));
}

static bool stream_text(const char *path, const char *content, failure *f)
{
    const comm *world = comm_world();
    bool ok = true;
    if (comm_is_root(world)) {
        fflush(stdout);                                          /* which may be this stream */
        ok = write_to_stream(path, content, strlen(content)) == 0
             || fail_system(f, errno, "%s: cannot be written: %s", path, open_file_reason(errno));
    }
    return comm_agree(world, ok, f);
}

bool safe_file_write_text(const char *path, const char *content, bool replace, failure *f)
{
    if (!replace && leads_to_stream(path))
        return stream_text(path, content, f);
    return put_text(safe_file_create(path, replace, f), content, f);
}

bool safe_file_may_renew(const char *path, const char *mark, failure *f)
{
    char begins[SAFE_FILE_MARK + 1] = "";
    if (leads_to_stream(path))
        return true;
    FILE *there = disk_open(path);
    if (!there)
        return errno == ENOENT || fail_system(f, errno, "%s: cannot be opened: %s", path, open_file_reason(errno));
    size_t n = fread(begins, 1, SAFE_FILE_MARK, there);
    bool failed = ferror(there);
    fclose(there);
    if (failed)
        return fail(f, "%s: exists already and cannot be read; Kiln does not overwrite it", path);
    return n == 0 || strstr(begins, mark)
           || fail(f, "%s: exists already with other content; Kiln does not overwrite it", path);
}

safe_file *safe_file_renew(const char *path, const char *mark, failure *f)
{
    return safe_file_may_renew(path, mark, f) ? create(path, A_LINK_TO_A_FILE, f) : NULL;
}

bool safe_file_renew_text(const char *path, const char *content, const char *mark, failure *f)
{
    return leads_to_stream(path) ? stream_text(path, content, f) : put_text(safe_file_renew(path, mark, f), content, f);
}
