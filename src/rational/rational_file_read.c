/* rational_file_read.c - read rational functions from a file in the format of MILC (rational_file.h). */
#include "src/rational/rational_file.h"

#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/io/disk.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, REMARK = 256, PSEUDOFERMIONS_LARGEST = 1000 };

typedef struct {
    FILE *file;
    const char *path;
    int lines;                       /* number of the line that is read now, from 1 */
    char word[WORD];                 /* the next word; "" at the end of the file */
    int line;                        /* of `word` */
    double lower, upper, error;      /* from the latest comments */
    failure *why;
} reader;

static void read_remark(reader *in)
{
    char remark[REMARK];
    size_t n = 0;
    int c;
    while ((c = getc(in->file)) != EOF && c != '\n')
        if (n < sizeof remark - 1)
            remark[n++] = (char)c;
    remark[n] = '\0';
    if (c == '\n')
        ungetc(c, in->file);
    double lower, upper, error;
    const char *bounds = strstr(remark, "bounds are"), *reached = strstr(remark, "error =");
    if (bounds && sscanf(bounds, "bounds are [%lf ,%lf ]", &lower, &upper) == 2) {
        in->lower = lower;
        in->upper = upper;
    }
    if (reached && sscanf(reached, "error =%lf", &error) == 1)
        in->error = error;
}

/* Read the next word. */
static bool advance(reader *in)
{
    int c;
    size_t n = 0;
    while ((c = getc(in->file)) != EOF && strchr(" \t\r\n#", c)) {
        if (c == '\n')
            in->lines++;
        if (c == '#')
            read_remark(in);
    }
    in->line = in->lines;
    for (; c != EOF && !strchr(" \t\r\n#", c); c = getc(in->file)) {
        if (c < ' ' || c > '~')
            return fail(in->why, "%s:%d: a byte of value %d, which is not text", in->path, in->line, c);
        if (n == sizeof in->word - 1)
            return fail(in->why, "%s:%d: a word longer than %d characters", in->path, in->line, WORD - 1);
        in->word[n++] = (char)c;
    }
    in->word[n] = '\0';
    if (c != EOF)
        ungetc(c, in->file);
    if (ferror(in->file))
        return fail_system(in->why, errno, "%s: cannot be read: %s", in->path, strerror(errno));
    return true;
}

static bool unexpected(reader *in, const char *expected)
{
    if (*in->word)
        return fail(in->why, "%s:%d: expected %s, found \"%s\"", in->path, in->line, expected, in->word);
    return fail(in->why, "%s:%d: expected %s, but the file ends here", in->path, in->line, expected);
}

/* "order_MD" from "order" and "MD" */
static bool read_tag(reader *in, const char *name, const char *function)
{
    char tag[WORD], expected[WORD + 8];
    snprintf(tag, sizeof tag, "%s%s%s", name, *function ? "_" : "", function);
    snprintf(expected, sizeof expected, "\"%s\"", tag);
    return strcmp(in->word, tag) == 0 ? advance(in) : unexpected(in, expected);
}

static bool read_int(reader *in, int *value)
{
    char *end;
    errno = 0;
    long number = strtol(in->word, &end, 10);
    if (!*in->word || *end || errno || number < INT32_MIN || number > INT32_MAX)
        return unexpected(in, "a whole number");
    *value = (int)number;
    return advance(in);
}

static bool read_real(reader *in, double *value)
{
    char *end;
    *value = strtod(in->word, &end);
    if (!*in->word || *end || !isfinite(*value) || strpbrk(in->word, "xX"))
        return unexpected(in, "a number");
    return advance(in);
}

static bool at_number(const reader *in)
{
    return *in->word && strchr("+-.0123456789", *in->word);
}

enum { LIST = 64 };
typedef struct { int count; double value[LIST]; } list;

/* Read the numbers after y_MD, z_MD or m_MD, up to the next word that is not a number. */
static bool read_list(reader *in, list *l, const char *name, const char *function, bool whole)
{
    if (!read_tag(in, name, function))
        return false;
    for (l->count = 0; at_number(in); l->count++) {
        int number = 0;
        if (l->count == LIST)
            return fail(in->why, "%s:%d: %s_%s: more than %d numbers", in->path, in->line, name, function, LIST);
        if (!(whole ? read_int(in, &number) : read_real(in, &l->value[l->count])))
            return false;
        if (whole)
            l->value[l->count] = number;
    }
    return l->count > 0 || unexpected(in, "a number");
}

