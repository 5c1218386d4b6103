/* hop_launch.h - a kernel that reads ghosts, and the exchange between GPUs that brings them: at the same time where it
 * can be. */
#ifndef KILN_HALO_HOP_LAUNCH_H
#define KILN_HALO_HOP_LAUNCH_H

#include "src/halo/nccl_ranks.h"
#include "src/halo/peers.h"
#include "src/lattice/kernels.h"
#include "src/lattice/regions.h"

/* A kernel on the sites of `range`; regions: of this range, NULL if there are none. */
typedef struct {
    place where;
    const map_kernel *kernel;
    precision precision;
    const void *args;
    site_range range;
    const hop_regions *regions;
} hop_launch;

/* In one launch, if the kernel has a variant that makes the exchange; else the interior beside the exchange, then the
 * boundary; without regions one after the other. */
void hop_over_peers(const hop_launch *h, peers *p, const peer_fields *fields);

/* The same by NCCL, always in launches of their own. */
void hop_over_nccl(const hop_launch *h, nccl_ranks *n, const field *f, int count);

#endif
