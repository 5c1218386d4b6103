/* persistent_args.h - the body of a loop for one kernel that stays on the GPU until the loop ends
 * (gpu/persistent_loop.h).
 *
 * A step is a kernel for one system of a batch, given by its kind, its arguments and its first site.  All steps have
 * the same number of sites, of one parity.  With several ranks, a hop first exchanges the ghosts that it reads, and a
 * step that sums adds over the ranks (kernels/peer_args.h). */
#ifndef KILN_KERNELS_PERSISTENT_ARGS_H
#define KILN_KERNELS_PERSISTENT_ARGS_H

#include "src/kernels/peer_args.h"
#include "src/kernels/staggered_args.h"

typedef enum {
    PERSISTENT_HOP,                      /* staggered_batch_hop_1 */
    PERSISTENT_NORMAL,                   /* staggered_batch_normal_1 */
    PERSISTENT_RESIDUAL,                 /* vector_batch_residual */
    PERSISTENT_DIRECTION,                /* vector_batch_direction */
    PERSISTENT_GATHER,                   /* vector_batch_gather */
    PERSISTENT_SHIFTS,                   /* vector_shifts_update */
    PERSISTENT_STEP_GROUP,               /* vector_shifts_step_group */
    PERSISTENT_KINDS
} persistent_kind;

/* at: the first byte of its arguments in `program`; first: its first site; exchange: 1 + its exchange, or 0 */
typedef struct { persistent_kind kind; int at, first, exchange; } persistent_step;

/* The loop is passed as an argument of the kernel: the compiler then knows that its pointers lead to memory of the GPU,
 * and array indices may be variables.  Arguments of this size need CUDA 12.1.  `program`: `count` steps, then the
 * arguments of the steps. */
enum { PERSISTENT_BYTES = 28 << 10, PERSISTENT_ALIGNED = 64 };
typedef struct {
    const int *going;
    persistent_gate *gate;
    int count, sites;
    char apart[PERSISTENT_ALIGNED - 2 * sizeof(void *) - 2 * sizeof(int)];
    char program[PERSISTENT_BYTES];
    peer_group group;                    /* of a loop with several ranks; group.ranks is 0 for a single rank */
    const peer_pack_args *exchange;      /* all exchanges of the loop, in memory of the GPU */
} persistent_loop;

/* Launches the kernel and returns at once; `hop` and `range` belong to the first hop, on the host.  Returns false if
 * the kernel does not support the loop, or the device has no kernels whose blocks may wait for each other. */
typedef bool persistent_fn(const persistent_loop *p, const batch_hop_args *hop, site_range range, void *stream);

#endif
