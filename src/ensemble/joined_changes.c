/* joined_changes.c - compare changes by key: an earlier line of the ensemble and a later one of the input decide. */
#include "src/ensemble/joined_changes.h"

#include <stdbool.h>
#include <string.h>

typedef enum { OF_NEITHER, OF_ENSEMBLE, OF_INPUT } owner;

/* A line without its indentation; `key` is "KEY: VALUE" of an ensemble or an input. */
typedef struct { const char *start, *key; int length, key_length, rest; owner of; } change;

static bool next_change(change *c, const char **at)
{
    static const char ensemble[] = "ensemble:", input[] = "input:";
    *at += strspn(*at, "\n ");
    *c = (change){ .start = *at, .length = (int)strcspn(*at, "\n") };
    *at += c->length;
    c->of = strncmp(c->start, ensemble, sizeof ensemble - 1) == 0 ? OF_ENSEMBLE
            : strncmp(c->start, input, sizeof input - 1) == 0 ? OF_INPUT : OF_NEITHER;
    c->key = c->start + (c->of == OF_ENSEMBLE ? sizeof ensemble : c->of == OF_INPUT ? sizeof input : 1) - 1;
    c->key += strspn(c->key, " ");
    c->rest = c->length - (int)(c->key - c->start);
    c->key_length = (int)strcspn(c->key, ":\n");
    return c->length > 0;
}

static bool same_key(const change *a, const change *b)
{
    return a->key_length == b->key_length && memcmp(a->key, b->key, (size_t)a->key_length) == 0;
}

/* The first line of the ensemble or the last one of the input with the key of `c`; of neither if there is none. */
static change decisive(const text *all, const change *c, owner of)
{
    const char *at = text_string(all);
    change found = { .of = OF_NEITHER }, next;
    while (next_change(&next, &at))
        if (next.of == of && same_key(&next, c) && (of == OF_INPUT || found.of == OF_NEITHER))
            found = next;
    return found;
}

static bool stays(const text *all, const change *c)
{
    if (c->of == OF_NEITHER)
        return true;
    const change before = decisive(all, c, OF_ENSEMBLE), after = decisive(all, c, OF_INPUT);
    const bool undone = before.of != OF_NEITHER && after.of != OF_NEITHER && before.rest == after.rest
                        && memcmp(before.key, after.key, (size_t)before.rest) == 0;
    return !undone && c->start == (c->of == OF_ENSEMBLE ? before.start : after.start);
}

void joined_changes_add(text *out, const text *all)
{
    const char *at = text_string(all);
    change c;
    while (next_change(&c, &at))
        if (stays(all, &c))
            text_add(out, "\n  %.*s", c.length, c.start);
}
