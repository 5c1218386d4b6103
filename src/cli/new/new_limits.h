/* new_limits.h - refuse lattices that are too large for Kiln, with advice on pion mass and box size. */
#ifndef KILN_CLI_NEW_NEW_LIMITS_H
#define KILN_CLI_NEW_NEW_LIMITS_H

#include "src/literature/bare_choice.h"

#include <stdint.h>

/* The largest L below `extent`, a multiple of 8, for which the input on L^3 x volume_time_extent passes kiln check; 0:
 * none. */
int limits_largest(const bare_parameters *b, int extent);

/* Whether the input on this lattice passes kiln check with these parameters.  False with the reason: if a smaller
 * lattice passes, the largest one, and if the pion mass determined the extents (`by_pion`) a pion for which it is large
 * enough. */
bool limits_allow(const int extents[4], const bare_parameters *b, bool by_pion, failure *f);

#endif
