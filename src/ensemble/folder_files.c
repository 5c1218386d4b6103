/* folder_files.c - folders of arrays and JSON. */
#include "src/ensemble/folder_files.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/disk.h"
#include "src/io/npy.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

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
    return disk_make_folder(text_string(partial)) == 0
           || fail_system(f, errno, "%s/%s: cannot be created: %s", directory, name, strerror(errno));
}

bool folder_keep(const char *directory, const char *partial, const char *path, failure *f)
{
    if (disk_rename(partial, path) != 0)
        return fail_system(f, errno, "%s: its temporary folder cannot be renamed: %s", path, strerror(errno));
    if (disk_synchronize_folder(directory) != 0)
        log_line(LOG_WARNING, "%s: fsync of this folder failed: %s", directory, strerror(errno));
    return true;
}

void folder_abandon(const char *partial, failure *f)
{
    folder_remove(partial);
    safe_file_final_names(f);
}

bool folder_remove(const char *path)
{
    disk_names names;
    disk_list(&names, path);
    for (int i = 0; i < names.count; i++) {
        text file = path_in_folder(path, names.name[i]);
        disk_unlink(text_string(&file));
        text_free(&file);
    }
    disk_names_free(&names);
    return disk_remove_folder(path) == 0;
}

void folders_sweep(const char *directory, const char *prefix)
{
    disk_names names;
    disk_list(&names, directory);
    for (int i = 0; i < names.count; i++) {
        const char *name = names.name[i];
        if (strncmp(name, prefix, strlen(prefix)) != 0 || !strstr(name, SAFE_FILE_TEMPORARY))
            continue;
        text path = path_in_folder(directory, name);
        if (!folder_remove(text_string(&path)))
            log_line(LOG_WARNING, "%s: cannot remove this temporary folder of a killed process: %s", text_string(&path),
                     strerror(errno));
        text_free(&path);
    }
    disk_names_free(&names);
}
