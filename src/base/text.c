/* text.c - strings that grow. */
#include "src/base/text.h"

#include <errno.h>
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
    require(t->s != NULL, "out of host memory: a text of %zu bytes", capacity);
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

void text_clear(text *t)
{
    t->length = 0;
    if (t->s)
        t->s[0] = '\0';
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

bool text_add_file(text *t, const char *path, failure *f)
{
    char bytes[4096];
    size_t n;
    FILE *file = fopen(path, "r");
    if (!file)
        return fail(f, "%s: cannot be read: %s", path, strerror(errno));
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
        text_add_bytes(t, bytes, n);
    int reason = ferror(file) ? errno : 0;
    fclose(file);
    return reason == 0 || fail(f, "%s: cannot be read: %s", path, strerror(reason));
}

text path_in_folder(const char *folder, const char *name)
{
    text path = { 0 };
    text_add(&path, "%s/%s", folder, name);
    return path;
}

/* The folder of `file`; `*real` tells whether it is there: then it is free of links, and ".." takes off its end. */
static text folder_of(const char *file, bool *real)
{
    text folder = { 0 };
    const char *slash = file ? strrchr(file, '/') : NULL;
    text_add(&folder, "%.*s", slash ? (int)(slash - file) + 1 : 1, slash ? file : ".");
    char *resolved = realpath(text_string(&folder), NULL);
    *real = resolved != NULL;
    if (resolved) {
        text_clear(&folder);
        text_add(&folder, "%s", resolved);
    }
    free(resolved);
    return folder;
}

text path_absolute(const char *path, const char *file)
{
    text full = { 0 };
    if (!*path || *path == '/') {
        text_add(&full, "%s", path);
        return full;
    }
    bool real;
    text folder = folder_of(file, &real);
    size_t length = folder.length;
    for (size_t n; *path; path += n + (path[n] == '/')) {
        n = strcspn(path, "/");
        const bool up = n == 2 && memcmp(path, "..", 2) == 0;
        if ((up && !real) || (!up && n > 0 && !(n == 1 && *path == '.')))
            break;
        while (up && length > 0 && folder.s[--length] != '/')
            continue;
    }
    while (length > 0 && folder.s[length - 1] == '/')
        length--;
    text_add(&full, "%.*s%s%s", (int)length, folder.s, *path || length == 0 ? "/" : "", path);
    text_free(&folder);
    return full;
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
