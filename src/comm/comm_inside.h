/* comm_inside.h - the functions of a kind of world (comm.h describes them), and the members of comm. */
#ifndef KILN_COMM_COMM_INSIDE_H
#define KILN_COMM_COMM_INSIDE_H

#include "src/comm/comm.h"

typedef struct {
    const char *name;
    void (*barrier)(const comm *c);
    void (*broadcast)(const comm *c, void *data, size_t bytes);
    void (*gather_all)(const comm *c, void *all, const void *mine, size_t bytes);
    void (*exchange)(const comm *c, const comm_shift *shift, int count);
    /* Returns `inside` of the group of this rank, for groups of `ranks` ranks.  Collective; join frees it. */
    void *(*split)(const comm *whole, int ranks);
    void (*join)(const comm *group);
} comm_functions;

/* first: the number of its rank 0 among all ranks of the run; 0 for the whole and for the first group.  `inside`
 * is private to these functions. */
struct comm { const comm_functions *functions; int rank, size, first, local_rank, local_size, node; void *inside; };

#endif
