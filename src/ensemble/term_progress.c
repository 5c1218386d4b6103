/* term_progress.c - the progress of the terms in a trajectory, written to JSON and read from it. */
#include "src/ensemble/term_progress.h"

#include <inttypes.h>
#include <stdlib.h>

void term_progress_to_json(json *j, const hmc *h)
{
    json_open(j, "progress", '{');
    for (int t = 0; t < hmc_term_count(h); t++) {
        number_row row = { 0 };
        monomial_progress(hmc_terms(h)[t].m, &row);
        json_open(j, hmc_terms(h)[t].name, '[');
        for (int64_t i = 0; i < row.count; i++)
            json_real_exact(j, NULL, row.value[i]);
        json_close(j);
        number_row_free(&row);
    }
    json_close(j);
}

term_progress term_progress_now(const hmc *h)
{
    term_progress p = { 0 };
    for (int t = 0; t < hmc_term_count(h); t++)
        monomial_progress(hmc_terms(h)[t].m, &p.of[t]);
    return p;
}

void term_progress_put(const hmc *h, term_progress *p)
{
    for (int t = 0; t < hmc_term_count(h); t++) {
        number_row_rewind(&p->of[t]);
        monomial_progress(hmc_terms(h)[t].m, &p->of[t]);
    }
}

void term_progress_free(const hmc *h, term_progress *p)
{
    for (int t = 0; t < hmc_term_count(h); t++)
        number_row_free(&p->of[t]);
}

static bool read_row(number_row *row, const yaml_node *list, const char *term, const char *path, failure *f)
{
    if (!list || list->type != YAML_SEQUENCE || list->count != row->count)
        return fail(f, "%s: expected \"progress\" to have a list of %" PRId64 " numbers for \"%s\"", path, row->count,
                    term);
    for (int i = 0; i < list->count; i++) {
        const char *s = list->item[i]->type == YAML_SCALAR ? list->item[i]->scalar : "";
        char *end;
        row->value[i] = strtod(s, &end);
        if (end == s || *end)
            return fail(f, "%s: \"progress\" has an item that is not a number", path);
    }
    return true;
}

bool term_progress_from_tree(const hmc *h, const yaml_node *tree, const char *path, failure *f)
{
    const yaml_node *all = yaml_get(tree, "progress");
    if (!all || all->type != YAML_MAPPING)
        return fail(f, "%s: \"progress\" is missing", path);
    term_progress p = term_progress_now(h);             /* only for the number of values, which is constant */
    bool ok = true;
    for (int t = 0; ok && t < hmc_term_count(h); t++)
        ok = read_row(&p.of[t], yaml_get(all, hmc_terms(h)[t].name), hmc_terms(h)[t].name, path, f);
    if (ok)
        term_progress_put(h, &p);
    term_progress_free(h, &p);
    return ok;
}
