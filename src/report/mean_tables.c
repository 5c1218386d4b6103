/* mean_tables.c - the mean of tables over configurations, and derived quantities linearized about it. */
#include "src/report/mean_tables.h"

#include "src/base/memory.h"
#include "src/lattice/shape.h"
#include "src/report/headlines.h"

#include <math.h>

static int rows_of(const history_points *p) { return (int)p->y[0]; }
static int columns_of(const history_points *p) { return (int)p->y[1]; }

int mean_table_most(const history_curve *c)
{
    int rows = 0;
    for (int64_t i = 0; i < c->count; i++)
        if (c->item[i].count > 0 && rows_of(&c->item[i]) > rows)
            rows = rows_of(&c->item[i]);
    return rows + TABLE_OTHERS;
}

/* The mean, and the array for its derived quantities. */
typedef struct {
    const run_history *h;
    const history_curve *c;
    table_mean t;
    int64_t used, count;           /* configurations in the mean, and all that were measured */
    mean_scale *made;
    int numbers, most;
} filler;

static double entry(const history_points *p, const table_mean *t, int k)
{
    return p->y[TABLE_HEAD + k / t->columns * columns_of(p) + k % t->columns];
}

static bool holds_table(const history_points *p, const table_mean *t)
{
    return p->count > 0 && rows_of(p) >= t->rows && columns_of(p) >= t->columns;
}

/* Append a derived quantity and its series, from the first line on. */
static void add_number(void *out, const table_number *n)
{
    filler *f = out;
    if (f->numbers == f->most)
        return;
    const int cells = f->t.rows * f->t.columns;
    text title = history_curve_title(f->c, n->key);
    double *value = memory_alloc((size_t)(f->h->count + 1) * sizeof *value, "a series of a run");
    mean_scale *s = &f->made[f->numbers++];
    *s = (mean_scale){ .series = { .kind = COLUMN_MEASURED, .title = title.s, .value = value,
                                   .last = NAN, .owner = -1, .set = f->c->set },
                       .value = n->value, .unit = n->unit, .fit = n->fit,
                       .x = n->point ? n->x : NAN, .table = n->point ? f->c->of->table : NULL, .curve = f->c->name,
                       .used = f->used, .made = f->count, .needed_x = NAN };
    if (n->why)
        text_add(&s->why, "%s", n->why);
    int *reads = memory_alloc((size_t)cells * sizeof *reads, "a gradient"), terms = 0;
    for (int k = 0; n->gradient && k < cells; k++)
        if (n->gradient[k] != 0)
            reads[terms++] = k;
    for (int64_t i = 0; i < f->h->count; i++)
        value[i] = NAN;
    for (int64_t i = 0; i < f->c->count; i++) {
        const history_points *p = &f->c->item[i];
        double linear = n->value;
        s->series.reported++;
        s->series.last = NAN;
        if (!holds_table(p, &f->t) || !isfinite(n->value))
            continue;
        for (int k = 0; k < terms; k++)
            linear += n->gradient[reads[k]] * (entry(p, &f->t, reads[k]) - f->t.mean[reads[k]]);
        s->series.last = value[p->line] = linear;
    }
    memory_free(reads);
}

int mean_table_numbers(mean_scale *made, const run_history *h, int64_t from, const history_curve *c,
                       const int *extents)
{
    filler f = { .h = h, .c = c, .made = made, .most = mean_table_most(c) };
    f.t.extent = extents ? shape_smallest_in_space(extents) : 0;
    for (int64_t i = 0; i < c->count; i++) {
        const history_points *p = &c->item[i];
        f.count += p->line >= from;
        if (p->line < from || p->count == 0)
            continue;
        f.t.rows = f.used == 0 || rows_of(p) < f.t.rows ? rows_of(p) : f.t.rows;
        f.t.columns = f.used == 0 || columns_of(p) < f.t.columns ? columns_of(p) : f.t.columns;
        f.t.setting = p->y + 2;
        f.used++;
    }
    if (f.used == 0)
        return 0;
    const int cells = f.t.rows * f.t.columns;
    double *mean = memory_alloc((size_t)cells * sizeof *mean, "the mean of a table");
    for (int k = 0; k < cells; k++)
        mean[k] = 0;
    for (int64_t i = 0; i < c->count; i++)
        for (int k = 0; k < cells && c->item[i].line >= from && c->item[i].count > 0; k++)
            mean[k] += entry(&c->item[i], &f.t, k) / (double)f.used;
    f.t.mean = mean;
    c->of->table->report_numbers(c->of->table, &f.t, add_number, &f);
    memory_free(mean);
    return f.numbers;
}
