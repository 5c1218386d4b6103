/* state_memory.c - find and compare named lists of numbers. */
#include "src/io/state_memory.h"

#include "src/base/checksum.h"

#include <math.h>
#include <string.h>

const state_list *state_memory_find(const state_memory *m, const char *name)
{
    for (int64_t i = 0; i < m->count; i++)
        if (strcmp(m->list[i].name, name) == 0)
            return &m->list[i];
    return NULL;
}

uint64_t state_memory_digest(uint64_t digest, const state_memory *m)
{
    for (int64_t i = 0; i < m->count; i++) {
        const state_list *list = &m->list[i];
        digest = digest64(digest, list->name, strlen(list->name) + 1);
        for (int64_t n = 0; n < list->count; n++) {
            double value = isfinite(list->value[n]) ? list->value[n] : NAN;      /* the same NaN for all of these */
            digest = digest64(digest, &value, sizeof value);
        }
    }
    return digest;
}

bool state_memory_same(const state_memory *a, const state_memory *b)
{
    bool same = a->count == b->count;
    for (int64_t i = 0; same && i < a->count; i++)
        same = strcmp(a->list[i].name, b->list[i].name) == 0 && a->list[i].count == b->list[i].count;
    return same && state_memory_digest(DIGEST64_START, a) == state_memory_digest(DIGEST64_START, b);
}
