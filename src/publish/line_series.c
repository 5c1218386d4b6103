/* line_series.c - read lines of JSON twice: for names and sizes, then for values. */
#include "src/publish/line_series.h"

#include "src/base/json_members.h"
#include "src/base/open_file.h"
#include "src/base/text.h"
#include "src/ensemble/checksummed_line.h"
#include "src/measure/measurement.h"
#include "src/measure/result_unit.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A walk over the values of all lines. */
typedef struct {
    line_series *all;
    const char *const *without;
    const continuity_rules *rules;
    bool filling;                /* the second time */
    size_t line;
    int next;                    /* where the search begins: lines have similar order */
    const result_group *results; /* of the measurement whose result is walked over; NULL: none */
    bool anisotropic;            /* this result */
} walk;

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    require(memory != NULL, "out of host memory: the series of a record");
    return memory;
}

static series *find_series(walk *w, const char *name)
{
    line_series *all = w->all;
    for (int k = 0; k < all->count; k++) {
        const int i = (w->next + k) % all->count;
        if (strcmp(all->item[i].name, name) == 0) {
            w->next = i + 1;
            return &all->item[i];
        }
    }
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 64;
        all->item = realloc(all->item, (size_t)all->capacity * sizeof *all->item);
        require(all->item != NULL, "out of host memory: the series of a record");
    }
    w->next = all->count + 1;
    series *s = &all->item[all->count++];
    *s = (series){ .name = strdup(name), .type = SERIES_INTEGER, .width = 1 };
    require(s->name != NULL, "out of host memory: the series of a record");
    return s;
}

/* Integers of 64 bits; true and false are 1 and 0. */
static bool is_integer(yyjson_val *value)
{
    return yyjson_is_bool(value) || yyjson_is_sint(value)
           || (yyjson_is_uint(value) && yyjson_get_uint(value) <= INT64_MAX);
}

static double number_of(yyjson_val *value)
{
    return yyjson_is_bool(value) ? yyjson_get_bool(value) : yyjson_is_num(value) ? json_read_number(value) : NAN;
}

static int64_t integer_of(yyjson_val *value)
{
    return yyjson_is_bool(value) ? yyjson_get_bool(value) : yyjson_get_sint(value);
}

/* ---- a value of a line */

static void add_text_value(walk *w, series *s, yyjson_val *value)
{
    const size_t n = yyjson_get_len(value);
    s->valued = true;
    if (!w->filling) {
        s->type = SERIES_TEXT;
        s->width = n > s->width ? n : s->width;
    } else if (s->text) {
        memcpy(s->text + w->line * s->width, yyjson_get_str(value), n);
    }
}

static void add_number(walk *w, series *s, yyjson_val *value, size_t index)
{
    s->valued = s->valued || !yyjson_is_null(value);
    if (!w->filling) {
        if (s->type == SERIES_INTEGER && !is_integer(value))
            s->type = SERIES_REAL;
        s->width = index + 1 > s->width ? index + 1 : s->width;
        return;
    }
    if (s->real)
        s->real[w->line * s->width + index] = number_of(value);
    if (s->integer)
        s->integer[w->line * s->width + index] = integer_of(value);
}

static bool is_list_of_numbers(yyjson_val *value)
{
    yyjson_val *item;
    size_t i, count;
    yyjson_arr_foreach(value, i, count, item)
        if (yyjson_is_ctn(item) || yyjson_is_str(item))
            return false;
    return yyjson_is_arr(value);
}

static bool is_left_out(const walk *w, const char *key)
{
    for (int i = 0; w->without[i]; i++)
        if (strcmp(w->without[i], key) == 0)
            return true;
    return false;
}

/* "HEAD/KEY"; a slash in the key becomes %2F, because it does not begin a group. */
static text name_below(const char *head, const char *key)
{
    text name = { 0 };
    text_add(&name, "%s%s", head, *head ? "/" : "");
    for (const char *c = key; *c; c++)
        if (*c == '/')
            text_add(&name, "%%2F");
        else
            text_add_bytes(&name, c, 1);
    return name;
}

/* ---- measurements with different settings */

enum { MARK = '\x01' };          /* between the name of a measurement and its settings, until all settings are known */

