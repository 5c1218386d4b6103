/* ghost_messages.h - the sites that other ranks read, packed into messages.
 *
 * Packed sites lie in memory as the ghosts of the receiver do: [parity][slab][box][tile].  A box of a slab is one
 * message, which arrives where it belongs. */
#ifndef KILN_HALO_GHOST_MESSAGES_H
#define KILN_HALO_GHOST_MESSAGES_H

#include "src/lattice/field.h"

typedef struct {
    const field *f;
    const ghost_boxes *ghosts;
    ghost_level level;
    int boxes;                     /* up to the level */
    int sites;                     /* ghosts of one parity up to the level */
    int first_parity, parities;
    size_t site_bytes;
} ghost_messages;

/* Those of a field, which is borrowed; it has memory for ghosts of the level. */
ghost_messages ghost_messages_of(const field *f, ghost_level level);

/* The bytes of all packed sites. */
size_t ghost_messages_bytes(const ghost_messages *m);

/* Packs the sites, at the place of the field; returns at once on the GPU. */
void ghost_messages_pack(const ghost_messages *m, char *packed);

/* The messages, `count` of them; the caller frees them.  They arrive in the ghosts; or, if `arrived` is not NULL, in
 * that memory, at the same places as in `packed`. */
comm_shift *ghost_messages_list(const ghost_messages *m, int *count, const char *packed, char *arrived);

/* From that memory, which is pinned (gpu/device.h), into the ghosts on the GPU; does not wait. */
void ghost_messages_to_gpu(const ghost_messages *m, const char *arrived);

#endif
