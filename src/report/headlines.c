/* headlines.c - find titles, numbers and curves in the JSON results of measurements. */
#include "src/report/headlines.h"

#include "src/base/json_members.h"
#include "src/base/memory.h"
#include "src/report/item_label.h"

#include <math.h>
#include <string.h>

typedef struct { headline_listener *emit; void *out; } listener;

text headlines_title(const char *name, const char *key)
{
    text title = { 0 };
    if (strcmp(name, key) != 0) {
        text_add_bytes(&title, name, strlen(name));
        text_add_bytes(&title, ".", 1);
    }
    text_add_bytes(&title, key, strlen(key));
    return title;
}

text headlines_labeled_title(const char *name, const char *key, const char *label)
{
    text title = headlines_title(name, key);
    text_add_bytes(&title, label, strlen(label));
    return title;
}

/* The object that contains the last name of a path: for "polyakov.re" the member polyakov.  NULL if there is none. */
static yyjson_val *holder_of(yyjson_val *object, const char **path)
{
    for (size_t length; object && (*path)[length = strcspn(*path, ".")]; *path += length + 1) {
        object = yyjson_obj_getn(object, *path, length);
        object = yyjson_is_obj(object) ? object : NULL;
    }
    return object;
}

static bool value_at(yyjson_val *object, const char *path, double *value)
{
    yyjson_val *holder = holder_of(object, &path);
    return json_member_real(holder, path, value);
}

static yyjson_val *list_at(yyjson_val *object, const char *path)
{
    yyjson_val *holder = holder_of(object, &path);
    return json_member_list(holder, path);
}

/* "light.condensate(0.05)" with the label; "condensate(0.05)" if the measurement has the name of its number. */
static void report_number(const listener *l, const char *name, const char *key, const text *label, double value)
{
    text title = headlines_labeled_title(name, key, text_string(label));
    l->emit(l->out, text_string(&title), value);
    text_free(&title);
}

static void report_headline(const listener *l, const char *name, const result_group *g, const char *key,
                            yyjson_val *result)
{
    yyjson_val *list = g->list ? json_member_list(result, g->list) : NULL, *item;
    size_t i, count;
    double value;
    if (!g->list && value_at(result, key, &value))
        report_number(l, name, key, &(text){ 0 }, value);
    yyjson_arr_foreach(list, i, count, item) {
        if (!value_at(item, key, &value))
            continue;
        text label = item_label(g, list, i);
        report_number(l, name, key, &label, value);
        text_free(&label);
    }
}

static const measurement_kind *kind_of(yyjson_val *result)
{
    const char *kind = json_member_text(result, "kind");
    return kind ? measurement_kind_named(kind) : NULL;
}

void headlines_report(const char *name, yyjson_val *result, headline_listener *emit, void *out)
{
    const listener l = { emit, out };
    const measurement_kind *kind = kind_of(result);
    for (const result_group *g = kind ? kind->results : NULL; g && g->members; g++)
        for (const result_member *m = g->members; m->key; m++)
            if (m->headline)
                report_headline(&l, name, g, m->key, result);
}

/* Whether a title belongs to this number: "key", or "name.key(label)". */
static bool has_key(const char *title, const char *key)
{
    const char *label = strrchr(title, '(');
    const size_t length = label ? (size_t)(label - title) : strlen(title), n = strlen(key);
    return length >= n && strncmp(title + length - n, key, n) == 0 && (length == n || title[length - n - 1] == '.');
}

const char *headlines_unit(const result_group *results, const char *title)
{
    for (const result_group *g = results; g && g->members; g++)
        for (const result_member *m = g->members; m->key; m++)
            if (m->headline && m->unit && has_key(title, m->key))
                return m->unit;
    return NULL;
}

bool headlines_vanishes(const result_group *results, const char *title)
{
    bool vanishes = false;
    for (const result_group *g = results; g && g->members; g++)
        for (const result_member *m = g->members; m->key; m++)
            vanishes = vanishes || (m->headline && m->vanishes && has_key(title, m->key));
    return vanishes;
}

static void report_scales(const listener *l, const char *name, const curve_scale *scale, yyjson_val *result)
{
    double value;
    for (; scale && scale->key; scale++) {
        text title = headlines_title(name, scale->key);
        if (json_member_real(result, scale->key, &value))
            l->emit(l->out, text_string(&title), value);
        text_free(&title);
    }
}

/* The first number of a table of the result. */
static void report_first(const listener *l, const char *name, const result_member *m, yyjson_val *result)
{
    double value;
    if (json_value_real(&value, yyjson_arr_get_first(yyjson_arr_get_first(list_at(result, m->key)))))
        report_number(l, name, m->first, &(text){ 0 }, value);
}

void headlines_report_of_one(const char *name, yyjson_val *result, headline_listener *emit, void *out)
{
    const listener l = { emit, out };
    const measurement_kind *kind = kind_of(result);
    for (const result_group *g = kind ? kind->results : NULL; g && g->members; g++)
        for (const result_member *m = g->members; m->key; m++) {
            if (m->curve)
                report_scales(&l, name, m->curve->scales, result);
            if (m->first)
                report_first(&l, name, m, result);
        }
}

/* Bounds on the values of a curve: far larger than any measured value, and safe for a spline. */
#define LARGEST 1e15
#define LEAST_STEP 1e-9                /* smallest relative step from one x to the next */

static bool is_point(const double *x, const double *y, int i)
{
    const bool finite = fabs(x[i]) < LARGEST && fabs(y[i]) < LARGEST && x[i] >= 0;       /* false for NaN */
    return finite && (i == 0 || x[i] - x[i - 1] > LEAST_STEP * x[i]);
}

