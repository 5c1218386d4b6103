/* workspace.h - memory for fields that are needed during one call only; its users share it in turns.
 *
 * Solvers, forces and measurements work one after another.  Their fields lie in one block of memory for each lattice
 * and place, the workspace, which is as large as its largest user needs.  Between two calls of a user its fields keep
 * their addresses, but not their numbers.
 *
 * Fields that are created between workspace_begin and workspace_end lie in the workspace, one after another.
 * workspace_move goes to another position: fields that are created after going back lie where the ones before did.  A
 * field that does not fit gets separate memory. */
#ifndef KILN_LATTICE_WORKSPACE_H
#define KILN_LATTICE_WORKSPACE_H

#include "src/lattice/place.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct workspace workspace;                  /* lattice_workspace (lattice.h) returns it */
struct workspace {
    place where;
    char *memory;
    size_t bytes, position;
    int users;
    bool open;                                       /* between workspace_begin and workspace_end */
};

/* Adds a user that needs `bytes`.  The first call with bytes > 0 allocates the memory (fatal if it runs out); the
 * leave of the last user frees it.  The memory does not grow: code that creates several users first joins itself,
 * with the largest of their needs. */
void workspace_join(workspace *w, size_t bytes);
void workspace_leave(workspace *w);

/* workspace_begin opens the workspace at its start, or, inside another pair of begin and end, at the present position.
 * Pass its result as `was` to the matching workspace_end. */
bool workspace_begin(workspace *w);
void workspace_end(workspace *w, bool was);
size_t workspace_position(const workspace *w);
void workspace_move(workspace *w, size_t position);      /* at most to the end */

/* For field.c: memory for a field, which is not zeroed; NULL if the workspace is closed or too small.
 * workspace_owns: whether it came from there. */
void *workspace_alloc(workspace *w, size_t bytes);
bool workspace_owns(const workspace *w, const void *data);

/* Bytes that an object allocates at a place.  lasting: for fields that live as long as the object; shared: for
 * fields in the workspace; cells: for all else (cells of sums, states of solvers); sent: the most that it packs at
 * once for other ranks (field_exchange_bytes), in memory of the lattice. */
typedef struct { size_t lasting, shared, cells, sent; } memory_need;
size_t memory_need_sum(memory_need n);               /* lasting + shared + cells: of a single user */

/* The same if the object itself is created in the workspace, as by a measurement: its lasting fields count as
 * shared. */
memory_need memory_need_in_turn(memory_need n);

/* What two users need of whom only one exists at a time. */
memory_need memory_need_either(memory_need a, memory_need b);

/* What two users need that exist at the same time and work in turns. */
memory_need memory_need_add(memory_need a, memory_need b);

#endif
