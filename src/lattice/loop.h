/* loop.h - kernels that are repeated while a number says so, at the place where they run.
 *
 * On the GPU nobody waits for the host: the launches become a graph (gpu/device_loop.h), which is kept, so that the
 * same launches again cost no more than one.  On the CPU they are called in turn. */
#ifndef KILN_LATTICE_LOOP_H
#define KILN_LATTICE_LOOP_H

#include "src/lattice/kernels.h"

typedef struct loop loop;

loop *loop_create(place where);
void loop_free(loop *l);

/* A new body, empty; then its launches, in order.  `args` (of `size` bytes, holes between members set to zero, else
 * the same launches are not known again) is copied. */
void loop_clear(loop *l);
void loop_add(loop *l, const map_kernel *k, precision p, const void *args, size_t size, site_range range);

/* The body once, and again while *going, an int at the place of the loop, is not 0; a pass with 0 is to do nothing.
 * Returns at once on the GPU. */
void loop_run(loop *l, const int *going);

/* The body once, as it is. */
void loop_run_once(const loop *l);

#endif
