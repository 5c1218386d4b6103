/* neighbors.h - tables of indices (site/view.h): who is next to whom, and which sites are ghosts of other ranks. */
#ifndef KILN_LATTICE_NEIGHBORS_H
#define KILN_LATTICE_NEIGHBORS_H

#include "src/lattice/ghosts.h"

/* Tables of neighbors: 1 and 3 sites away, up and down, in four directions. */
enum { NEIGHBORS = 16 };

/* The index of a site of this rank. */
int neighbors_site(const lattice_shape *shape, const int coordinate[4]);

/* table[NEIGHBORS][from the farthest even ghost to the farthest odd ghost]: up[0..3], down[0..3], up3, down3.  A site
 * that has no memory here is replaced by one of its parity that has. */
void neighbors_fill(int *table, const lattice_shape *shape, const ghost_boxes *ghosts);

/* sent[SENT_LISTS][ghosts of all boxes]: lattice_sent_sites (lattice.h) */
enum { SENT_EVEN, SENT_ODD, SENT_EVEN_LAST_FIRST, SENT_LISTS };
void neighbors_list_sent(int *sent, const lattice_shape *shape, const ghost_boxes *ghosts);

#endif
