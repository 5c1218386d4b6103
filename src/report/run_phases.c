/* run_phases.c - sort the sums of timers into a tree, longest branches first. */
#include "src/report/run_phases.h"

#include "src/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double sum_of(const history_column *c, int64_t lines)
{
    double sum = 0;
    for (int64_t i = 0; i < lines; i++)
        sum += isfinite(c->value[i]) ? c->value[i] : 0;
    return sum;
}

static bool is_below(const char *path, const char *above)
{
    size_t n = strlen(above);
    return strncmp(path, above, n) == 0 && path[n] == '/';
}

/* The length of the part of `path` that names a child of `above`, or a root. */
static size_t branch_length(const char *path, const char *above)
{
    size_t n = *above ? strlen(above) + 1 : 0;
    return n + strcspn(path + n, "/");
}

/* Put the phases below `above` after the first `done` phases, in order.  Returns the number of ordered phases. */
static int arrange(phase *p, int count, int done, const char *above)
{
    for (;;) {
        int best = -1;
        for (int i = done; i < count; i++) {
            bool child = !*above || is_below(p[i].path, above);
            child = child && branch_length(p[i].path, above) == strlen(p[i].path);
            if (child && (best < 0 || p[i].seconds > p[best].seconds))
                best = i;
        }
        if (best < 0)
            return done;
        phase moved = p[best];
        memmove(&p[done + 1], &p[done], (size_t)(best - done) * sizeof *p);
        p[done] = moved;
        done = arrange(p, count, done + 1, moved.path);
    }
}

phase *run_phases_make(const run_history *h, int *count)
{
    phase *p = memory_alloc((size_t)(h->columns + 1) * sizeof *p, "where the time goes");
    double all = 0;
    int n = 0;
    for (int c = 0; c < h->columns; c++) {
        const history_column *column = &h->column[c];
        if (column->kind != COLUMN_TIME)
            continue;
        const char *slash = strrchr(column->title, '/');
        p[n] = (phase){ .path = strdup(column->title), .self = sum_of(column, h->count) };
        require(p[n].path != NULL, "out of host memory: where the time goes");
        p[n].name = slash ? p[n].path + (slash - column->title) + 1 : p[n].path;
        for (const char *s = p[n].path; *s; s++)
            p[n].depth += *s == '/';
        all += p[n++].self;
    }
    for (int i = 0; i < n; i++) {
        p[i].seconds = p[i].self;
        for (int k = 0; k < n; k++)
            p[i].seconds += is_below(p[k].path, p[i].path) ? p[k].self : 0;
        p[i].share = all > 0 ? p[i].seconds / all : 0;
    }
    arrange(p, n, 0, "");
    *count = n;
    return p;
}

void run_phases_free(phase *p, int count)
{
    for (int i = 0; i < count; i++)
        free(p[i].path);
    memory_free(p);
}