/* Read the numbers of a list up to the first item that is not a number.  Returns their count. */
static int read_list(double *value, yyjson_val *list)
{
    yyjson_val *item;
    size_t i, count;
    yyjson_arr_foreach(list, i, count, item) {
        if (!yyjson_is_num(item))
            return (int)i;
        value[i] = json_read_number(item);
    }
    return (int)count;
}

/* Memory for the numbers of a curve, on the stack unless it is long, because a record has a curve in every line. */
enum { USUAL_NUMBERS = 512 };
typedef struct { double usual[USUAL_NUMBERS], *own; } number_buffer;

static double *get_buffer(number_buffer *r, size_t count)
{
    r->own = count > USUAL_NUMBERS ? memory_alloc(count * sizeof *r->own, "a curve of a record") : NULL;
    return r->own ? r->own : r->usual;
}

/* `object`: the result, or an item of its list. */
typedef void curve_reporter(curve_title title, yyjson_val *object, curve_listener *emit, void *out);

static void report_curve(curve_title title, yyjson_val *result, curve_listener *emit, void *out)
{
    yyjson_val *x_list = list_at(result, title.of->curve->x), *y_list = list_at(result, title.of->key);
    const int x_size = (int)yyjson_arr_size(x_list), y_size = (int)yyjson_arr_size(y_list);
    const size_t most = (size_t)x_size + (size_t)y_size + 1;
    number_buffer buffer;
    double *x = get_buffer(&buffer, 2 * most), *y = x + most;
    const int count = read_list(x, x_list);
    bool whole = x_list && y_list && count == x_size && count == y_size && read_list(y, y_list) == count;
    for (int i = 0; whole && i < count; i++)
        whole = is_point(x, y, i);
    bool converged;
    if (json_member_bool(result, "converged", &converged) && !converged)
        whole = false;
    emit(out, title, (curve_points){ whole ? count : 0, x, y });
    memory_free(buffer.own);
}

/* Numbers as a curve of one point; without a path x is 0. */
static void report_point(curve_title title, yyjson_val *object, curve_listener *emit, void *out)
{
    const result_member *of = title.of;
    const char *abscissa = of->moments ? of->moments->square : of->plane;
    double x = 0, y = 0;
    const bool there = (!abscissa || value_at(object, abscissa, &x)) && value_at(object, of->key, &y)
                       && fabs(x) < LARGEST && fabs(y) < LARGEST;
    emit(out, title, (curve_points){ there, &x, &y });
}

static void report_items(curve_title title, const result_group *g, yyjson_val *result, curve_reporter *how,
                         curve_listener *emit, void *out)
{
    yyjson_val *list = json_member_list(result, g->list), *item;
    size_t i, count;
    yyjson_arr_foreach(list, i, count, item) {
        text label = item_label(g, list, i);
        title.label = text_string(&label);
        how(title, item, emit, out);
        text_free(&label);
    }
}

/* The number of columns of a list of rows of equal length, or of a list of numbers; 0 if it is not a table. */
static int columns_of(yyjson_val *rows)
{
    yyjson_val *first = yyjson_arr_get_first(rows), *row;
    size_t r, count;
    if (first && !yyjson_is_ctn(first))
        return 1;
    const size_t columns = yyjson_arr_size(first);
    yyjson_arr_foreach(rows, r, count, row)
        if (yyjson_arr_size(row) != columns)
            return 0;
    return (int)columns;
}

/* A table as a curve: y = rows, columns, settings, then the values row by row; x = 0, 1, 2 ... */
static void report_table(curve_title title, yyjson_val *result, curve_listener *emit, void *out)
{
    const result_member *of = title.of;
    yyjson_val *rows = list_at(result, of->key), *row;
    size_t r, size;
    const int columns = columns_of(rows), height = columns > 0 ? (int)yyjson_arr_size(rows) : 0;
    const int count = TABLE_HEAD + height * columns;
    number_buffer buffer;
    double *x = get_buffer(&buffer, 2 * (size_t)count), *y = x + count;
    bool converged = true, whole = columns > 0;
    if (json_member_bool(result, "converged", &converged) && !converged)
        whole = false;
    if (whole && yyjson_is_arr(yyjson_arr_get_first(rows)))
        yyjson_arr_foreach(rows, r, size, row)
            whole = read_list(y + TABLE_HEAD + r * (size_t)columns, row) == columns && whole;
    else if (whole)
        whole = read_list(y + TABLE_HEAD, rows) == height;
    if (whole) {
        y[0] = height;
        y[1] = columns;
        for (int k = 0; k < TABLE_SETTINGS; k++)
            y[2 + k] = 0;
        if (of->table->read_settings)
            of->table->read_settings(y + 2, result);
    }
    for (int i = 0; i < count; i++) {
        x[i] = i;
        whole = whole && fabs(y[i]) < LARGEST;
    }
    emit(out, title, (curve_points){ whole ? count : 0, x, y });
    memory_free(buffer.own);
}

/* The function that reports a member; NULL if it is no curve. */
static curve_reporter *reporter_of(const result_member *m)
{
    return m->table ? report_table : m->curve ? report_curve : m->moments || m->plane ? report_point : NULL;
}

void headlines_report_curves(const char *name, yyjson_val *result, curve_listener *emit, void *out)
{
    const measurement_kind *kind = kind_of(result);
    for (const result_group *g = kind ? kind->results : NULL; g && g->members; g++)
        for (const result_member *m = g->members; m->key; m++) {
            const curve_title title = { name, "", m };
            curve_reporter *how = reporter_of(m);
            if (how && g->list)
                report_items(title, g, result, how, emit, out);
            else if (how)
                how(title, result, emit, out);
        }
}
