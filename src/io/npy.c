/* npy.c - NumPy files: a text header that describes the array, then the numbers.
 *
 *     \x93NUMPY  major minor  length of the header (2 bytes; 4 in version 2)
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }   padded to a multiple of 64 bytes */
#include "src/io/npy.h"

#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/base/text.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the numbers of a .npy file are little endian");

enum { HEADER_LIMIT = 4096, HEADER_ALIGNMENT = 64, PREAMBLE_1 = 10, PREAMBLE_2 = 12 };
static const char magic[] = "\x93NUMPY";

/* "(4, 3)", "(4,)" and "()": Python's tuples. */
static void add_shape(text *t, int dimensions, const size_t *shape)
{
    text_add(t, "(");
    for (int i = 0; i < dimensions; i++)
        text_add(t, i ? ", %zu" : "%zu", shape[i]);
    text_add(t, dimensions == 1 ? ",)" : ")");
}

static bool count_elements(size_t *count, const char *path, int dimensions, const size_t *shape, failure *f)
{
    *count = 1;
    if (dimensions < 0 || dimensions > NPY_MAX_DIMENSIONS)
        return fail(f, "%s: %d dimensions; allowed are 0 to %d", path, dimensions, NPY_MAX_DIMENSIONS);
    for (int i = 0; i < dimensions; i++)
        if (__builtin_mul_overflow(*count, shape[i], count) || *count > SIZE_MAX / 16)
            return fail(f, "%s: the array is too large to be addressed", path);
    return true;
}

/* Does not check for errors: commit detects them, though without the reason. */
static void write_header(FILE *stream, int dimensions, const size_t *shape)
{
    text header = { 0 };
    text_add(&header, "{'descr': '<f8', 'fortran_order': False, 'shape': ");
    add_shape(&header, dimensions, shape);
    text_add(&header, ", }");
    while ((PREAMBLE_1 + header.length + 1) % HEADER_ALIGNMENT != 0)
        text_add(&header, " ");
    text_add(&header, "\n");
    const unsigned char rest[] = { 1, 0, (unsigned char)(header.length & 0xff), (unsigned char)(header.length >> 8) };
    fwrite(magic, 1, sizeof magic - 1, stream);
    fwrite(rest, 1, sizeof rest, stream);
    fwrite(header.s, 1, header.length, stream);
    text_free(&header);
}

static bool write_slices(FILE *stream, const char *path, const slice_source *from, failure *f)
{
    double *slice = slice_alloc(from->reals);
    bool ok = true;
    for (int number = 0; ok && number < from->count; number++) {
        from->get(slice, from->from, number);
        ok = fwrite(slice, sizeof *slice, from->reals, stream) == from->reals
             || fail_system(f, errno, "%s: cannot be written: %s", path, strerror(errno));
    }
    memory_free(slice);
    return ok;
}

bool npy_write_slices(const char *path, const slice_source *from, int dimensions, const size_t *shape, failure *f)
{
    size_t count;
    if (!count_elements(&count, path, dimensions, shape, f))
        return false;
    assert(count == (size_t)from->count * from->reals);
    safe_file *s = safe_file_renew(path, magic, f);
    if (!s)
        return false;
    write_header(safe_file_stream(s), dimensions, shape);
    if (write_slices(safe_file_stream(s), path, from, f))
        return safe_file_commit(s, f);
    safe_file_abandon(s);
    return false;
}

/* What follows `'key':` in the header, without blanks before it; NULL if there is no such key. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (!at)
        return NULL;
    at += strlen(key);
    while (isspace((unsigned char)*at))
        at++;
    if (*at != ':')
        return NULL;
    do
        at++;
    while (isspace((unsigned char)*at));
    return at;
}

static bool starts_with(const char *s, const char *start)
{
    return s && strncmp(s, start, strlen(start)) == 0;
}

/* Read the numbers of a tuple; their count, or -1 if it is not a tuple. */
static int parse_shape(const char *s, size_t found[NPY_MAX_DIMENSIONS])
{
    int n = 0;
    if (!s || *s++ != '(')
        return -1;
    for (;;) {
        while (isspace((unsigned char)*s) || *s == ',')
            s++;
        if (*s == ')')
            return n;
        if (!isdigit((unsigned char)*s) || n == NPY_MAX_DIMENSIONS)
            return -1;
        char *end;
        errno = 0;
        unsigned long long value = strtoull(s, &end, 10);
        if (errno || value > SIZE_MAX)
            return -1;
        found[n++] = (size_t)value;
        s = end;
    }
}

/* The length of a type in quotes, for a message; limited for text that is not a type. */
static int type_length(const char *descr)
{
    const char *end = *descr == '\'' ? strchr(descr + 1, '\'') : NULL;
    return end && end - descr < 20 ? (int)(end - descr) + 1 : 20;
}

