/* memory_report.c - categories of memory as lines of text and as JSON members. */
#include "src/tune/memory_report.h"

#include <stdio.h>
#include <string.h>

void memory_print(const run_params *p, place where, bool host, const char *before)
{
    memory_item items[HMC_MEMORY_ITEMS];
    int count = hmc_memory(p, where, items);
    for (int i = 0; i < count; i++)
        if (items[i].host == host)
            printf("%s%-28s %s\n", before, items[i].what, bytes_to_text((double)items[i].bytes).s);
    printf("%s%-28s %s\n", before, "all", bytes_to_text((double)hmc_memory_needed(p, where, !host, host)).s);
}

/* "links_kept_for_a_rejection_bytes": a category as a key */
static void bytes_to_json(json *j, const char *what, size_t bytes)
{
    text key = { 0 };
    text_add(&key, "%s_bytes", what);
    for (char *c = key.s; (c = strchr(c, ' '));)
        *c = '_';
    json_int(j, text_string(&key), (int64_t)bytes);
    text_free(&key);
}

void memory_to_json(json *j, const char *key, const run_params *p, place where, bool host, bool open)
{
    memory_item items[HMC_MEMORY_ITEMS];
    int count = hmc_memory(p, where, items);
    json_open(j, key, '{');
    for (int i = 0; i < count; i++)
        if (items[i].host == host)
            bytes_to_json(j, items[i].what, items[i].bytes);
    bytes_to_json(j, "total", hmc_memory_needed(p, where, !host, host));
    if (!open)
        json_close(j);
}
