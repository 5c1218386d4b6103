/* persistent.h - a list of launches as one kernel that repeats them on the GPU while a flag is set
 * (gpu/persistent_loop.h).
 *
 * Such kernels exist for conjugate gradients with the staggered operator, for batches of one system.  On small lattices
 * they are faster than a graph of launches.  Their results have the same bits. */
#ifndef KILN_HALO_PERSISTENT_H
#define KILN_HALO_PERSISTENT_H

#include "src/kernels/persistent_args.h"
#include "src/lattice/kernels.h"

typedef struct {
    const map_kernel *kernel;
    precision precision;
    const void *args;                    /* `size` bytes, borrowed */
    size_t size;
    site_range range;
    const peer_pack_args *exchange;      /* of the ghosts that it reads, borrowed; or NULL */
} map_launch;

typedef struct persistent persistent;

/* A kernel that repeats these launches while *going (on the GPU) is not 0; persistent_free frees it.  NULL if no
 * persistent kernel contains all of them.  `kernel` replaces Kiln's kernel, if it is not NULL.  `ranks`: the ranks that
 * exchange ghosts and add the sums; NULL for one rank. */
typedef struct { const map_launch *launch; int count; const int *going; const peer_group *ranks; } persistent_body;
persistent *persistent_create(const persistent_body *body, persistent_fn *kernel);
void persistent_free(persistent *p);

/* Launches the kernel, and returns at once.  False, without a launch, if the device cannot run it. */
bool persistent_run(const persistent *p);

/* Whether a persistent kernel is faster than a graph for launches of `sites` sites.  KILN_LOOPS=persistent in the
 * environment means always; `graph` and `host` (gpu/device_loop.h) mean never. */
bool persistent_is_faster(int sites);

#endif