/* The name of the result of a measurement, with its settings. */
static text marked_name(const char *name, yyjson_val *result)
{
    text marked = { 0 };
    const char *settings = json_member_text(result, "settings");
    text_add(&marked, "%s%c%s", name, MARK, settings ? settings : "unknown");
    return marked;
}

/* Whether the two names are those of results of one measurement with different settings. */
static bool are_sets(const char *a, const char *b)
{
    const size_t name = strcspn(a, "\x01");
    const char *x = a + name, *y = b + name;
    return strncmp(a, b, name + 1) == 0
           && (strcspn(x, "/") != strcspn(y, "/") || strncmp(x, y, strcspn(x, "/")) != 0);
}

/* Remove the settings from a name, or make them part of it. */
static void unmark(char *name, bool several)
{
    char *mark = strchr(name, MARK);
    if (several)
        *mark = '@';
    else
        memmove(mark, mark + strcspn(mark, "/"), strlen(mark + strcspn(mark, "/")) + 1);
}

static void name_sets(line_series *all)
{
    bool *several = allocate((size_t)all->count, sizeof *several);
    for (int i = 0; i < all->count; i++)
        for (int k = 0; strchr(all->item[i].name, MARK) && k < all->count && !several[i]; k++)
            several[i] = are_sets(all->item[i].name, all->item[k].name);
    for (int i = 0; i < all->count; i++) {
        all->several = all->several || several[i];
        if (strchr(all->item[i].name, MARK))
            unmark(all->item[i].name, several[i]);
    }
    free(several);
}

static const result_group *results_of(yyjson_val *result)
{
    const char *kind = json_member_text(result, "kind");
    const measurement_kind *of = kind ? measurement_kind_named(kind) : NULL;
    return of ? of->results : NULL;
}

/* The member at "measurements/NAME/masses/0/condensate". */
static const result_member *find_member(const result_group *results, const char *name)
{
    text path = { 0 };
    for (int slashes = 0; *name && slashes < 2; name++)
        slashes += *name == '/';
    for (; *name; name++)
        text_add_bytes(&path, *name == '/' ? "." : name, 1);
    const result_member *found = result_member_find(results, text_string(&path));
    text_free(&path);
    return found;
}

static void add_value(walk *w, const char *name, yyjson_val *value);

/* A member, or an item by its number, of the object or list `name` ("": the line). */
static void add_part(walk *w, const char *name, const char *key, yyjson_val *value)
{
    assert(key != NULL);                                      /* a number, or the key of a member */
    if (*name == '\0' && is_left_out(w, key))
        return;
    text below = name_below(name, key), marked = { 0 };
    if (strcmp(name, "measurements") == 0) {
        marked = marked_name(text_string(&below), value);
        w->results = results_of(value);
        w->anisotropic = result_is_anisotropic(value);
    }
    add_value(w, text_string(marked.length > 0 ? &marked : &below), value);
    text_free(&below);
    text_free(&marked);
}

static void add_series(walk *w, const char *name, yyjson_val *value)
{
    yyjson_val *item;
    size_t i, count;
    series *s = find_series(w, name);
    s->seen += !w->filling;
    if (!w->filling && !s->member && w->results && strncmp(name, "measurements/", strlen("measurements/")) == 0)
        s->member = find_member(w->results, name);
    s->anisotropic = s->anisotropic || (s->member && w->anisotropic);
    if (yyjson_is_arr(value)) {
        s->is_list = true;
        yyjson_arr_foreach(value, i, count, item)
            add_number(w, s, item, i);
    } else if (yyjson_is_str(value)) {
        add_text_value(w, s, value);
    } else {
        add_number(w, s, value, 0);
    }
}

static void add_value(walk *w, const char *name, yyjson_val *value)
{
    yyjson_val *key, *item;
    size_t i, count;
    if (yyjson_is_obj(value)) {
        yyjson_obj_foreach(value, i, count, key, item)
            add_part(w, name, yyjson_get_str(key), item);
    } else if (yyjson_is_arr(value) && !is_list_of_numbers(value)) {
        yyjson_arr_foreach(value, i, count, item) {
            char number[24];
            snprintf(number, sizeof number, "%zu", i);
            add_part(w, name, number, item);
        }
    } else {
        add_series(w, name, value);
    }
}