/* Check the header's text; `path` for the messages. */
static bool check_header(const char *header, const char *path, int dimensions, const size_t *shape, failure *f)
{
    const char *descr = value_of(header, "'descr'");
    if (starts_with(descr, "'>f8'"))
        return fail(f, "%s: the numbers are big endian ('>f8'), but '<f8' (float64) is needed: numpy's "
                       "astype('<f8') swaps the bytes", path);
    if (!starts_with(descr, "'<f8'"))
        return fail(f, "%s: the type is %.*s, but '<f8' (float64) is needed", path, descr ? type_length(descr) : 9,
                    descr ? descr : "not given");
    if (!starts_with(value_of(header, "'fortran_order'"), "False"))
        return fail(f, "%s: the array is not in C order", path);
    size_t found[NPY_MAX_DIMENSIONS];
    int n = parse_shape(value_of(header, "'shape'"), found);
    if (n < 0)
        return fail(f, "%s: the header has no readable shape", path);
    if (n == dimensions && memcmp(found, shape, (size_t)n * sizeof *shape) == 0)
        return true;
    text have = { 0 }, want = { 0 };
    add_shape(&have, n, found);
    add_shape(&want, dimensions, shape);
    fail(f, "%s: the shape is %s, expected %s", path, text_string(&have), text_string(&want));
    text_free(&have);
    text_free(&want);
    return false;
}

/* Read and check everything before the numbers; leaves the stream at the first number. */
static bool read_header(FILE *file, const char *path, int dimensions, const size_t *shape, size_t *bytes, failure *f)
{
    unsigned char p[PREAMBLE_2] = { 0 };
    if (fread(p, 1, PREAMBLE_1, file) != PREAMBLE_1 || memcmp(p, magic, sizeof magic - 1) != 0)
        return fail(f, "%s: is not a .npy file", path);
    if (p[6] != 1 && p[6] != 2)
        return fail(f, "%s: .npy version %d.%d; Kiln reads 1.0 and 2.0", path, p[6], p[7]);
    size_t length = p[8] | (size_t)p[9] << 8, preamble = p[6] == 1 ? PREAMBLE_1 : PREAMBLE_2;
    if (p[6] == 2) {
        if (fread(p + PREAMBLE_1, 1, 2, file) != 2)
            return fail(f, "%s: truncated in its header", path);
        length |= (size_t)p[10] << 16 | (size_t)p[11] << 24;
    }
    char header[HEADER_LIMIT + 1];
    if (length > HEADER_LIMIT)
        return fail(f, "%s: a header of %zu bytes; at most %d bytes are allowed", path, length, HEADER_LIMIT);
    if (fread(header, 1, length, file) != length)
        return fail(f, "%s: truncated in its header", path);
    header[length] = '\0';
    *bytes = preamble + length;
    return check_header(header, path, dimensions, shape, f);
}

/* A position in the array, as Python would write it: "[0, 1, 2]". */
static void add_position(text *t, size_t at, int dimensions, const size_t *shape)
{
    size_t index[NPY_MAX_DIMENSIONS];
    for (int i = dimensions - 1; i >= 0; i--) {
        index[i] = at % shape[i];
        at /= shape[i];
    }
    text_add(t, "[");
    for (int i = 0; i < dimensions; i++)
        text_add(t, i ? ", %zu" : "%zu", index[i]);
    text_add(t, "]");
}

/* The index of the first number that is not finite; `count` where all are. */
static size_t first_not_finite(const double *data, size_t count)
{
    size_t i = 0;
    while (i < count && isfinite(data[i]))
        i++;
    return i;
}

/* Fail because number `at` of the array is not finite. */
static bool fail_at(size_t at, double value, const char *path, int dimensions, const size_t *shape, failure *f)
{
    text position = { 0 };
    add_position(&position, at, dimensions, shape);
    fail(f, "%s: the number at %s is %g; all must be finite", path, text_string(&position), value);
    text_free(&position);
    return false;
}

/* Read the numbers; the stream is at the first one. */
static bool read_slices(const slice_sink *to, FILE *file, const char *path, int dimensions, const size_t *shape,
                        failure *f)
{
    double *slice = slice_alloc(to->reals);
    bool ok = true;
    for (int number = 0; ok && number < to->count; number++) {
        ok = fread(slice, sizeof *slice, to->reals, file) == to->reals
             || fail_system(f, errno, "%s: cannot be read: %s", path, strerror(errno));
        const size_t bad = ok ? first_not_finite(slice, to->reals) : 0;
        if (ok && bad < to->reals)
            ok = fail_at((size_t)number * to->reals + bad, slice[bad], path, dimensions, shape, f);
        if (ok)
            to->set(to->to, number, slice);
    }
    memory_free(slice);
    return ok;
}

bool npy_read_slices(const slice_sink *to, const char *path, int dimensions, const size_t *shape, failure *f)
{
    size_t count, header_bytes;
    uint64_t size = 0;
    if (!count_elements(&count, path, dimensions, shape, f))
        return false;
    assert(count == (size_t)to->count * to->reals);
    FILE *file = disk_open(path);
    if (!file)
        return fail_system(f, errno, "%s: cannot be opened: %s", path, open_file_reason(errno));
    disk_size(&size, file);
    bool ok = read_header(file, path, dimensions, shape, &header_bytes, f);
    const uint64_t needs = ok ? header_bytes + (uint64_t)count * sizeof(double) : 0;
    if (ok && size != needs)
        ok = fail(f, "%s: %llu bytes, but an array of this shape needs %llu bytes", path, (unsigned long long)size,
                  (unsigned long long)needs);
    ok = ok && read_slices(to, file, path, dimensions, shape, f);
    fclose(file);
    return ok;
}
