/* link_colors.h - the links of one direction in groups ("colors") that can be updated at once.
 *
 * No loop contains two links of the same color, so the staples of a link do not depend on other links of its
 * color.  The links in direction mu at these displacements share a loop with the link at x (nu, rho: the other
 * directions; x_1, x_2, x_3: the coordinates in them):
 *     plaquette        +-nu                                  2 colors: the parity of x
 *     rectangle        the same, +-mu, +-2nu, +-mu+-nu       4: (2 x_mu + sum of x_nu) mod 4
 *     parallelogram    the same, +-nu+-rho                   16: (2 x_mu + x_1 + x_3, 2 x_mu + x_2 + x_3) mod 4
 * Rectangles need at least four colors: any two of the links at x, x+mu, x+nu, x+mu+nu share a loop.
 *
 * On a periodic lattice these colors need transverse extents that are multiples of four.  If an extent is not (but
 * even and at least 4), the digits 012 012 0123 0123 ... along the line replace x_nu; neighbors and next neighbors
 * have different digits.  The color then also depends on the parity of x_mu: 8 colors for rectangles, 32 for
 * parallelograms.  At an extent of 2 a rectangle contains a link twice, so its trace is not linear in the link. */
#ifndef KILN_GAUGE_LINK_COLORS_H
#define KILN_GAUGE_LINK_COLORS_H

#include "src/gauge/loop_weights.h"
#include "src/lattice/lattice.h"

/* The kinds of loops in an action: each value includes the values before it. */
typedef enum { LOOPS_PLAQUETTE, LOOPS_RECTANGLE, LOOPS_PARALLELOGRAM } loop_set;

loop_set link_colors_loops(const loop_weights *w);             /* from the coefficients that are not 0 */

/* False, with the reason, if a loop contains a link twice. */
bool link_colors_are_possible(const lattice_shape *shape, loop_set loops, failure *f);

/* The number of colors of the links in direction mu; the color, from 0 on, of the link at a site (global
 * coordinates). */
int link_colors_count_for(const lattice_shape *shape, loop_set loops, int mu);
int link_colors_color_of(const lattice_shape *shape, loop_set loops, int mu, const int coordinate[4]);

/* The local sites of each direction and color, in memory at `where`; without inactive links. */
typedef struct link_colors link_colors;
link_colors *link_colors_create(const lattice *l, place where, loop_set loops);
void link_colors_free(link_colors *c);
size_t link_colors_bytes(const lattice_shape *shape, loop_set loops);

/* sites: borrowed site indices; range: of indices into `sites`, for a launch over these sites.  link_colors_count: the
 * same number as link_colors_count_for. */
typedef struct { const int *sites; site_range range; } link_list;
int link_colors_count(const link_colors *c, int mu);
link_list link_colors_list(const link_colors *c, int mu, int color);

#endif
