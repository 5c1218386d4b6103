/* configuration_files.c - files, folders and patterns of a command line as a list of files. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* strverscmp */
#endif
#include "src/cli/configuration_files.h"

#include "src/io/disk.h"
#include "src/io/links_file.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void add_file(configuration_files *files, const char *path)
{
    if (files->count == files->capacity) {
        files->capacity = files->capacity ? 2 * files->capacity : 64;
        files->item = realloc(files->item, (size_t)files->capacity * sizeof *files->item);
        require(files->item != NULL, "out of host memory: the list of configurations");
    }
    files->item[files->count] = strdup(path);
    require(files->item[files->count] != NULL, "out of host memory: the list of configurations");
    files->count++;
}

/* Numbers in names count as numbers: c.2 is before c.10. */
static int by_number(const void *left, const void *right)
{
    return strverscmp(*(char *const *)left, *(char *const *)right);
}

static void sort_from(configuration_files *files, int first)
{
    if (files->count > first)
        qsort(files->item + first, (size_t)(files->count - first), sizeof *files->item, by_number);
}

/* Names that Kiln gives to files that are no configurations of an ensemble. */
static bool is_kept(const char *name)
{
    return name[0] != '.' && !strstr(name, ".checkpoint.") && !strstr(name, ".corrupt")
           && !strstr(name, SAFE_FILE_TEMPORARY);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return disk_status(&status, path) == 0 && S_ISDIR(status.st_mode);
}

static bool add_folder(configuration_files *files, const char *folder, failure *f)
{
    const int first = files->count;
    disk_names names;
    bool ok = disk_list(&names, folder) || fail_system(f, errno, "%s: cannot be listed: %s", folder, strerror(errno));
    for (int i = 0; ok && i < names.count; i++) {
        text path = path_in_folder(folder, names.name[i]);
        if (is_kept(names.name[i]) && links_file_is_recognized(text_string(&path)))
            add_file(files, text_string(&path));
        text_free(&path);
    }
    disk_names_free(&names);
    sort_from(files, first);
    return ok && (files->count > first || fail(f, "%s: this folder has no configuration", folder));
}

static bool add_matches(configuration_files *files, const char *pattern, failure *f)
{
    const int first = files->count;
    configuration_files matches = { 0 };
    disk_names names;
    bool ok = disk_match(&names, pattern) || fail_system(f, errno, "%s: cannot be searched: %s", pattern,
                                                         strerror(errno));
    for (int i = 0; ok && i < names.count; i++)
        add_file(&matches, names.name[i]);
    disk_names_free(&names);
    sort_from(&matches, 0);
    for (int i = 0; ok && i < matches.count; i++)
        if (is_folder(matches.item[i]))
            ok = add_folder(files, matches.item[i], f);
        else
            add_file(files, matches.item[i]);
    configuration_files_free(&matches);
    return ok && (files->count > first || fail(f, "%s: no file matches this pattern", pattern));
}

bool configuration_files_find(configuration_files *files, const operands *given, failure *f)
{
    *files = (configuration_files){ 0 };
    for (int i = 0; i < given->count; i++) {
        const char *path = given->item[i];
        struct stat status;
        const bool there = disk_status(&status, path) == 0;
        if (there && S_ISDIR(status.st_mode)) {
            if (!add_folder(files, path, f))
                return false;
        } else if (!there && strpbrk(path, "*?[")) {
            if (!add_matches(files, path, f))
                return false;
        } else {
            add_file(files, path);
        }
    }
    return true;
}

void configuration_files_free(configuration_files *files)
{
    for (int i = 0; i < files->count; i++)
        free(files->item[i]);
    free(files->item);
    *files = (configuration_files){ 0 };
}
