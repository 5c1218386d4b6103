/* disk.c - rank 0 makes the system calls; all ranks get the results. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* fopencookie */
#endif
#include "src/io/disk.h"

#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/comm/comm.h"
#include "src/config/yaml.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

static bool is_mine(void)
{
    return comm_is_root(comm_world());
}

/* The result of rank 0, and its errno. */
static int share(int of_root)
{
    struct { int result, error; } outcome = { of_root, errno };
    comm_broadcast(comm_world(), &outcome, sizeof outcome);
    errno = outcome.error;
    return outcome.result;
}

/* ---- reading
 *
 * Only reading communicates.  Setting a position does not, because the C library also does so when a process ends. */

typedef struct { const comm *world; int descriptor; bool regular; int64_t at, size; } shared_reader;

static ssize_t read_own(const shared_reader *r, char *bytes, size_t n)
{
    return r->regular ? pread(r->descriptor, bytes, n, (off_t)r->at) : read_or_wait(r->descriptor, bytes, n);
}

static ssize_t read_shared(void *of, char *bytes, size_t n)
{
    shared_reader *r = of;
    struct { int64_t count; int error; } outcome = { 0, 0 };
    if (comm_is_root(r->world)) {
        outcome.count = read_own(r, bytes, n);
        outcome.error = errno;
    }
    comm_broadcast(r->world, &outcome, sizeof outcome);
    if (outcome.count > 0)
        comm_broadcast(r->world, bytes, (size_t)outcome.count);
    else if (outcome.count < 0)
        errno = outcome.error;
    r->at += outcome.count > 0 ? outcome.count : 0;
    return (ssize_t)outcome.count;
}

static int seek_shared(void *of, off64_t *offset, int whence)
{
    shared_reader *r = of;
    const int64_t to = *offset + (whence == SEEK_CUR ? r->at : whence == SEEK_END ? r->size : 0);
    if (!r->regular || to < 0) {
        errno = r->regular ? EINVAL : ESPIPE;
        return -1;
    }
    *offset = r->at = to;
    return 0;
}

static int close_shared(void *of)
{
    shared_reader *r = of;
    if (r->descriptor >= 0)
        close(r->descriptor);
    memory_free(r);
    return 0;
}

/* Few large reads: each one is a message to all ranks. */
enum { READ_BUFFER = 1 << 16 };

static FILE *open_shared(const char *path, bool streams)
{
    shared_reader own = { .world = comm_world(), .descriptor = -1 };
    struct stat status = { 0 };
    if (is_mine()) {
        own.descriptor = streams ? open_stream_descriptor(path, &own.regular) : open_file(path, O_RDONLY);
        own.regular = own.regular || !streams;
        if (own.descriptor >= 0 && fstat(own.descriptor, &status) == 0)
            own.size = status.st_size;
    }
    if (share(own.descriptor < 0 && is_mine() ? -1 : 0) != 0)
        return NULL;
    struct { int64_t size; bool regular; } found = { own.size, own.regular };
    comm_broadcast(own.world, &found, sizeof found);
    shared_reader *r = memory_alloc(sizeof *r, "a file that all ranks read");
    *r = own;
    r->size = found.size;
    r->regular = found.regular;
    FILE *stream = fopencookie(r, "rb", (cookie_io_functions_t){ .read = read_shared, .seek = seek_shared,
                                                                 .close = close_shared });
    require(stream != NULL, "out of host memory: a file that all ranks read");
    setvbuf(stream, NULL, _IOFBF, READ_BUFFER);
    return stream;
}

FILE *disk_open(const char *path)
{
    return comm_size(comm_world()) == 1 ? open_file_read(path) : open_shared(path, false);
}

/* Also pipes and devices: an input may come from another program. */
static FILE *open_input(const char *path)
{
    return comm_size(comm_world()) == 1 ? open_stream_read(path) : open_shared(path, true);
}

bool disk_size(uint64_t *bytes, FILE *stream)
{
    struct stat status = { 0 };
    const int descriptor = fileno(stream);
    bool ok = descriptor < 0 ? fseeko(stream, 0, SEEK_END) == 0 && (status.st_size = ftello(stream)) >= 0
                             : fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    if (descriptor < 0)
        rewind(stream);
    *bytes = (uint64_t)status.st_size;
    return ok;
}

bool disk_add_file(text *t, const char *path, failure *f)
{
    FILE *stream = disk_open(path);
    if (!stream)
        return fail_system(f, errno, "%s: cannot be read: %s", path, open_file_reason(errno));
    const bool ok = text_add_stream(t, stream) || fail_system(f, errno, "%s: cannot be read: %s", path,
                                                              strerror(errno));
    fclose(stream);
    return ok;
}

