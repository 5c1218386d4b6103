/* headlines.c - find titles, numbers and curves in the JSON results of measurements. */
#include "src/report/headlines.h"

#include "src/base/memory.h"
#include "src/config/number.h"
#include "src/config/yaml_members.h"

#include <math.h>
#include <string.h>

typedef struct { headline_listener *tell; void *out; } listener;

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

text headlines_labelled_title(const char *name, const char *key, const char *label)
{
    text title = headlines_title(name, key);
    text_add_bytes(&title, label, strlen(label));
    return title;
}

/* "(0.05)" of the key "mass", "(0,1)" of the keys "quark antiquark"; without those that the object does not have. */
static text label_of(const yaml_node *object, const char *keys)
{
    text label = { 0 };
    for (size_t length; keys[length = strcspn(keys, " ")] || length > 0; keys += length + (keys[length] == ' ')) {
        text key = { 0 };
        double number;
        text_add_bytes(&key, keys, length);
        if (yaml_member_real(object, text_string(&key), &number)) {
            text_add_bytes(&label, label.length > 0 ? "," : "(", 1);
            number_add_real(&label, number);
        }
        text_free(&key);
    }
    text_add_bytes(&label, ")", label.length > 0);
    return label;
}

/* "light.condensate(0.05)"; "condensate(0.05)" if the measurement has the name of its number. */
static text title_of(const char *name, const headline *h, const yaml_node *object)
{
    text label = { 0 };
    if (h->list)
        label = label_of(object, h->label);
    text title = headlines_labelled_title(name, h->key, text_string(&label));
    text_free(&label);
    return title;
}

/* The object that contains the last name of a path: for "polyakov.re" the member polyakov.  NULL if there is none. */
static const yaml_node *holder_of(const yaml_node *object, const char **path)
{
    for (size_t length; object && (*path)[length = strcspn(*path, ".")]; *path += length + 1) {
        object = yaml_get_part(object, *path, length);
        object = object && object->type == YAML_MAPPING ? object : NULL;
    }
    return object;
}

static bool value_at(const yaml_node *object, const char *path, double *value)
{
    const yaml_node *holder = holder_of(object, &path);
    return yaml_member_real(holder, path, value);
}

static const yaml_node *list_at(const yaml_node *object, const char *path)
{
    const yaml_node *holder = holder_of(object, &path);
    return yaml_member(holder, path, YAML_SEQUENCE);
}

static void tell_one(const listener *l, const char *name, const headline *h, const yaml_node *object)
{
    double value;
    text title = title_of(name, h, object);
    if (value_at(object, h->key, &value))
        l->tell(l->out, text_string(&title), value);
    text_free(&title);
}

static void tell_headline(const listener *l, const char *name, const headline *h, const yaml_node *result)
{
    const yaml_node *list = h->list ? yaml_member(result, h->list, YAML_SEQUENCE) : NULL;
    if (!h->list)
        tell_one(l, name, h, result);
    for (int i = 0; list && i < list->count; i++)
        tell_one(l, name, h, list->item[i]);
}

static const measurement_kind *kind_of(const yaml_node *result)
{
    const yaml_node *kind = yaml_member(result, "kind", YAML_SCALAR);
    return kind ? measurement_kind_named(kind->scalar) : NULL;
}

void headlines_report(const char *name, const yaml_node *result, headline_listener *tell, void *out)
{
    const listener l = { tell, out };
    const measurement_kind *kind = kind_of(result);
    for (const headline *h = kind ? kind->headlines : NULL; h && h->key; h++)
        tell_headline(&l, name, h, result);
}

/* Whether a title is that of this number: "key", or "name.key(label)". */
static bool has_key(const char *title, const char *key)
{
    const char *label = strrchr(title, '(');
    const size_t length = label ? (size_t)(label - title) : strlen(title), n = strlen(key);
    return length >= n && strncmp(title + length - n, key, n) == 0 && (length == n || title[length - n - 1] == '.');
}

const char *headlines_unit(const char *title)
{
    for (const param_kind *const *p = measurement_kinds; *p; p++)
        for (const headline *h = ((const measurement_kind *)*p)->headlines; h && h->key; h++)
            if (h->unit && has_key(title, h->key))
                return h->unit;
    return NULL;
}

void headlines_tell_scales(const char *name, const yaml_node *result, headline_listener *tell, void *out)
{
    const measurement_kind *kind = kind_of(result);
    for (const measured_curve *c = kind ? kind->curves : NULL; c && c->y; c++)
        for (const curve_scale *s = c->scales; s && s->key; s++) {
            double value;
            text title = headlines_title(name, s->key);
            if (yaml_member_real(result, s->key, &value))
                tell(out, text_string(&title), value);
            text_free(&title);
        }
}

/* Bounds on the values of a curve: far larger than any measured value, and safe for a spline. */
#define LARGEST 1e15
#define LEAST_STEP 1e-9                /* from one x to the next, relative */

