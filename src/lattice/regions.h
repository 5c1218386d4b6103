/* regions.h - the sites of a hop that read no ghosts, and the others.
 *
 * During an exchange of ghosts a kernel may work on the interior: the sites whose neighbors within `reach` hops are on
 * this rank.  The other sites are the boundary.  Both are ranges of whole slices in z and t, because lattices are split
 * in these directions first; there are no regions if x or y is split. */
#ifndef KILN_LATTICE_REGIONS_H
#define KILN_LATTICE_REGIONS_H

#include "src/lattice/shape.h"
#include "src/site/view.h"

/* boundary[0 .. boundaries - 1]: both ends in t; the lower end and the upper end in z of the other time slices. */
enum { BOUNDARIES = 3 };
typedef struct { site_range interior, boundary[BOUNDARIES]; int boundaries; } hop_regions;

/* *r <- the regions of the sites of parity 0 or 1, for hops of up to `reach` >= 1 sites.  False if there are no
 * regions: neither z nor t is split, x or y is split, or no site is in the interior. */
bool hop_regions_of(hop_regions *r, const lattice_shape *shape, int parity, int reach);

#endif