/* ---- all lines */

static bool read_lines(walk *w, const char *path, failure *f)
{
    line_series *all = w->all;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int64_t number = 0;
    FILE *file = open_file_read(path);
    if (!file)
        return fail_system(f, errno, "%s: cannot be opened: %s", path, open_file_reason(errno));
    yyjson_alc *memory = yyjson_alc_dyn_new();
    bool ok = true;
    w->line = 0;
    all->filter = (line_filter){ .rules = w->rules };
    while (ok && (length = getline(&line, &capacity, file)) > 0) {
        number++;
        all->torn = line[length - 1] != '\n';
        if (all->torn)
            break;
        failure why;
        const checksum_state checksum = checksummed_line_check(line);
        yyjson_doc *doc = json_read(line, (size_t)length, "line", memory, &why);
        if (!line_filter_takes(&all->filter, yyjson_doc_get_root(doc), checksum, number)) {
            yyjson_doc_free(doc);
            continue;
        }
        ok = doc || fail(f, "%s: line %" PRId64 " is no object of JSON: %s; expected the folder of an ensemble, its "
                            "run.jsonl, or a file of results of kiln measure", path, number, why.why);
        if (ok)
            add_value(w, "", yyjson_doc_get_root(doc));
        yyjson_doc_free(doc);
        w->line++;
    }
    ok = ok && (!ferror(file) || fail_system(f, errno, "%s: cannot be read: %s", path, strerror(errno)));
    all->filter.rules = NULL;
    yyjson_alc_dyn_free(memory);
    free(line);
    fclose(file);
    return ok;
}

static void allocate_values(line_series *all)
{
    for (int i = 0; i < all->count; i++) {
        series *s = &all->item[i];
        const size_t n = all->lines * s->width;
        if (s->type == SERIES_INTEGER && (s->seen < all->lines || (s->is_list && s->width != 1)))
            s->type = SERIES_REAL;
        if (s->type == SERIES_TEXT) {
            s->text = allocate(n, 1);
            continue;
        }
        s->real = allocate(n, sizeof *s->real);
        for (size_t k = 0; k < n; k++)
            s->real[k] = NAN;
        if (s->type == SERIES_INTEGER)
            s->integer = allocate(n, sizeof *s->integer);
    }
}

static void free_series(series *s)
{
    free(s->name);
    free(s->real);
    free(s->integer);
    free(s->text);
}

static bool has_parts(const line_series *all, const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; i < all->count; i++)
        if (all->item[i].name && strncmp(all->item[i].name, name, n) == 0 && all->item[i].name[n] == '/')
            return true;
    return false;
}

/* An array cannot have the name of a group: remove those that are null or empty where other lines have objects. */
static void remove_empty_groups(line_series *all)
{
    int kept = 0;
    for (int i = 0; i < all->count; i++)
        if (!all->item[i].valued && has_parts(all, all->item[i].name)) {
            free_series(&all->item[i]);
            all->item[i] = (series){ .name = NULL };
        }
    for (int i = 0; i < all->count; i++)
        if (all->item[i].name)
            all->item[kept++] = all->item[i];
    all->count = kept;
}

bool line_series_read(line_series *all, const char *path, const char *const *without, const continuity_rules *rules,
                      failure *f)
{
    *all = (line_series){ 0 };
    walk w = { .all = all, .without = without, .rules = rules };
    if (!read_lines(&w, path, f))
        return false;
    all->lines = w.line;
    if (all->lines == 0)
        return fail(f, "%s: no line can be used: %zu changed since Kiln wrote them, %zu do not continue the record",
                    path, all->filter.changed, all->filter.strays);
    allocate_values(all);
    w.filling = true;
    const bool ok = read_lines(&w, path, f)
                    && (w.line == all->lines || fail(f, "%s: changed while Kiln read it; try again", path));
    remove_empty_groups(all);
    name_sets(all);
    return ok;
}

void line_series_free(line_series *all)
{
    for (int i = 0; i < all->count; i++)
        free_series(&all->item[i]);
    free(all->item);
    *all = (line_series){ 0 };
}
