/* clock.h - wall time as a tree of named timers that closes: the time of a node is the time of its
 * children plus its own.
 *
 *     clock_tree c = { 0 };
 *     clock_begin(&c, "trajectory");
 *         clock_begin(&c, "force");  ...  clock_end(&c);
 *     clock_end(&c);
 *
 * A name seen again under the same parent adds to the same node. */
#ifndef KILN_BASE_CLOCK_H
#define KILN_BASE_CLOCK_H

#include "src/base/clock_now.h"
#include "src/base/json.h"
#include "src/base/text.h"

enum { CLOCK_NODES = 1024 };

typedef struct {
    char name[32];
    int parent;              /* index of the node above, -1 for a root */
    long calls;
    double seconds, began;
} clock_node;

typedef struct { clock_node node[CLOCK_NODES]; int count, current_plus_one; } clock_tree;

/* Where `c` is NULL these two do nothing; else both also tick (src/base/progress_tick.h). */
void clock_begin(clock_tree *c, const char *name);
void clock_end(clock_tree *c);
double clock_seconds(const clock_tree *c, const char *name);  /* of the first node so named; 0 if none */

double clock_sum(const clock_tree *c, const char *name);      /* of all nodes so named that have ended */

/* Append the names of the running timers below the outermost `skip`, ": " between them, and after the innermost the
 * part that is running (progress_set_part), if it has parts: "measure: condensate: solves 7/24". */
void clock_add_path(text *out, const clock_tree *c, int skip);

/* Read all timers, including running ones, without stopping them.  Another process can continue with this tree after it
 * has started the running timers again. */
void clock_show(clock_tree *shown, const clock_tree *c);

/* Append `"key": [ { "name", "seconds", "calls", "self", "children": [...] }, ... ]` */
void clock_to_json(const clock_tree *c, json *j, const char *key);

#endif
