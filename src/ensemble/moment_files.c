/* moment_files.c - folders of arrays and facts. */
#include "src/ensemble/moment_files.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/npy.h"
#include "src/io/safe_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

size_t shape_count(array_shape shape)
{
    size_t count = 1;
    for (int i = 0; i < shape.dimensions; i++)
        count *= shape.n[i];
    return count;
}

array_shape shape_of_links(const lattice *l)
{
    const int *n = lattice_global(l);
    return (array_shape){ 8, { (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 3, 2 } };
}

array_shape shape_of_field(const field *f)
{
    const int *n = lattice_global(f->lattice);
    const size_t t = (size_t)n[3], z = (size_t)n[2], y = (size_t)n[1], x = (size_t)n[0], reals = (size_t)f->reals;
    if (f->slabs == 1)
        return (array_shape){ 5, { t, z, y, x, reals } };
    return (array_shape){ 7, { (size_t)f->slabs / SLAB_GROUP, t, z, y, x, SLAB_GROUP, reals } };
}

double *numbers_for(array_shape shape)
{
    return memory_alloc(shape_count(shape) * sizeof(double), "an array on its way to a file");
}

text field_file_name(const char *term, int index, const char *what)
{
    text name = { 0 };
    for (const char *c = term; *c; c++)
        text_add(&name, *c == '/' || *c == '%' ? "%%%02X" : "%c", *c);
    if (what)
        text_add(&name, ".%s.npy", what);
    else
        text_add(&name, ".%d.npy", index);
    return name;
}

bool folder_write(const char *folder, const char *name, const slice_source *from, array_shape shape, failure *f)
{
    text path = path_in_folder(folder, name);
    bool ok = npy_write_slices(text_string(&path), from, shape.dimensions, shape.n, f);
    text_free(&path);
    return ok;
}

bool folder_read(const slice_sink *to, const char *folder, const char *name, array_shape shape, failure *f)
{
    text path = path_in_folder(folder, name);
    bool ok = npy_read_slices(to, text_string(&path), shape.dimensions, shape.n, f);
    text_free(&path);
    return ok;
}

bool folder_begin(text *partial, const char *directory, const char *name, failure *f)
{
    *partial = (text){ 0 };
    text_add(partial, "%s/%s" SAFE_FILE_TEMPORARY "%ld", directory, name, (long)getpid());
    return mkdir(text_string(partial), 0777) == 0
           || fail(f, "%s: cannot be created: %s", text_string(partial), strerror(errno));
}

bool folder_keep(const char *directory, const char *partial, const char *path, failure *f)
{
    int above = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = above >= 0 && rename(partial, path) == 0;
    if (!ok)
        fail(f, "%s: cannot be renamed to %s: %s", partial, path, strerror(errno));
    if (ok && fsync(above) != 0 && errno != EINVAL)
        log_line(LOG_WARNING, "%s: the folder cannot be synchronised: %s", directory, strerror(errno));
    if (above >= 0)
        close(above);
    return ok;
}

bool folder_remove(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    return rmdir(path) == 0;
}

void folders_sweep(const char *directory, const char *prefix)
{
    DIR *folder = opendir(directory);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 || !strstr(entry->d_name, SAFE_FILE_TEMPORARY))
            continue;
        text path = path_in_folder(directory, entry->d_name);
        if (!folder_remove(text_string(&path)))
            log_line(LOG_WARNING, "%s, left by a process that was killed, cannot be removed: %s", text_string(&path),
                     strerror(errno));
        text_free(&path);
    }
    if (folder)
        closedir(folder);
}
