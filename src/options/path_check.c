/* path_check.c - files and folders of a command line that do not exist: what was expected, and what to do. */
#include "src/options/path_check.h"

#include "src/io/disk.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define FOLDER_OF_ENSEMBLE "the folder of an ensemble"

/* The words for operands that are paths, and what they name; kiln watch has DIR, for which it waits. */
static const struct { const char *word; path_use use; const char *what; } operand_words[] = {
    { "CONFIG", PATH_READ, "a configuration" },
    { "IN", PATH_READ, "a configuration" },
    { "INPUT.yaml", PATH_READ, "an input" },
    { "DIRECTORY", PATH_READ, FOLDER_OF_ENSEMBLE },
    { "SOURCE", PATH_READ, "the folder of an ensemble, or a file of results" },
    { "FOLDER", PATH_READ, "the folder of a failure" },
    { "OUT", PATH_WRITE, NULL },
    { "OUT.npy", PATH_WRITE, NULL },
};

static bool is_missing(const char *path)
{
    struct stat status;
    return disk_status(&status, path) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* Whether an item of a list CONFIG... exists, or matches as a pattern of the shell: then the command reports the others
 * one by one. */
static bool has_some(const usage *u, int count, char *const *given)
{
    bool some = false;
    for (int i = 0; !some && strcmp(u->operands, "CONFIG...") == 0 && i < count; i++) {
        disk_names names = { 0 };
        some = !is_missing(given[i])
               || (strpbrk(given[i], "*?[") && disk_match(&names, given[i]) && names.count > 0);
        disk_names_free(&names);
    }
    return some;
}

/* ", which is relative to the current folder, /home/me" for a relative path */
static void add_origin(text *message, const char *path)
{
    char folder[4096];
    if (*path != '/' && getcwd(folder, sizeof folder))
        text_add(message, ", which is relative to the current folder, %s", folder);
}

/* `name`: "--from ", or nothing for an operand. */
static bool refuse(const char *name, const char *path, const char *sentence, failure *f)
{
    text origin = { 0 };
    add_origin(&origin, path);
    fail(f, "%s%s: %s%s", name, *path ? path : "\"\"", sentence, text_string(&origin));
    text_free(&origin);
    return false;
}

static bool check_read(const char *name, const char *path, const char *what, failure *f)
{
    text sentence = { 0 };
    if (!is_missing(path))
        return true;
    text_add(&sentence, "expected %s, found nothing %s; check the path", what,
             strpbrk(path, "*?[") ? "with this name or that matches this pattern" : "with this name");
    refuse(name, path, text_string(&sentence), f);
    text_free(&sentence);
    return false;
}

bool path_check_folder(const char *path, failure *f)
{
    return check_read("", path, FOLDER_OF_ENSEMBLE, f);
}

static bool check_write(const char *name, const char *path, failure *f)
{
    text folder = { 0 }, sentence = { 0 };
    if (*path == '\0')
        return fail(f, "%s\"\": expected a name, found an empty one; give a name (a variable of the shell that is not "
                       "set is empty)", name);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')           /* of a folder that will be written */
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    text_add_bytes(&folder, path, length);
    const bool ok = length == 0 || !is_missing(text_string(&folder));
    if (!ok) {
        text_add(&sentence, "expected a name in an existing folder, found no folder %s; make it, or check the path",
                 text_string(&folder));
        refuse(name, path, text_string(&sentence), f);
    }
    text_free(&sentence);
    text_free(&folder);
    return ok;
}

/* The word of an operand: the last one, with "...", is that of all others. */
static const char *word_of(const usage *u, int operand, size_t *length)
{
    const char *word = u->operands;
    for (int i = 0; i < operand && strchr(word, ' '); i++)
        word = strchr(word, ' ') + 1;
    *length = strcspn(word, " .");
    if (strncmp(word + *length, "...", 3) != 0)
        *length = strcspn(word, " ");
    return word;
}

bool path_check_operands(const usage *u, int count, char *const *given, failure *f)
{
    if (has_some(u, count, given))
        return true;
    for (int i = 0; i < count; i++) {
        size_t length;
        const char *word = word_of(u, i, &length), *path = given[i];
        for (size_t n = 0; n < sizeof operand_words / sizeof *operand_words; n++) {
            if (strlen(operand_words[n].word) != length || strncmp(operand_words[n].word, word, length) != 0)
                continue;
            if (operand_words[n].use == PATH_WRITE ? !check_write("", path, f)
                                                   : !check_read("", path, operand_words[n].what, f))
                return false;
        }
    }
    return true;
}

static bool ends_with(const char *path, const char *end)
{
    const size_t length = strlen(path), most = strlen(end);
    return length >= most && strcmp(path + length - most, end) == 0;
}

/* Other programs open a picture by the ending of its name.  Devices and pipes have any name. */
static bool check_ending(const option *o, const char *path, failure *f)
{
    static const char svg[] = ".svg";
    struct stat file;
    return !ends_with(o->value, svg) || ends_with(path, svg) || strncmp(path, "/dev/", strlen("/dev/")) == 0
           || (disk_status(&file, path) == 0 && !S_ISREG(file.st_mode))
           || fail(f, "--%s %s: expected a name that ends with %s, the format of the picture", o->name, path, svg);
}

static bool check_option(const option *o, const char *path, failure *f)
{
    text name = { 0 };
    text_add(&name, "--%s ", o->name);
    const bool ok = o->path == PATH_WRITE ? check_write(text_string(&name), path, f) && check_ending(o, path, f)
                                          : check_read(text_string(&name), path, "a file", f);
    text_free(&name);
    return ok;
}

bool path_check_options(const usage *u, const bool *given, const void *values, failure *f)
{
    for (int i = 0; u->options[i].name; i++) {
        const option *o = &u->options[i];
        const void *value = (const char *)values + o->offset;
        if (o->path == PATH_NONE || !given[i])
            continue;
        if (o->type == OPTION_TEXT && !check_option(o, *(const char *const *)value, f))
            return false;
        const text_refs *all = value;
        for (int n = 0; o->type == OPTION_TEXTS && n < all->count; n++)
            if (!check_option(o, all->item[n], f))
                return false;
    }
    return true;
}
