/* peer_pieces.h - the ghosts that a rank fills on other ranks, in pieces for the warps of a GPU (peer_piece of
 * kernels/peer_args.h).
 *
 * The ghosts of a box are whole tiles of memory.  If their original sites are consecutive whole tiles too, as in a time
 * slice, a warp copies several tiles as one block of memory, in any storage format. */
#ifndef KILN_HALO_PEER_PIECES_H
#define KILN_HALO_PEER_PIECES_H

#include "src/kernels/peer_args.h"
#include "src/lattice/ghosts.h"

/* The pieces of all boxes, of at most `most` tiles each, in the order of levels; count[level]: the number of pieces up
 * to a level.  sent: lattice_sent_sites.  `piece` has memory for one piece per tile of ghosts of one parity. */
void peer_pieces_list(peer_piece *piece, int count[GHOST_LEVELS], int most, const int *sent,
                      const lattice_shape *shape, const ghost_boxes *ghosts);

#endif
