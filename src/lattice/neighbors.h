/* neighbors.h - tables of indices (site/view.h): the neighbors of each site, and the sites that are ghosts of other
 * ranks. */
#ifndef KILN_LATTICE_NEIGHBORS_H
#define KILN_LATTICE_NEIGHBORS_H

#include "src/lattice/ghosts.h"

/* Tables of neighbors: 1 and 3 sites away, up and down, in four directions. */
enum { NEIGHBORS = 16 };

/* The index of a site of this rank; its coordinates are counted from the first site of the rank. */
int neighbors_site(const lattice_shape *shape, const int coordinate[4]);

/* table[NEIGHBORS][indices from the least even ghost to the largest odd ghost]: up[0..3], down[0..3], up3[0..3],
 * down3[0..3].  A neighbor that has no memory here is replaced by the first site of its parity. */
void neighbors_fill(int *table, const lattice_shape *shape, const ghost_boxes *ghosts);

/* sent[SENT_LISTS][ghosts of all boxes]: lattice_sent_sites (lattice.h) */
enum { SENT_EVEN, SENT_ODD, SENT_EVEN_LAST_FIRST, SENT_LISTS };
void neighbors_list_sent(int *sent, const lattice_shape *shape, const ghost_boxes *ghosts);

#endif
