/* text.c - growing strings, paths, and numbers as text. */
#include "src/base/text.h"

#include "src/base/open_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void text_reserve(text *t, size_t more)
{
    if (t->length + more + 1 <= t->capacity)
        return;
    size_t capacity = t->capacity ? 2 * t->capacity : 64;
    while (capacity < t->length + more + 1)
        capacity *= 2;
    t->s = realloc(t->s, capacity);
    require(t->s != NULL, "out of host memory for a string of %zu bytes", capacity);
    t->capacity = capacity;
}

void text_add_bytes(text *t, const char *bytes, size_t n)
{
    text_reserve(t, n);
    memcpy(t->s + t->length, bytes, n);
    t->length += n;
    t->s[t->length] = '\0';
}

void text_add(text *t, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    require(n >= 0, "cannot format \"%s\"", format);
    text_reserve(t, (size_t)n);
    vsnprintf(t->s + t->length, (size_t)n + 1, format, again);
    va_end(again);
    t->length += (size_t)n;
}

void text_cut(text *t, size_t length)
{
    t->length = length;
    if (t->s)
        t->s[length] = '\0';
}

void text_clear(text *t)
{
    text_cut(t, 0);
}

void text_free(text *t)
{
    free(t->s);
    *t = (text){ 0 };
}

const char *text_string(const text *t)
{
    return t->s ? t->s : "";
}

bool text_add_stream(text *t, FILE *stream)
{
    char bytes[4096];
    size_t n;
    while ((n = fread(bytes, 1, sizeof bytes, stream)) > 0)
        text_add_bytes(t, bytes, n);
    return !ferror(stream);
}

bool text_add_file(text *t, const char *path, failure *f)
{
    FILE *file = open_file_read(path);
    if (!file)
        return fail_system(f, errno, "%s: cannot be read: %s", path, open_file_reason(errno));
    const bool ok = text_add_stream(t, file) || fail_system(f, errno, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return ok;
}

void text_add_shell_word(text *t, const char *word)
{
    text_add(t, "'");
    for (const char *c = word; *c; c++)
        text_add(t, *c == '\'' ? "'\\''" : "%c", *c);
    text_add(t, "'");
}

text path_in_folder(const char *folder, const char *name)
{
    text path = { 0 };
    text_add(&path, "%s/%s", folder, name);
    return path;
}

/* Append realpath(path); false if it does not exist. */
static bool add_real(text *out, const char *path)
{
    char *real = realpath(path, NULL);
    text_add(out, "%s", real ? real : "");
    free(real);
    return real != NULL;
}

/* The folder of `file`, or the working directory.  A folder that does not exist yet is relative to the working
 * directory; "" if that was removed. */
static text folder_of(const char *file)
{
    text folder = { 0 }, full = { 0 };
    const char *slash = file ? strrchr(file, '/') : NULL;
    text_add(&folder, "%.*s", slash ? (int)(slash - file) + 1 : 1, slash ? file : ".");
    const char *name = text_string(&folder);
    if (!add_real(&full, name) && (*name == '/' || add_real(&full, ".")))
        text_add(&full, "/%s", name);
    text_free(&folder);
    return full;
}

/* The end of the name that begins at `at`. */
static size_t name_end(const char *path, size_t at)
{
    return at + strcspn(path + at, "/");
}

static bool is_name(const char *path, size_t at, const char *name)
{
    const size_t n = strlen(name);
    return name_end(path, at) - at == n && memcmp(path + at, name, n) == 0;
}

/* The real path of the longest existing beginning that ends with ".."; the rest of the path begins at `*rest`.  Names
 * before ".." cannot be dropped textually, because symbolic links change what ".." means. */
static text real_beginning(const char *path, size_t *rest)
{
    text best = { 0 };
    *rest = 0;
    for (size_t at = 0; path[at]; at = name_end(path, at)) {
        at += strspn(path + at, "/");
        if (!is_name(path, at, ".."))
            continue;
        text head = { 0 }, real = { 0 };
        text_add_bytes(&head, path, name_end(path, at));
        if (add_real(&real, text_string(&head))) {
            *rest = name_end(path, at);
            text_clear(&best);
            text_add(&best, "%s", text_string(&real));
        }
        text_free(&head);
        text_free(&real);
    }
    return best;
}

text path_absolute(const char *path, const char *file)
{
    if (!*path)
        return (text){ 0 };
    text full = *path == '/' ? (text){ 0 } : folder_of(file);
    const bool nowhere = *path != '/' && full.length == 0;
    text_add(&full, nowhere ? "%s" : "/%s", path);
    if (nowhere)
        return full;
    size_t rest;
    const char *all = text_string(&full);
    text clean = real_beginning(all, &rest);
    if (clean.length == 1)                                              /* "/" */
        text_clear(&clean);
    for (size_t at = rest + strspn(all + rest, "/"); all[at]; at += strspn(all + at, "/")) {
        const size_t end = name_end(all, at);
        if (!is_name(all, at, "."))
            text_add(&clean, "/%.*s", (int)(end - at), all + at);
        at = end;
    }
    if (clean.length == 0)
        text_add(&clean, "/");
    text_free(&full);
    return clean;
}

extents_text extents_to_text(const int extents[4])
{
    extents_text e;
    snprintf(e.s, sizeof e.s, "%dx%dx%dx%d", extents[0], extents[1], extents[2], extents[3]);
    return e;
}

bytes_text bytes_to_text(double bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
    bytes_text b;
    int unit = 0;
    while (bytes >= 1024 && unit < 5) {
        bytes /= 1024;
        unit++;
    }
    snprintf(b.s, sizeof b.s, unit ? "%.2f %s" : "%.0f %s", bytes, units[unit]);
    return b;
}

/* As "%.3g" writes it. */
static double to_three_digits(double x)
{
    char s[32];
    snprintf(s, sizeof s, "%.3g", x);
    return strtod(s, NULL);
}

/* The last unit whose `from` the number reaches, once it has three digits in the unit before. */
static joules_unit unit_among(const joules_unit *units, int count, double joules)
{
    int i = 0;
    while (i + 1 < count && to_three_digits(joules / units[i].joules) * units[i].joules >= units[i + 1].from)
        i++;
    return units[i];
}

joules_unit joules_unit_of(double joules)
{
    static const joules_unit units[] = { { 0, 1, "J" }, { 1e3, 1e3, "kJ" }, { 1e6, 1e6, "MJ" }, { 1e9, 1e9, "GJ" } };
    return unit_among(units, sizeof units / sizeof *units, joules);
}

joules_text joules_to_text(double joules)
{
    static const joules_unit units[] = {
        { 0, 1, "J" }, { 1e3, 1e3, "kJ" }, { 3.6e5, 3.6e6, "kWh" }, { 3.6e9, 3.6e9, "MWh" },
    };
    const joules_unit unit = unit_among(units, sizeof units / sizeof *units, joules);
    joules_text t;
    snprintf(t.s, sizeof t.s, "%.3g %s", joules / unit.joules, unit.name);
    return t;
}

count_text nouns_to_text(int64_t count, const char *singular, const char *plural)
{
    count_text t;
    snprintf(t.s, sizeof t.s, "%" PRId64 " %s", count, count == 1 ? singular : plural);
    return t;
}

count_text count_to_text(int64_t count, const char *noun)
{
    count_text t;
    snprintf(t.s, sizeof t.s, "%" PRId64 " %s%s", count, noun, count == 1 ? "" : "s");
    return t;
}
