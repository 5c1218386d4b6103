/* clock.h - wall time in seconds, as a tree of named timers: the time of a node is the sum of the times of its
 * children and of its own work ("self").
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

/* Without effect if `c` is NULL; else both also call progress_tick (src/base/progress_tick.h). */
void clock_begin(clock_tree *c, const char *name);
void clock_end(clock_tree *c);
double clock_seconds(const clock_tree *c, const char *name);  /* ended calls of the first node of this name; else 0 */

double clock_sum(const clock_tree *c, const char *name);      /* ended calls of all nodes of this name */

/* Append the names of the running timers, without the outermost `skip`, separated by ": ".  If the innermost has parts
 * (progress_set_part), the number of the current part follows: "measure: condensate: solves 7/24". */
void clock_add_path(text *out, const clock_tree *c, int skip);

/* *shown <- all timers, where running ones include the time until now; they continue to run.  In *shown no timer runs:
 * another process can continue with it after it has started them again. */
void clock_show(clock_tree *shown, const clock_tree *c);

/* Append `"key": [ { "name", "seconds", "calls", "self", "children": [...] }, ... ]` */
void clock_to_json(const clock_tree *c, json *j, const char *key);

#endif
