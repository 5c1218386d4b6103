/* lattice_reach.c - scales, charges and susceptibilities from flow times that smooth around the lattice. */
#include "src/report/lattice_reach.h"

#include "src/measure/flow_reach.h"
#include "src/report/headlines.h"

#include <math.h>
#include <string.h>

/* The numbers of one measurement. */
typedef struct {
    run_summary *s;
    const run_history *h;
    const char *name;
    double limit, most;                 /* most: the largest x beyond the limit */
    const measured_curve *of;
    text titles;
} reach;

static quantity *find(const reach *r, const char *key)
{
    text title = headlines_title(r->name, key);
    quantity *found = NULL;
    for (int i = 0; i < r->s->measured && !found; i++)
        if (strcmp(r->s->measurement[i].title, text_string(&title)) == 0)
            found = &r->s->measurement[i];
    text_free(&title);
    return found;
}

static void mark(reach *r, const char *key, double x)
{
    quantity *q = find(r, key);
    if (!q || q->beyond || !flow_exceeds(x, r->limit))
        return;
    q->beyond = true;
    r->most = fmax(r->most, x);
    text_add(&r->titles, "%s%s", r->titles.length ? ", " : "", q->title);
}

/* The scales of a curve, and the product of the first two. */
static void mark_scales(reach *r, const measured_curve *of)
{
    double most = 0;
    for (const curve_scale *scale = of->scales; scale && scale->key; scale++) {
        const quantity *q = find(r, scale->key);
        const double x = q && q->scale ? q->scale->x : NAN;
        mark(r, scale->key, x);
        most = fmax(most, x);
    }
    if (of->product)
        mark(r, of->product->key, most);
}

/* The largest x of the curve from the first trajectory of the means on. */
static double end_of(const reach *r, const history_curve *c)
{
    double end = 0;
    for (int64_t i = 0; i < c->count; i++) {
        const history_points *p = &c->item[i];
        if (p->count > 0 && r->h->line[p->line].trajectory >= r->s->from)
            end = fmax(end, p->x[p->count - 1]);
    }
    return end;
}

/* Values of a curve at a scale, and those at the end of the curves. */
static void mark_values(reach *r, const history_curve *c, double end)
{
    const curve_value_at *at = c->of->curve ? c->of->curve->at : NULL;
    const quantity *scale = at ? find(r, at->scale) : NULL;
    const double x = c->of->at_end ? end : scale && scale->scale ? scale->scale->x : NAN;
    if (c->of->at_end)
        mark(r, c->of->key, x);
    if (at)
        mark(r, at->key, x);
    if (c->of->moments)
        mark(r, c->of->moments->key, x);
}

static double limit_of(const measured_curve *of, const run_params *p, const char *name)
{
    int direction;
    return of->limit_of(flow_least_extent(&direction, p->extents,
                                          measurements_anisotropy_of(&p->measurements, name)));
}

static bool is_first_of_its_name(const run_history *h, int c)
{
    for (int i = 0; i < c; i++)
        if (strcmp(h->curve[i].name, h->curve[c].name) == 0)
            return false;
    return true;
}

/* All curves of the measurement of curve `first`. */
static void check_measurement(reach *r, const run_params *p, int first)
{
    const run_history *h = r->h;
    double end = 0;
    r->name = h->curve[first].name;
    for (int c = first; c < h->curves; c++) {
        const measured_curve *of = h->curve[c].of->curve;
        if (strcmp(h->curve[c].name, r->name) != 0 || !of || !of->limit_of)
            continue;
        r->of = of;
        r->limit = limit_of(of, p, r->name);
        mark_scales(r, of);
        end = fmax(end, end_of(r, &h->curve[c]));
    }
    for (int c = first; r->of && c < h->curves; c++)
        if (strcmp(h->curve[c].name, r->name) == 0)
            mark_values(r, &h->curve[c], end);
}

void lattice_reach_check(run_warnings *w, run_summary *s, const run_history *h, const run_params *p)
{
    for (int c = 0; c < h->curves; c++) {
        reach r = { .s = s, .h = h };
        if (is_first_of_its_name(h, c))
            check_measurement(&r, p, c);
        if (r.titles.length > 0)
            text_add(run_warnings_add(w, (run_warning){ "lattice too small", s->used, s->from, s->last, { 0 } }),
                     "%s: from flow times up to %.4g, but %s, which is %.4g here, so that these numbers are not those "
                     "of a large volume; use a larger lattice", text_string(&r.titles), r.most, r.of->limit, r.limit);
        text_free(&r.titles);
    }
}