yaml_node *disk_read_yaml(const char *path, failure *f)
{
    FILE *stream = open_input(path);
    if (!stream) {
        fail_system(f, errno, "%s: cannot be opened: %s", path, open_file_reason(errno));
        return NULL;
    }
    yaml_node *tree = yaml_read_stream(stream, path, f);
    fclose(stream);
    return tree;
}

yyjson_doc *disk_read_json(const char *path, failure *f)
{
    text content = { 0 };
    yyjson_doc *doc = disk_add_file(&content, path, f)
                          ? json_read(text_string(&content), content.length, path, NULL, f) : NULL;
    text_free(&content);
    return doc;
}

/* ---- names and properties of files */

bool disk_has(const char *path)
{
    return share(is_mine() ? access(path, F_OK) : 0) == 0;
}

bool disk_has_name(const char *path)
{
    struct stat status;
    return share(is_mine() ? lstat(path, &status) : 0) == 0;
}

int disk_status(struct stat *status, const char *path)
{
    const int result = share(is_mine() ? stat(path, status) : 0);
    if (result == 0)
        comm_broadcast(comm_world(), status, sizeof *status);
    return result;
}

/* The names, each with the zero at its end. */
static bool list_own(text *bytes, const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            text_add_bytes(bytes, entry->d_name, strlen(entry->d_name) + 1);
    if (folder)
        closedir(folder);
    return folder != NULL;
}

static void share_bytes(text *t)
{
    size_t length = t->length;
    comm_broadcast(comm_world(), &length, sizeof length);
    if (length == 0)
        return;
    char *bytes = memory_alloc(length, "names in a folder");
    if (t->length > 0)
        memcpy(bytes, t->s, length);
    comm_broadcast(comm_world(), bytes, length);
    text_clear(t);
    text_add_bytes(t, bytes, length);
    memory_free(bytes);
}

/* The paths that match, each with the zero at its end. */
static bool match_own(text *bytes, const char *pattern)
{
    glob_t found;
    const int result = glob(pattern, GLOB_ERR, NULL, &found);
    const int reason = result == GLOB_NOSPACE ? ENOMEM : errno;
    for (size_t i = 0; result == 0 && i < found.gl_pathc; i++)
        text_add_bytes(bytes, found.gl_pathv[i], strlen(found.gl_pathv[i]) + 1);
    globfree(&found);
    errno = reason;
    return result == 0 || result == GLOB_NOMATCH;
}

static bool share_names(disk_names *names, bool ok)
{
    if (share(ok ? 0 : -1) != 0)
        return false;
    share_bytes(&names->bytes);
    for (size_t i = 0; i < names->bytes.length; i++)
        names->count += names->bytes.s[i] == '\0';
    names->name = memory_alloc((size_t)names->count * sizeof *names->name, "names in a folder");
    char *at = names->bytes.s;
    for (int i = 0; i < names->count; i++, at += strlen(at) + 1)
        names->name[i] = at;
    return true;
}

bool disk_list(disk_names *names, const char *folder)
{
    *names = (disk_names){ 0 };
    return share_names(names, !is_mine() || list_own(&names->bytes, folder));
}

bool disk_match(disk_names *names, const char *pattern)
{
    *names = (disk_names){ 0 };
    return share_names(names, !is_mine() || match_own(&names->bytes, pattern));
}

void disk_names_free(disk_names *names)
{
    memory_free(names->name);
    text_free(&names->bytes);
    *names = (disk_names){ 0 };
}

/* ---- changes */

int disk_make_folder(const char *path)
{
    return share(is_mine() ? mkdir(path, 0777) : 0);
}

int disk_make_folders(const char *path)
{
    text part = { 0 };
    int result = 0;
    for (size_t n = 0; result == 0 && path[n];) {
        n += strspn(path + n, "/");
        n += strcspn(path + n, "/");
        text_clear(&part);
        text_add_bytes(&part, path, n);
        if (!disk_has(text_string(&part)))
            result = disk_make_folder(text_string(&part));
        if (result != 0 && errno == EEXIST)
            result = 0;
    }
    const int why = errno;
    text_free(&part);
    errno = why;
    return result;
}

int disk_remove_folder(const char *path)
{
    return share(is_mine() ? rmdir(path) : 0);
}

int disk_rename(const char *from, const char *to)
{
    return share(is_mine() ? rename(from, to) : 0);
}

int disk_unlink(const char *path)
{
    return share(is_mine() ? unlink(path) : 0);
}

static int synchronize_own(const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    /* EINVAL: this file system does not synchronize folders. */
    const int result = fsync(descriptor) == 0 || errno == EINVAL ? 0 : -1, reason = errno;
    close(descriptor);
    errno = reason;
    return result;
}

int disk_synchronize_folder(const char *path)
{
    return share(is_mine() ? synchronize_own(path) : 0);
}
