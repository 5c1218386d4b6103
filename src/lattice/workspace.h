/* workspace.h - memory for fields that are needed during one call only: its users have it in turns.
 *
 * Solvers, forces and measurements work one after another.  Their fields lie in one block of memory for each lattice
 * and place, the workspace, which is as large as its largest user needs.  Between two calls of a user its fields keep
 * their addresses, but not their numbers.
 *
 * Fields that are created between workspace_begin and workspace_end lie in the workspace, one after another.
 * workspace_move goes to another position: fields that are created after going back lie where the ones before did.  A
 * field that does not fit gets memory of its own. */
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

/* Adds a user, who needs `bytes`.  The first user that needs any has the memory allocated, and the last one that leaves
 * has it freed.  It does not grow: who creates several users joins before them, with the largest of their needs. */
void workspace_join(workspace *w, size_t bytes);
void workspace_leave(workspace *w);

/* Begins at the start of the workspace; inside another pair of begin and end, at the present position.  `was` is the
 * value of the workspace_begin to which a workspace_end belongs. */
bool workspace_begin(workspace *w);
void workspace_end(workspace *w, bool was);
size_t workspace_position(const workspace *w);
void workspace_move(workspace *w, size_t position);      /* at most to the end */

/* For field.c: memory for a field, which is not zeroed; NULL if the workspace is closed or too small.
 * workspace_owns: whether it came from there. */
void *workspace_alloc(workspace *w, size_t bytes);
bool workspace_owns(const workspace *w, const void *data);

/* Bytes that something allocates: of fields that last, of fields in the workspace, and of all else at the same place
 * (cells of sums, states of solvers).  sent: the most that it packs at once for other ranks (field_exchange_bytes), for
 * which the lattice has memory. */
typedef struct { size_t lasting, shared, cells, sent; } memory_need;
size_t memory_need_sum(memory_need n);               /* of a single user of the workspace, without `sent` */

/* The same when all of it is created in the workspace and used at once, as by a measurement. */
memory_need memory_need_in_turn(memory_need n);

/* What two users need of whom only one exists at a time. */
memory_need memory_need_either(memory_need a, memory_need b);

/* What two users need that exist at the same time and work in turns. */
memory_need memory_need_add(memory_need a, memory_need b);

#endif
