/* ensembles_below.c - finds the folders that have parameters or a record. */
#include "src/ensemble/ensembles_below.h"

#include "src/io/disk.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 4 };

static bool has_file(const char *folder, const char *name)
{
    text path = path_in_folder(folder, name);
    const bool there = disk_has(text_string(&path));
    text_free(&path);
    return there;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folder of a failure (failure_folder.h) has parameters, too. */
bool folder_is_ensemble(const char *folder)
{
    return (has_file(folder, "parameters.yaml") || has_file(folder, "run.jsonl")) && !has_file(folder, "failure.json");
}

/* Keep the names of ensembles, sorted. */
static void keep_ensembles(disk_names *names, const char *directory)
{
    int kept = 0;
    for (int i = 0; i < names->count; i++) {
        text folder = path_in_folder(directory, names->name[i]);
        if (folder_is_ensemble(text_string(&folder)))
            names->name[kept++] = names->name[i];
        text_free(&folder);
    }
    names->count = kept;
    if (kept > 1)
        qsort(names->name, (size_t)kept, sizeof *names->name, compare_names);
}

static void add_path(text *out, const char *directory, const char *name)
{
    const size_t length = strlen(directory);
    text_add(out, "%s%s%s", directory, length > 0 && directory[length - 1] == '/' ? "" : "/", name);
}

bool ensembles_below_add(text *out, const char *directory, const char *command)
{
    disk_names names = { 0 };
    if (disk_list(&names, directory))
        keep_ensembles(&names, directory);
    const bool some = names.count > 0;
    if (some)
        text_add(out, "contains %s: ", count_to_text(names.count, "ensemble").s);
    for (int i = 0; i < names.count && i < SHOWN; i++) {
        text_add(out, "%s", i > 0 ? ", " : "");
        add_path(out, directory, names.name[i]);
    }
    if (names.count > SHOWN)
        text_add(out, " and %d more", names.count - SHOWN);
    if (some) {
        text first = { 0 };
        add_path(&first, directory, names.name[0]);
        text_add(out, "; choose one: kiln %s ", command);
        text_add_shell_word(out, text_string(&first));
        text_free(&first);
    }
    disk_names_free(&names);
    return some;
}
