/* link_colors.h - the links of one direction in groups that can be updated at once.
 *
 * Two links of one colour are in no loop together, so that the staples of each do not change with the others.  With a
 * link at x in direction mu those at these displacements share a loop (nu, rho: the other directions):
 *     plaquette        +-nu                                  2 colours: the parity of x
 *     rectangle        the same, +-mu, +-2nu, +-mu+-nu       4: (2 x_mu + sum of x_nu) mod 4
 *     parallelogram    the same, +-nu+-rho                   16: (2 x_mu + x_1 + x_3, 2 x_mu + x_2 + x_3) mod 4
 * Four for rectangles are the least there can be: x, x+mu, x+nu, x+mu+nu share a loop each with each.
 *
 * On a periodic lattice these need transverse extents that are multiples of four.  Where one is not (but even, and at
 * least 4), x_nu is replaced by digits 012 012 0123 0123 ... along the line, of which neighbours and next neighbours
 * differ, and the parity of x_mu is a colour of its own: 8 and 32 colours.  At an extent of 2 a rectangle holds a link
 * twice: its action is not linear in the link. */
#ifndef KILN_LATTICE_LINK_COLORS_H
#define KILN_LATTICE_LINK_COLORS_H

#include "src/lattice/lattice.h"

/* The loops of an action: these, and those before. */
typedef enum { LOOPS_PLAQUETTE, LOOPS_RECTANGLE, LOOPS_PARALLELOGRAM } loop_set;

typedef struct { double plaquette, rectangle, parallelogram; } loop_weights;      /* beta/3 c_loop */
loop_set loops_of(const loop_weights *w);

/* False with the reason where a loop holds a link twice. */
bool link_colors_are_possible(const lattice_shape *shape, loop_set loops, failure *f);

/* How many colours the links in direction mu have, and that of the one at a site with these coordinates. */
int link_color_count(const lattice_shape *shape, loop_set loops, int mu);
int link_color_of(const lattice_shape *shape, loop_set loops, int mu, const int coordinate[4]);

/* The sites of each direction and colour, in memory at `where`. */
typedef struct link_colors link_colors;
link_colors *link_colors_create(const lattice *l, place where, loop_set loops);
void link_colors_free(link_colors *c);
size_t link_colors_bytes(const lattice_shape *shape, loop_set loops);

/* The numbers of a range into `sites` (borrowed), to be launched over. */
typedef struct { const int *sites; site_range range; } link_list;
int link_colors_count(const link_colors *c, int mu);
link_list link_colors_list(const link_colors *c, int mu, int color);

#endif
