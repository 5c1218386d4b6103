/* hop_launch.h - a kernel that reads ghosts, with the exchange of its fields, at the same time if possible. */
#ifndef KILN_HALO_HOP_LAUNCH_H
#define KILN_HALO_HOP_LAUNCH_H

#include "src/lattice/field.h"
#include "src/lattice/kernels.h"
#include "src/lattice/regions.h"

/* A kernel on the sites of `range`.  reach: number of hops to the farthest ghost that it reads, if the range is a
 * parity and the kernel has a tuned variant; else 0.  regions: of this range, NULL if there are none.  The memory of
 * field n is at places[stride * rank + n] (transport.h).  Exchanges fill the level that hops read
 * (lattice_vector_ghosts). */
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

/* The kernel on all sites of the range. */
void hop_launch_run(const hop_launch *h);

/* With regions, launches between these two calls run at the same time as the interior; hop_launch_end runs the rest. */
void hop_launch_begin(const hop_launch *h);
void hop_launch_end(const hop_launch *h);

#endif
