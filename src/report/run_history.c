/* run_history.c - read the lines of run.jsonl into columns; missing values become NaN. */
#include "src/report/run_history.h"

#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/report/history_sets.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_LINES = 256, FIRST_COLUMNS = 32 };

static void *grow_columns(void *p, size_t bytes)
{
    void *grown = realloc(p, bytes);
    require(grown != NULL, "out of host memory: the record of a run");
    return grown;
}

static void free_curve(history_curve *c)
{
    for (int64_t i = 0; i < c->count; i++) {
        if (i == 0 || c->item[i].x != c->item[i - 1].x)
            free(c->item[i].x);
        free(c->item[i].y);
    }
    free(c->item);
    free(c->name);
    free(c->label);
}

static void forget_lines(run_history *h)
{
    for (int c = 0; c < h->columns; c++) {
        free(h->column[c].title);
        free(h->column[c].value);
    }
    for (int c = 0; c < h->curves_with_others; c++)
        free_curve(&h->curve[c]);
    history_sets_free(h);
    free(h->column);
    free(h->curve);
    free(h->line);
    text_free(&h->last);
    *h = (run_history){ 0 };
}

void run_history_free(run_history *h)
{
    forget_lines(h);
}

static void reserve_line(run_history *h)
{
    if (h->count < h->capacity)
        return;
    h->capacity = h->capacity ? 2 * h->capacity : FIRST_LINES;
    h->line = grow_columns(h->line, (size_t)h->capacity * sizeof *h->line);
    for (int c = 0; c < h->columns; c++) {
        double *value = grow_columns(h->column[c].value, (size_t)h->capacity * sizeof *value);
        for (int64_t i = h->count; i < h->capacity; i++)
            value[i] = NAN;
        h->column[c].value = value;
    }
}

static history_column *add_column(run_history *h, column_kind kind, const char *title)
{
    if (h->columns == h->column_capacity) {
        h->column_capacity = h->column_capacity ? 2 * h->column_capacity : FIRST_COLUMNS;
        h->column = grow_columns(h->column, (size_t)h->column_capacity * sizeof *h->column);
    }
    history_column *c = &h->column[h->columns++];
    *c = (history_column){ kind, strdup(title), grow_columns(NULL, (size_t)h->capacity * sizeof(double)), 0, NAN, -1, 0,
                           0, -1 };
    require(c->title != NULL, "out of host memory: the record of a run");
    for (int64_t i = 0; i < h->capacity; i++)
        c->value[i] = NAN;
    return c;
}

/* Fills the columns of one line.  Lines are similar, so the next number usually belongs to the next column.  owner,
 * set: the column and the set of the current measurement. */
typedef struct { run_history *h; int next, owner, set; } column_filler;

static history_column *find_or_add(column_filler *filler, column_kind kind, const char *title)
{
    run_history *h = filler->h;
    int i = filler->next;
    for (int tried = 0; tried < h->columns; tried++) {
        history_column *c = &h->column[i++];
        i = i < h->columns ? i : 0;
        if (c->kind == kind && strcmp(c->title, title) == 0) {
            filler->next = i;
            return c;
        }
    }
    filler->next = 0;
    return add_column(h, kind, title);
}

static void fill_column(void *out, column_kind kind, const char *title, double value)
{
    column_filler *filler = out;
    history_column *c = find_or_add(filler, kind, title);
    c->value[filler->h->count] = c->last = value;
    c->first = c->reported++ ? c->first : filler->h->count;
    c->end = filler->h->count + 1;
    if (kind == COLUMN_FAILED)
        filler->owner = (int)(c - filler->h->column);
    if (kind == COLUMN_MEASURED)
        c->owner = filler->owner;
    if (kind == COLUMN_MEASURED || kind == COLUMN_FAILED)
        c->set = filler->set;
}

static void begin_result(void *out, const char *name, const history_result *result)
{
    column_filler *filler = out;
    run_history *h = filler->h;
    filler->set = history_set_show(h, name, result, h->line[h->count].trajectory);
}

