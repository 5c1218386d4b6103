/* loop.h - steps that are repeated while a number says so, at the place where they run.
 *
 * A step is a kernel on sites, or a reduction: the scalars of a batch from its sums, in a launch of its own, for sums
 * that the kernels do not finish themselves (krylov_batch.sum_launches is 0).
 *
 * On the GPU nobody waits for the host: the launches become a graph (gpu/device_loop.h), which is kept, so that the
 * same launches again cost no more than one.  On the CPU they are called in turn. */
#ifndef KILN_LATTICE_LOOP_H
#define KILN_LATTICE_LOOP_H

#include "src/kernels/krylov_args.h"
#include "src/lattice/kernels.h"

typedef struct loop loop;

loop *loop_create(place where);
void loop_free(loop *l);

/* A new body, empty; then its steps, in order.  `args` (of `size` bytes, holes between members set to zero, else the
 * same launches are not known again) is copied. */
void loop_clear(loop *l);
void loop_add(loop *l, const map_kernel *k, precision p, const void *args, size_t size, site_range range);
void loop_add_reduction(loop *l, krylov_sum sum, const krylov_batch *b);

/* The body once, and again while *going, an int at the place of the loop, is not 0; a pass with 0 is to do nothing.
 * Returns at once on the GPU. */
void loop_run(loop *l, const int *going);

/* The body once, as it is. */
void loop_run_once(const loop *l);

#endif