static bool is_point(const double *x, const double *y, int i)
{
    const bool finite = fabs(x[i]) < LARGEST && fabs(y[i]) < LARGEST && x[i] >= 0;       /* false for NaN */
    return finite && (i == 0 || x[i] - x[i - 1] > LEAST_STEP * x[i]);
}

/* Read the numbers of a list up to the first item that is not a number.  Returns how many. */
static int read_list(double *value, const yaml_node *list)
{
    text hint = { 0 };
    int n = 0;
    while (n < list->count && list->item[n]->type == YAML_SCALAR
           && number_read_real(list->item[n]->scalar, &value[n], &hint))
        n++;
    text_free(&hint);
    return n;
}

/* `object`: the result, or an item of its list. */
typedef void curve_teller(curve_title title, const yaml_node *object, curve_listener *tell, void *out);

static void tell_curve(curve_title title, const yaml_node *result, curve_listener *tell, void *out)
{
    const yaml_node *x_list = list_at(result, title.of->x), *y_list = list_at(result, title.of->y);
    const size_t most = x_list && y_list ? (size_t)x_list->count + (size_t)y_list->count + 1 : 1;
    double *x = memory_alloc(2 * most * sizeof *x, "a curve of a record"), *y = x + most;
    int count = x_list && y_list ? read_list(x, x_list) : 0;
    bool whole = x_list && y_list && count == x_list->count && count == y_list->count && read_list(y, y_list) == count;
    for (int i = 0; whole && i < count; i++)
        whole = is_point(x, y, i);
    bool converged;
    if (yaml_member_bool(result, "converged", &converged) && !converged)
        whole = false;
    tell(out, title, (curve_points){ whole ? count : 0, x, y });
    memory_free(x);
}

/* Numbers as a curve of one point; without a path x is 0. */
static void tell_point(curve_title title, const yaml_node *object, curve_listener *tell, void *out)
{
    const measured_curve *of = title.of;
    double x = 0, y = 0;
    const bool there = (!of->x || value_at(object, of->x, &x)) && value_at(object, of->y, &y)
                       && fabs(x) < LARGEST && fabs(y) < LARGEST;
    tell(out, title, (curve_points){ there, &x, &y });
}

static void tell_items(curve_title title, const yaml_node *result, curve_teller *how, curve_listener *tell, void *out)
{
    const yaml_node *list = yaml_member(result, title.of->list, YAML_SEQUENCE);
    for (int i = 0; list && i < list->count; i++) {
        text label = label_of(list->item[i], title.of->label);
        title.label = text_string(&label);
        how(title, list->item[i], tell, out);
        text_free(&label);
    }
}

/* The number of columns of a list of rows of one length, or of a list of numbers; 0: it is not a table. */
static int columns_of(const yaml_node *rows)
{
    if (rows && rows->count > 0 && rows->item[0]->type == YAML_SCALAR)
        return 1;
    const int columns = rows && rows->count > 0 ? rows->item[0]->count : 0;
    for (int r = 0; columns > 0 && r < rows->count; r++)
        if (rows->item[r]->type != YAML_SEQUENCE || rows->item[r]->count != columns)
            return 0;
    return columns;
}

/* A table as a curve: y = rows, columns, settings, then the values row by row; x = 0, 1, 2 ... */
static void tell_table(curve_title title, const yaml_node *result, curve_listener *tell, void *out)
{
    const measured_curve *of = title.of;
    const yaml_node *rows = list_at(result, of->y);
    const int columns = columns_of(rows), count = TABLE_HEAD + (columns > 0 ? rows->count : 0) * columns;
    double *x = memory_alloc((size_t)count * sizeof *x, "a table of a record");
    double *y = memory_alloc((size_t)count * sizeof *y, "a table of a record");
    bool converged = true, whole = columns > 0;
    if (yaml_member_bool(result, "converged", &converged) && !converged)
        whole = false;
    const bool is_list = whole && rows->item[0]->type == YAML_SCALAR;
    if (is_list)
        whole = read_list(y + TABLE_HEAD, rows) == rows->count;
    for (int r = 0; whole && !is_list && r < rows->count; r++)
        whole = read_list(y + TABLE_HEAD + r * columns, rows->item[r]) == columns;
    if (whole) {
        y[0] = rows->count;
        y[1] = columns;
        if (of->table->read_settings)
            of->table->read_settings(y + 2, result);
    }
    for (int i = 0; i < count; i++) {
        x[i] = i;
        whole = whole && fabs(y[i]) < LARGEST;
    }
    tell(out, title, (curve_points){ whole ? count : 0, x, y });
    memory_free(x);
    memory_free(y);
}

void headlines_tell_curves(const char *name, const yaml_node *result, curve_listener *tell, void *out)
{
    const measurement_kind *kind = kind_of(result);
    for (const measured_curve *c = kind ? kind->curves : NULL; c && c->y; c++) {
        const curve_title title = { name, "", c };
        curve_teller *how = c->table ? tell_table : c->scales || c->at ? tell_curve : tell_point;
        if (c->list)
            tell_items(title, result, how, tell, out);
        else
            how(title, result, tell, out);
    }
}
