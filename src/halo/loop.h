/* loop.h - a list of steps that the GPU (or the CPU) repeats while a flag is set.
 *
 * A step is a kernel on sites, with the fields whose ghosts are exchanged for it, or a reduction.  A reduction adds the
 * sums of a batch over ranks and computes its scalars from them; it is needed if the summing kernels do not do so
 * themselves (krylov_batch.sum_launches is 0).
 *
 * On the GPU, a loop does not wait for the host if there is one rank, or if the ranks use peer memory.  The launches
 * become a graph (gpu/device_loop.h), which is kept: a repetition of the same launches costs no more than one launch.
 * Where it is faster, one persistent kernel (halo/persistent.h) takes the place of the graph, with the same bits.  On
 * the CPU, and where the host exchanges, the steps are called in turn. */
#ifndef KILN_HALO_LOOP_H
#define KILN_HALO_LOOP_H

#include "src/halo/persistent.h"
#include "src/lattice/vec.h"

typedef struct loop loop;

loop *loop_create(place where);
void loop_free(loop *l);

/* loop_clear begins an empty body; loop_add appends its steps, in order.  `args` (`size` bytes) is copied.  Set the
 * padding between its members to zero: the loop compares bytes to find launches that it already has. */
void loop_clear(loop *l);
void loop_add(loop *l, const map_kernel *k, precision p, const void *args, size_t size, site_range range);

/* A kernel on all sites of the parity of `out` that reads ghosts of in[0 .. count-1], up to `reach` hops away, after
 * their exchange; there is none on one rank.  Its variant for the GPU may be launched for each region
 * (lattice/regions.h). */
typedef struct { const map_kernel *kernel; const vec *out; vec *const *in; int count, reach; } loop_hop;
void loop_add_hop(loop *l, const loop_hop *h, const void *args, size_t size);
void loop_add_reduction(loop *l, krylov_sum sum, const krylov_batch *b, const comm *ranks);

/* Runs the body once, and again while *going (an int at the place of the loop) is not 0.  A run of the body with *going
 * 0 must do nothing.  Returns at once on the GPU, if the loop is that of one rank. */
void loop_run(loop *l, const int *going);

/* Runs the body once. */
void loop_run_once(loop *l);

/* How the GPU repeats the body: by default the way that is faster.  LOOP_PERSISTENT: by a persistent kernel wherever
 * there is one for the steps. */
typedef enum { LOOP_FASTER, LOOP_GRAPH, LOOP_PERSISTENT } loop_way;
void loop_set_way(loop *l, loop_way way);
bool loop_was_persistent(const loop *l);             /* whether a persistent kernel did the latest loop_run */

/* From now on for new bodies: this persistent kernel, which must have the same steps, instead of Kiln's; NULL: Kiln's.
 * For gpu/bench/ladder. */
void loop_set_kernel(loop *l, persistent_fn *kernel);

#endif
