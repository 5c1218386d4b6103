/* loop.h - a list of steps that the GPU (or the CPU) repeats while a flag is set.
 *
 * A step is a kernel on sites, or a reduction.  A reduction is a launch that computes the scalars of a batch from its
 * sums; it is needed if the summing kernels do not do so themselves (krylov_batch.sum_launches is 0).
 *
 * On the GPU, the loop does not wait for the host.  The launches become a graph (gpu/device_loop.h), which is kept: a
 * repetition of the same launches costs no more than one launch.  On the CPU the steps are called in turn. */
#ifndef KILN_LATTICE_LOOP_H
#define KILN_LATTICE_LOOP_H

#include "src/kernels/krylov_args.h"
#include "src/lattice/kernels.h"

typedef struct loop loop;

loop *loop_create(place where);
void loop_free(loop *l);

/* loop_clear begins an empty body; loop_add appends its steps, in order.  `args` (`size` bytes) is copied.  Set the
 * padding between its members to zero: the loop compares bytes to find launches that it already has. */
void loop_clear(loop *l);
void loop_add(loop *l, const map_kernel *k, precision p, const void *args, size_t size, site_range range);
void loop_add_reduction(loop *l, krylov_sum sum, const krylov_batch *b);

/* Runs the body once, and again while *going (an int at the place of the loop) is not 0.  A run of the body with *going
 * 0 must do nothing.  Returns at once on the GPU. */
void loop_run(loop *l, const int *going);

/* Runs the body once. */
void loop_run_once(const loop *l);

#endif
