/* history_sets.c - show the columns and curves of one set of results under each name. */
#include "src/report/history_sets.h"

#include "src/base/memory.h"

#include <stdlib.h>
#include <string.h>

void history_sets_free(run_history *h)
{
    for (int s = 0; s < h->sets; s++) {
        free(h->set[s].name);
        free(h->set[s].settings);
    }
    free(h->set);
}

static int find_or_add_set(run_history *h, const char *name, const char *settings)
{
    for (int s = 0; s < h->sets; s++)
        if (strcmp(h->set[s].name, name) == 0 && strcmp(h->set[s].settings, settings) == 0)
            return s;
    h->set = realloc(h->set, (size_t)(h->sets + 1) * sizeof *h->set);
    require(h->set != NULL, "out of host memory: the record of a run");
    h->set[h->sets] = (history_set){ .name = strdup(name), .settings = strdup(settings), .xi = 1 };
    require(h->set[h->sets].name && h->set[h->sets].settings, "out of host memory: the record of a run");
    return h->sets++;
}

static bool is_shown(const run_history *h, int set)
{
    return set < 0 || h->set[set].shown;
}

/* A column that owns numbers has no owner itself. */
static void choose_columns(run_history *h)
{
    for (int c = 0; c < h->columns; c++) {
        history_column *column = &h->column[c];
        if (column->set >= 0)
            column->kind = !is_shown(h, column->set) ? COLUMN_SET_ASIDE
                           : column->owner >= 0     ? COLUMN_MEASURED
                                                    : COLUMN_FAILED;
    }
}

/* Move curves of shown sets to the front; otherwise keep the order. */
static void choose_curves(run_history *h)
{
    const int all = h->curves_with_others;
    history_curve *sorted = memory_alloc((size_t)(all + 1) * sizeof *sorted, "the curves of a run");
    int n = 0;
    for (int c = 0; c < all; c++)
        if (is_shown(h, h->curve[c].set))
            sorted[n++] = h->curve[c];
    h->curves = n;
    for (int c = 0; c < all; c++)
        if (!is_shown(h, h->curve[c].set))
            sorted[n++] = h->curve[c];
    if (all > 0)
        memcpy(h->curve, sorted, (size_t)all * sizeof *sorted);
    memory_free(sorted);
}

history_curve *history_curve_add(run_history *h)
{
    h->curve = realloc(h->curve, (size_t)(h->curves_with_others + 1) * sizeof *h->curve);
    require(h->curve != NULL, "out of host memory: the record of a run");
    history_curve *c = &h->curve[h->curves];
    memmove(c + 1, c, (size_t)(h->curves_with_others - h->curves) * sizeof *c);
    h->curves++;
    h->curves_with_others++;
    return c;
}

int history_set_show(run_history *h, const char *name, const history_result *result, int64_t trajectory)
{
    const int index = find_or_add_set(h, name, result->settings);
    history_set *set = &h->set[index];
    set->first = set->results++ ? set->first : trajectory;
    set->last = trajectory;
    set->of = result->results;
    if (result->anisotropic) {                  /* a result that failed may lack it */
        set->anisotropic = true;
        set->xi = result->xi;
    }
    if (set->shown)
        return index;
    for (int s = 0; s < h->sets; s++)
        if (strcmp(h->set[s].name, name) == 0)
            h->set[s].shown = s == index;
    choose_columns(h);
    choose_curves(h);
    return index;
}
