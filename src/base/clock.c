/* clock.c - a tree of named timers. */
#include "src/base/clock.h"

#include "src/base/progress_tick.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void clock_begin(clock_tree *c, const char *name)
{
    if (!c)
        return;
    int parent = c->current_plus_one - 1, n = 0;
    while (n < c->count && !(c->node[n].parent == parent && strcmp(c->node[n].name, name) == 0))
        n++;
    if (n == c->count) {
        assert(c->count < CLOCK_NODES);
        clock_node fresh = { .parent = parent };
        snprintf(fresh.name, sizeof fresh.name, "%s", name);
        c->node[c->count++] = fresh;
    }
    c->node[n].began = clock_now();
    c->current_plus_one = n + 1;
    progress_set_part(0, 0);
}

void clock_end(clock_tree *c)
{
    if (!c)
        return;
    assert(c->current_plus_one > 0);
    clock_node *node = &c->node[c->current_plus_one - 1];
    node->seconds += clock_now() - node->began;
    node->calls++;
    c->current_plus_one = node->parent + 1;
    progress_set_part(0, 0);
}

double clock_seconds(const clock_tree *c, const char *name)
{
    for (int n = 0; n < c->count; n++)
        if (strcmp(c->node[n].name, name) == 0)
            return c->node[n].seconds;
    return 0;
}

double clock_sum(const clock_tree *c, const char *name)
{
    double seconds = 0;
    for (int n = 0; n < c->count; n++)
        if (strcmp(c->node[n].name, name) == 0)
            seconds += c->node[n].seconds;
    return seconds;
}

/* The names of the timer `n` and of those above it, without the outermost `skip`; returns how many are above it. */
static int add_names(text *out, const clock_tree *c, int n, int skip)
{
    if (n < 0)
        return 0;
    const int depth = add_names(out, c, c->node[n].parent, skip);
    if (depth >= skip)
        text_add(out, "%s%s", depth > skip ? ": " : "", c->node[n].name);
    return depth + 1;
}

void clock_add_path(text *out, const clock_tree *c, int skip)
{
    const progress_part part = progress_part_now();
    if (add_names(out, c, c->current_plus_one - 1, skip) > skip && part.all > 0)
        text_add(out, " %" PRId64 "/%" PRId64, part.number, part.all);
}

void clock_show(clock_tree *shown, const clock_tree *c)
{
    double now = clock_now();
    *shown = *c;
    for (int n = c->current_plus_one - 1; n >= 0; n = c->node[n].parent)
        shown->node[n].seconds += now - c->node[n].began;
    shown->current_plus_one = 0;
}

static void children_to_json(const clock_tree *c, json *j, const char *key, int parent)
{
    json_open(j, key, '[');
    for (int n = 0; n < c->count; n++) {
        if (c->node[n].parent != parent)
            continue;
        double inside = 0;
        for (int child = 0; child < c->count; child++)
            if (c->node[child].parent == n)
                inside += c->node[child].seconds;
        json_open(j, NULL, '{');
        json_text(j, "name", c->node[n].name);
        json_real(j, "seconds", c->node[n].seconds);
        json_int(j, "calls", c->node[n].calls);
        json_real(j, "self", c->node[n].seconds - inside);
        children_to_json(c, j, "children", n);
        json_close(j);
    }
    json_close(j);
}

void clock_to_json(const clock_tree *c, json *j, const char *key)
{
    children_to_json(c, j, key, -1);
}
