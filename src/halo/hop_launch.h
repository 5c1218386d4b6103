/* hop_launch.h - a kernel that reads ghosts, and the exchange of its fields, which overlap if possible. */
#ifndef KILN_HALO_HOP_LAUNCH_H
#define KILN_HALO_HOP_LAUNCH_H

#include "src/lattice/field.h"
#include "src/lattice/kernels.h"
#include "src/lattice/regions.h"

/* A kernel on the sites of `range`, and the `count` fields whose ghosts it reads; all borrowed.  reach: number of
 * hops to the farthest ghost that it reads, if the range is a parity and the kernel has a tuned variant; else 0.
 * regions: of this range, or NULL if there are none.  places[stride * rank + n]: the address of the memory of field
 * n on a rank (transport.h).  Exchanges fill the level that hops read (lattice_vector_ghosts). */
typedef struct {
    place where;
    const map_kernel *kernel;
    precision precision;
    const void *args;
    site_range range;
    int reach;
    const hop_regions *regions;
    const field *fields;
    int count;
    void *const *places;
    int stride;
} hop_launch;

/* Runs the kernel on all sites of the range, without an exchange. */
void hop_launch_run(const hop_launch *h);

/* Between these two calls the caller launches the exchange.  With regions, the interior runs at the same time as the
 * exchange, and the boundary after it; without regions, all sites run after the exchange. */
void hop_launch_begin(const hop_launch *h);
void hop_launch_end(const hop_launch *h);

#endif