static history_curve *find_or_add_curve(run_history *h, int set, curve_title title)
{
    for (int c = 0; c < h->curves; c++)
        if (h->curve[c].of == title.of && strcmp(h->curve[c].name, title.name) == 0
            && strcmp(h->curve[c].label, title.label) == 0)
            return &h->curve[c];
    history_curve *c = history_curve_add(h);
    *c = (history_curve){ .name = strdup(title.name), .label = strdup(title.label), .of = title.of, .set = set };
    require(c->name != NULL && c->label != NULL, "out of host memory: the record of a run");
    return c;
}

text history_curve_title(const history_curve *c, const char *key)
{
    return headlines_labeled_title(c->name, key, c->label);
}

static double *copy_text(const double *value, int count)
{
    double *made = grow_columns(NULL, (size_t)(count + 1) * sizeof *made);
    memcpy(made, value, (size_t)count * sizeof *made);
    return made;
}

static void fill_curve(void *out, curve_title title, curve_points points)
{
    const column_filler *filler = out;
    history_curve *c = find_or_add_curve(filler->h, filler->set, title);
    if (c->count > 0 && c->item[c->count - 1].line == filler->h->count)
        return;                                             /* the line has this name twice */
    if (c->count == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : FIRST_LINES;
        c->item = grow_columns(c->item, (size_t)c->capacity * sizeof *c->item);
    }
    const history_points *last = c->count > 0 ? &c->item[c->count - 1] : NULL;
    const bool same = last && last->count == points.count
                      && memcmp(last->x, points.x, (size_t)points.count * sizeof *points.x) == 0;
    c->item[c->count++] = (history_points){ filler->h->count, points.count,
                                            same ? last->x : copy_text(points.x, points.count),
                                            copy_text(points.y, points.count) };
}

/* Whether the line changed after Kiln wrote it; if so, counts it.  Changed lines are left out. */
static bool count_changed(run_history *h, checksum_state checksum)
{
    const bool changed = checksum_is_changed(&h->checksummed, checksum);
    if (changed)
        h->first_changed = h->changed++ ? h->first_changed : h->lines_read;
    return changed;
}

/* Whether the line is left out.  False for a line without a trajectory number, which counts as unreadable later. */
static bool leave_out(run_history *h, const continuity_rules *rules, const record_line *l, checksum_state checksum)
{
    if (l->link.trajectory < 1)
        return false;
    const line_verdict verdict = record_continuity_judge(&h->continuity, rules, l, checksum);
    if (verdict == LINE_CONTINUES)
        return false;
    if (h->left_out[verdict].count++ == 0)
        h->left_out[verdict].first = h->lines_read;
    return true;
}

static void parse_line(run_history *h, yyjson_val *object)
{
    reserve_line(h);
    history_line *l = &h->line[h->count];
    column_filler filler = { h, 0, -1, -1 };
    const history_listener listener = { fill_column, fill_curve, begin_result, &filler };
    if (history_parse(l, object, &listener)) {
        const int64_t before = h->count > 0 ? l[-1].trajectory : l->trajectory;
        const int64_t missing = l->trajectory - before - 1 - h->passed_over;
        h->gaps += missing > 0 ? missing : 0;
        h->passed_over = 0;
        h->count++;
    } else {
        h->first_damaged = h->damaged++ ? h->first_damaged : h->lines_read;
    }
}

/* Whether the last line that was read is still at the same place in the file. */
static bool goes_on(const run_history *h, FILE *stream)
{
    bool same = true;
    if (h->end == 0)
        return true;
    char *found = memory_alloc(h->last.length + 1, "a line of the record");
    same = fseeko(stream, h->end - (off_t)h->last.length, SEEK_SET) == 0
           && fread(found, 1, h->last.length, stream) == h->last.length
           && memcmp(found, h->last.s, h->last.length) == 0;
    memory_free(found);
    return same;
}

static record_line read_ties(record_lines *all, checksum_state checksum, yyjson_val *object, failure *why)
{
    record_line l = { .chain.begun = false };
    if (all)
        return record_lines_add(all, checksum, object, why)->l;
    if (object)
        record_line_read(&l, object, why);
    return l;
}

