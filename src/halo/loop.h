/* loop.h - a list of steps that the GPU (or the CPU) repeats while a flag is set.
 *
 * A step is a kernel on sites, with the fields whose ghosts are exchanged for it, or a reduction.  A reduction adds the
 * sums of a batch over ranks and computes its scalars from them; it is needed if the summing kernels do not do so
 * themselves (krylov_batch.sum_launches is 0).
 *
 * On the GPU, the launches become a graph (gpu/device_loop.h), which is kept: to repeat the same launches costs no more
 * than one launch.  With one rank, or with peer memory, the loop runs without the host; with NCCL, the host starts each
 * pass of the graph.  Where it is faster, one persistent kernel (halo/persistent.h) replaces the graph, with the same
 * bits.  On the CPU, and with the host transport, the host calls one step after another. */
#ifndef KILN_HALO_LOOP_H
#define KILN_HALO_LOOP_H

#include "src/halo/persistent.h"
#include "src/lattice/vec.h"

typedef struct loop loop;

loop *loop_create(place where);
void loop_free(loop *l);

/* loop_clear begins an empty body; the functions loop_add* append its steps, in order.  `args` (`size` bytes) is
 * copied; the padding between its members must be zero, because the loop compares bytes to find graphs that it
 * already has.  Fields, states and memory to which the arguments point are borrowed. */
void loop_clear(loop *l);
void loop_add(loop *l, const map_kernel *k, precision p, const void *args, size_t size, site_range range);

/* A kernel on all sites of the parity of `out` that reads ghosts of in[0 .. count-1], up to `reach` hops away.  With
 * several ranks, their exchange comes first.  The GPU may launch the kernel for each region (lattice/regions.h). */
typedef struct { const map_kernel *kernel; const vec *out; vec *const *in; int count, reach; } loop_hop;
void loop_add_hop(loop *l, const loop_hop *h, const void *args, size_t size);
void loop_add_reduction(loop *l, krylov_sum sum, const krylov_batch *b, const comm *ranks);

/* Runs the body once, and again while *going (an int at the place of the loop) is not 0.  The body must do nothing
 * if *going is 0.  On the GPU, returns at once if there is one rank and the device repeats the graph itself.
 * Collective if steps exchange fields or add sums over ranks. */
void loop_run(loop *l, const int *going);

/* Runs the body once. */
void loop_run_once(loop *l);

/* How the GPU repeats the body: LOOP_FASTER (default), the faster way; LOOP_PERSISTENT, by a persistent kernel wherever
 * there is one for the steps. */
typedef enum { LOOP_FASTER, LOOP_GRAPH, LOOP_PERSISTENT } loop_way;
void loop_set_way(loop *l, loop_way way);
bool loop_was_persistent(const loop *l);             /* whether the latest loop_run used a persistent kernel */

/* Replaces Kiln's persistent kernel for new bodies; NULL: Kiln's.  It must have the same steps.  For gpu/bench. */
void loop_set_kernel(loop *l, persistent_fn *kernel);

#endif
