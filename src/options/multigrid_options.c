/* multigrid_options.c - the extents of a block on a command line. */
#include "src/options/multigrid_options.h"

#include <stdio.h>

bool multigrid_read_block(const char *given, void *value, failure *f)
{
    int *block = value, end = 0;
    bool ok = sscanf(given, "%d,%d,%d,%d%n", &block[0], &block[1], &block[2], &block[3], &end) == 4 && !given[end];
    for (int mu = 0; mu < 4 && ok; mu++)
        ok = block[mu] >= 0 && block[mu] <= MULTIGRID_BLOCK_MAX;
    return ok || fail(f, "\"%s\" are not four extents from 0 (chosen) to %d; an example: 4,4,4,4 (x, y, z, t)", given,
                      MULTIGRID_BLOCK_MAX);
}
