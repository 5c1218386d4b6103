/* plan_advice.c - keys that save memory, found by trying them: the plan of memory is made again with each. */
#include "src/tune/plan_advice.h"

#include "src/hmc/hmc.h"
#include "src/hmc/run_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What may help a monomial or level of some kind; a value that is there already, or of another kind, saves nothing. */
static const struct { const char *kind, *key, *value; } of_monomials[] = {
    { "staggered", "together", "1" },
    { "staggered", "solver", "double" },
    { "staggered", "force_precision", "single" },
    { "domain_wall", "solver", "double" },
    { "domain_wall", "solver", "double-half" },
};

/* Bytes with these texts over the input; 0 where that is no valid input. */
static size_t needed_with(const char *path, const text_refs *sets)
{
    run_input in;
    fault_list faults = { 0 };
    size_t bytes = 0;
    if (run_input_read(&in, path, (char *const *)sets->item, sets->count, &faults))
        bytes = hmc_memory_needed(&in.p, true, false);
    fault_list_free(&faults);
    run_input_free(&in);
    return bytes;
}

static void try(advice_list *list, const char *path, const text_refs *sets, size_t now, const char *set)
{
    text_refs with = *sets;
    if (list->count == ADVICE_MAX || with.count == TEXT_REFS_MAX)
        return;
    with.item[with.count++] = set;
    const size_t then = needed_with(path, &with);
    if (then == 0 || then >= now)
        return;
    advice *a = &list->item[list->count++];
    snprintf(a->set, sizeof a->set, "%s", set);
    a->saves = now - then;
}

static int by_saving(const void *a, const void *b)
{
    const advice *x = a, *y = b;
    return (x->saves < y->saves) - (x->saves > y->saves);
}

/* The length of "monomials.1.solver": a value for it among those before counts for all. */
static bool is_said(const advice_list *list, int upto, const char *set)
{
    const size_t key = strcspn(set, "=");
    for (int i = 0; i < upto; i++)
        if (strncmp(list->item[i].set, set, key + 1) == 0)
            return true;
    return false;
}

void advice_find(advice_list *list, const char *path, const text_refs *sets, const run_params *p)
{
    const size_t now = hmc_memory_needed(p, true, false);
    char set[96];
    *list = (advice_list){ 0 };
    for (int m = 0; m < run_monomial_count(p); m++)
        for (size_t i = 0; i < sizeof of_monomials / sizeof *of_monomials; i++) {
            if (strcmp(run_monomial_kind(p, m)->input.name, of_monomials[i].kind) != 0)
                continue;
            snprintf(set, sizeof set, "monomials.%d.%s=%s", m, of_monomials[i].key, of_monomials[i].value);
            try(list, path, sets, now, set);
        }
    for (int l = 0; l < p->hmc.levels.count; l++) {
        const level_params *levels = p->hmc.levels.item;
        if (strcmp(scheme_names[levels[l].integrator], "force_gradient") != 0)
            continue;
        snprintf(set, sizeof set, "hmc.levels.%d.integrator=4mn5fv", l);
        try(list, path, sets, now, set);
    }
    if (p->measurements.count > 0)
        try(list, path, sets, now, "measurements=[]");
    qsort(list->item, (size_t)list->count, sizeof *list->item, by_saving);

    text_refs with = *sets;
    for (int i = 0; i < list->count && with.count < TEXT_REFS_MAX; i++)
        if (!is_said(list, i, list->item[i].set))
            with.item[with.count++] = list->item[i].set;
    const size_t then = list->count > 0 ? needed_with(path, &with) : 0;
    list->all = then > 0 && then < now ? now - then : 0;
}
