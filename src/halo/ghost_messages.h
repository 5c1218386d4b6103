/* ghost_messages.h - the sites that other ranks read, packed into messages.
 *
 * Packed sites have the order of the receiver's ghosts: [parity][slab][box][tile], with the last box first for even
 * sites.  Each box of a slab is a message, which the receiver stores directly in its ghosts.  Boxes that lie side by
 * side and travel between the same two ranks are one message. */
#ifndef KILN_HALO_GHOST_MESSAGES_H
#define KILN_HALO_GHOST_MESSAGES_H

#include "src/lattice/field.h"

typedef struct {
    const field *f;
    const ghost_boxes *ghosts;
    ghost_level level;
    int boxes;                     /* boxes up to the level */
    int sites;                     /* ghosts of one parity up to the level */
    int first_parity, parities;    /* of the field: 0 even, 1 odd; their number */
    size_t site_bytes;             /* of one site in one slab */
} ghost_messages;

/* The messages of a field, which is borrowed and has memory for ghosts of the level. */
ghost_messages ghost_messages_of(const field *f, ghost_level level);

/* The bytes of all packed sites. */
size_t ghost_messages_bytes(const ghost_messages *m);

/* Packs the sites into `packed` (ghost_messages_bytes), which kernels at the place of the field can access; returns at
 * once on the GPU. */
void ghost_messages_pack(const ghost_messages *m, char *packed);

/* The list of *count messages (comm.h), which the caller frees with memory_free.  They are received into the ghosts,
 * or, if `arrived` is not NULL, into that memory in the same order as in `packed`. */
comm_shift *ghost_messages_list(const ghost_messages *m, int *count, const char *packed, char *arrived);

/* Copies `arrived`, which is pinned memory (gpu/device.h), into the ghosts on the GPU; does not wait. */
void ghost_messages_to_gpu(const ghost_messages *m, const char *arrived);

#endif