/* Read powers and masses; masses with power 0 are unused. */
static bool read_product(reader *in, power_product *f, const char *function)
{
    list y, z, m;
    int line = in->line;
    *f = (power_product){ 0 };
    if (!read_list(in, &y, "y", function, true) || !read_list(in, &z, "z", function, true)
        || !read_list(in, &m, "m", function, false))
        return false;
    if (y.count != z.count || y.count != m.count)
        return fail(in->why, "%s:%d: y_%s, z_%s and m_%s have %d, %d and %d numbers, but need the same number",
                    in->path, line, function, function, function, y.count, z.count, m.count);
    for (int j = 0; j < y.count; j++) {
        if (z.value[j] == 0)
            return fail(in->why, "%s:%d: z_%s: the denominator of a power is 0", in->path, line, function);
        if (m.value[j] < 0)
            return fail(in->why, "%s:%d: m_%s: the mass %g is negative", in->path, line, function, m.value[j]);
        if (y.value[j] == 0)
            continue;
        if (f->count == RATIONAL_FACTORS)
            return fail(in->why, "%s:%d: %s has more than %d masses", in->path, line, function, RATIONAL_FACTORS);
        f->factor[f->count++] = (mass_power){ m.value[j], (int)y.value[j], (int)z.value[j] };
    }
    return true;
}

static void sort_poles(rational *r)
{
    for (int k = 1; k < r->order; k++)
        for (int i = k; i > 0 && r->pole[i] < r->pole[i - 1]; i--) {
            double pole = r->pole[i], residue = r->residue[i];
            r->pole[i] = r->pole[i - 1];
            r->residue[i] = r->residue[i - 1];
            r->pole[i - 1] = pole;
            r->residue[i - 1] = residue;
        }
}

static bool read_function(reader *in, rational *r, const char *function)
{
    double place = 0;
    if (!read_product(in, &r->target, function))
        return false;
    r->lower = in->lower;
    r->upper = in->upper;
    r->error = in->error;
    int line = in->line;
    if (!read_tag(in, "order", function) || !read_int(in, &r->order))
        return false;
    if (r->order < 0 || r->order > RATIONAL_POLES)
        return fail(in->why, "%s:%d: order_%s is %d; allowed are 0 to %d poles", in->path, line, function,
                    r->order, RATIONAL_POLES);
    for (int k = 0; k <= r->order; k++)
        if (!read_tag(in, "res", function) || !read_real(in, k ? &r->residue[k - 1] : &r->constant))
            return false;
    for (int k = 0; k <= r->order; k++) {
        line = in->line;
        if (!read_tag(in, "pole", function) || !read_real(in, k ? &r->pole[k - 1] : &place))
            return false;
        if (k && !(r->pole[k - 1] > 0))
            return fail(in->why, "%s:%d: pole_%s is %g, but poles must be positive", in->path, line, function,
                        r->pole[k - 1]);
    }
    sort_poles(r);
    return true;
}

static bool read_set(reader *in, rational_set *set)
{
    return read_tag(in, "naik_term_epsilon", "") && read_real(in, &set->naik_epsilon)
           && read_function(in, &set->force, "MD") && read_function(in, &set->refresh, "GR")
           && read_function(in, &set->action, "FA");
}

static bool read_all(reader *in, rational_sets *sets)
{
    int count = 0, line = 0;
    if (!advance(in) || !read_tag(in, "n_pseudo", ""))
        return false;
    line = in->line;
    if (!read_int(in, &count))
        return false;
    if (count < 0 || count > PSEUDOFERMIONS_LARGEST)
        return fail(in->why, "%s:%d: n_pseudo is %d; allowed are 0 to %d", in->path, line, count,
                    PSEUDOFERMIONS_LARGEST);
    sets->count = count;
    sets->set = memory_alloc((size_t)count * sizeof *sets->set, "rational functions");
    for (int i = 0; i < count; i++)
        if (!read_set(in, &sets->set[i]))
            return false;
    if (*in->word)
        return fail(in->why, "%s:%d: expected the end of the file after %d pseudofermion%s, found \"%s\"", in->path,
                    in->line, count, count == 1 ? "" : "s", in->word);
    return true;
}

bool rational_file_read(rational_sets *sets, const char *path, failure *why)
{
    *sets = (rational_sets){ 0 };
    reader in = { .file = disk_open(path), .path = path, .lines = 1, .why = why };
    if (!in.file)
        return fail_system(why, errno, "%s: cannot be opened: %s", path, open_file_reason(errno));
    bool ok = read_all(&in, sets);
    fclose(in.file);
    if (!ok)
        rational_sets_free(sets);
    return ok;
}

void rational_sets_free(rational_sets *sets)
{
    memory_free(sets->set);
    *sets = (rational_sets){ 0 };
}
