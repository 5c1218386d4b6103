/* plan_advice.c - find keys that save memory: make the memory plan again with each of them. */
#include "src/tune/plan_advice.h"

#include "src/hmc/hmc.h"
#include "src/hmc/run_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the input with these --set texts; 0 if it is not valid. */
static size_t needed_with(const char *path, const text_refs *sets)
{
    run_input in;
    fault_list faults = { 0 };
    size_t bytes = 0;
    if (run_input_read(&in, path, (char *const *)sets->item, sets->count, &faults))
        bytes = hmc_memory_needed(&in.p, PLACE_GPU, true, false);
    fault_list_free(&faults);
    run_input_free(&in);
    return bytes;
}

/* The search: the input, and its memory. */
typedef struct { advice_list *list; const char *path; const text_refs *sets; size_t now; } search;

/* A value is worth mentioning if it saves more than this part of the memory. */
#define WORTH_MENTIONING 0.001

static void try_change(search *s, const char *set)
{
    text_refs with = *s->sets;
    if (s->list->count == ADVICE_MAX || with.count == TEXT_REFS_MAX)
        return;
    with.item[with.count++] = set;
    const size_t then = needed_with(s->path, &with);
    if (then == 0 || (double)then >= (1 - WORTH_MENTIONING) * (double)s->now)
        return;
    advice *a = &s->list->item[s->list->count++];
    snprintf(a->set, sizeof a->set, "%s", set);
    a->saves = s->now - then;
}

/* Try a value.  A value equal to the present one saves nothing.  Measurements are removed all together or not at
 * all. */
static bool try_lean(const char *key, const param_spec *spec, const void *value, void *context)
{
    (void)value;
    for (const char *word = spec->lean ? spec->lean : ""; *word; word += strspn(word, " ")) {
        const int length = (int)strcspn(word, " ");
        char set[sizeof ((advice *)0)->set];
        snprintf(set, sizeof set, "%s=%.*s", key, length, word);
        try_change(context, set);
        word += length;
    }
    return strcmp(key, "measurements") != 0;
}

static int by_saving(const void *a, const void *b)
{
    const advice *x = a, *y = b;
    return (x->saves < y->saves) - (x->saves > y->saves);
}

/* The length of the key in "monomials.1.solver=...": only the first value of a key is used. */
static bool has_key(const advice_list *list, int upto, const char *set)
{
    const size_t key = strcspn(set, "=");
    for (int i = 0; i < upto; i++)
        if (strncmp(list->item[i].set, set, key + 1) == 0)
            return true;
    return false;
}

void advice_find(advice_list *list, const char *path, const text_refs *sets, const run_params *p)
{
    const size_t now = hmc_memory_needed(p, PLACE_GPU, true, false);
    *list = (advice_list){ 0 };
    schema_each(run_param_specs, p, try_lean, &(search){ list, path, sets, now });
    qsort(list->item, (size_t)list->count, sizeof *list->item, by_saving);

    text_refs with = *sets;
    for (int i = 0; i < list->count && with.count < TEXT_REFS_MAX; i++)
        if (!has_key(list, i, list->item[i].set))
            with.item[with.count++] = list->item[i].set;
    const size_t then = list->count > 0 ? needed_with(path, &with) : 0;
    list->all = then > 0 && then < now ? now - then : 0;
}