static void read_new_lines(run_history *h, const continuity_rules *rules, record_lines *lines, FILE *stream)
{
    record_lines *const all = h->end == 0 ? lines : NULL;
    record_reader r = { .stream = stream, .threaded = true };
    failure why;
    while (record_reader_next(&r)) {
        yyjson_val *object = record_reader_object(&r, &why);
        text_clear(&h->last);
        text_add_bytes(&h->last, r.line, r.length);
        h->end += (off_t)r.length;
        h->lines_read++;
        const bool changed = count_changed(h, r.checksum);
        const record_line ties = read_ties(all, r.checksum, object, &why);
        const bool continues = !leave_out(h, rules, &ties, r.checksum);
        if (continues && !changed)
            parse_line(h, object);
        h->passed_over += continues && changed;
    }
    h->torn = r.torn;
    if (all)
        all->torn = r.torn;
    record_reader_free(&r);
}

bool run_history_update(run_history *h, const continuity_rules *rules, record_lines *lines, const char *path,
                        failure *f)
{
    errno = 0;
    FILE *stream = open_file_read(path);
    if (!stream) {
        forget_lines(h);
        return fail_system(f, errno, "%s: cannot be read: %s", path, open_file_reason(errno));
    }
    if (!goes_on(h, stream) || (h->judged_by != rules->newest && history_left_out(h) > 0))
        forget_lines(h);
    h->judged_by = rules->newest;
    clearerr(stream);
    fseeko(stream, h->end, SEEK_SET);
    read_new_lines(h, rules, lines, stream);
    bool ok = !ferror(stream) || fail_system(f, errno, "%s: cannot be read: %s", path, strerror(errno));
    fclose(stream);
    return ok;
}

bool run_history_read(run_history *h, const run_params *p, failure *f)
{
    segments known;
    failure none;
    text path = path_in_folder(p->output.directory, "run.jsonl");
    if (!segments_read(&known, p->output.directory, &none))
        segments_free(&known);
    const continuity_rules rules = continuity_rules_make(&known, p);
    const bool ok = run_history_update(h, &rules, NULL, text_string(&path), f);
    segments_free(&known);
    text_free(&path);
    return ok;
}

int64_t history_left_out(const run_history *h)
{
    int64_t count = 0;
    for (int v = 0; v < LINE_VERDICTS; v++)
        count += h->left_out[v].count;
    return count;
}

const history_column *history_find(const run_history *h, column_kind kind, const char *title)
{
    for (int c = 0; c < h->columns; c++)
        if (h->column[c].kind == kind && strcmp(h->column[c].title, title) == 0)
            return &h->column[c];
    return NULL;
}

int64_t history_times_made(const run_history *h, int64_t from, const history_column *c)
{
    const double *made = c->owner >= 0 ? h->column[c->owner].value : c->value;       /* 1: failed, NaN: not measured */
    int64_t times = 0;
    for (int64_t i = from > c->first ? from : c->first; i < h->count && !(i >= c->end && made[i] == 0); i++)
        times += !isnan(made[i]);
    return times;
}

int64_t history_target(const run_history *h, int64_t otherwise)
{
    const int64_t reported = h->count > 0 ? h->line[h->count - 1].target : 0;
    return reported > 0 ? reported : otherwise;
}

int64_t history_missing(const run_history *h, int64_t start)
{
    const int64_t first = h->count > 0 ? h->line[0].trajectory : 0;
    return h->gaps + (first > start ? first - start - 1 : 0);
}

int64_t history_line_from(const run_history *h, int64_t trajectory)
{
    int64_t i = 0;
    while (i < h->count && h->line[i].trajectory < trajectory)
        i++;
    return i;
}

int64_t history_line_after_thermalization(const run_history *h, int64_t line)
{
    for (int64_t i = line; i < h->count; i++)
        line = h->line[i].thermalization ? i + 1 : line;
    return line;
}
