/* safe_file.c - write under a temporary name, synchronise, rename.
 *
 * rename is atomic: at any time, also after a crash, there is either the old file or the new one.  The folder is
 * synchronised, too, because the name is data of the folder. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* renameat2 */
#endif
#include "src/io/safe_file.h"

#include "src/base/memory.h"
#include "src/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct safe_file { text path, temporary; FILE *stream; bool replace; };

static const char *reason(void)
{
    return errno ? strerror(errno) : "write error";
}

static void safe_file_free(safe_file *s)
{
    text_free(&s->path);
    text_free(&s->temporary);
    memory_free(s);
}

safe_file *safe_file_create(const char *path, bool replace, failure *f)
{
    enum { ATTEMPTS = 100 };      /* dead processes with the same number may have left such names */
    struct stat there;
    if (!replace && lstat(path, &there) == 0) {
        fail(f, "%s: exists already; Kiln does not overwrite it", path);
        return NULL;
    }
    safe_file *s = memory_alloc(sizeof *s, "safe_file");
    s->replace = replace;
    text_add(&s->path, "%s", path);
    int descriptor = -1;
    for (int i = 0; i < ATTEMPTS && descriptor < 0 && (i == 0 || errno == EEXIST); i++) {
        text_clear(&s->temporary);
        text_add(&s->temporary, "%s" SAFE_FILE_TEMPORARY "%ld-%d", path, (long)getpid(), i);
        descriptor = open(text_string(&s->temporary), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (descriptor >= 0)
        s->stream = fdopen(descriptor, "w+b");
    if (!s->stream) {
        fail(f, "%s: cannot be created: %s", path, strerror(errno));
        if (descriptor >= 0) {
            close(descriptor);
            unlink(text_string(&s->temporary));
        }
        safe_file_free(s);
        return NULL;
    }
    return s;
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

bool safe_file_flush(safe_file *s, failure *f)
{
    errno = 0;
    if (ferror(s->stream) || fflush(s->stream) != 0 || fsync(fileno(s->stream)) != 0)
        return fail(f, "%s: cannot be written: %s", text_string(&s->path), reason());
    return true;
}

/* Rename the temporary file.  Without `replace` a file that has appeared in the meantime stays: renameat2 fails then;
 * on file systems without that call, a hard link does. */
static int take_name(const safe_file *s)
{
    const char *from = text_string(&s->temporary), *to = text_string(&s->path);
    if (s->replace)
        return rename(from, to);
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    return link(from, to) == 0 ? unlink(from) : -1;
}

static bool synchronise_folder(const char *path, failure *f)
{
    const char *slash = strrchr(path, '/');
    text folder = { 0 };
    if (slash)
        text_add_bytes(&folder, path, slash == path ? 1 : (size_t)(slash - path));
    else
        text_add(&folder, ".");
    int descriptor = open(text_string(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* EINVAL: a file system whose folders have nothing to synchronise. */
    bool ok = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL);
    if (!ok)
        fail(f, "%s: is complete, but fsync of its folder %s failed: %s", path,
             text_string(&folder), strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    text_free(&folder);
    return ok;
}

bool safe_file_keep_name(const char *path, failure *f)
{
    return synchronise_folder(path, f);
}

bool safe_file_commit(safe_file *s, failure *f)
{
    if (!safe_file_flush(s, f)) {
        safe_file_abandon(s);
        return false;
    }
    errno = 0;
    bool closed = fclose(s->stream) == 0;
    if (!closed)
        fail(f, "%s: cannot be written: %s", text_string(&s->path), reason());
    bool named = closed && take_name(s) == 0;
    if (closed && !named) {
        if (errno == EEXIST)
            fail(f, "%s: exists already; Kiln does not overwrite it", text_string(&s->path));
        else
            fail(f, "%s: its temporary file cannot be renamed: %s", text_string(&s->path), strerror(errno));
    }
    if (!named)
        unlink(text_string(&s->temporary));
    bool ok = named && synchronise_folder(text_string(&s->path), f);
    safe_file_free(s);
    return ok;
}

void safe_file_abandon(safe_file *s)
{
    fclose(s->stream);
    unlink(text_string(&s->temporary));
    safe_file_free(s);
}

bool safe_file_write_text(const char *path, const char *content, bool replace, failure *f)
{
    safe_file *s = safe_file_create(path, replace, f);
    if (!s)
        return false;
    fwrite(content, 1, strlen(content), safe_file_stream(s));    /* commit sees an error */
    return safe_file_commit(s, f);
}

bool safe_file_may_renew(const char *path, const char *mark, failure *f)
{
    char begins[SAFE_FILE_MARK + 1] = "";
    FILE *there = fopen(path, "rb");
    if (!there)
        return errno == ENOENT || fail(f, "%s: cannot be opened: %s", path, strerror(errno));
    size_t n = fread(begins, 1, SAFE_FILE_MARK, there);
    bool failed = ferror(there);
    fclose(there);
    if (failed)
        return fail(f, "%s: exists already and cannot be read; Kiln does not overwrite it", path);
    return n == 0 || strstr(begins, mark)
           || fail(f, "%s: exists already with other content; Kiln does not overwrite it", path);
}

bool safe_file_renew_text(const char *path, const char *content, const char *mark, failure *f)
{
    return safe_file_may_renew(path, mark, f) && safe_file_write_text(path, content, true, f);
}
