/* flow_reach.c - flow times that a lattice holds, and a warning about those that it does not. */
#include "src/measure/flow_reach.h"

#include <math.h>

#define ROUNDED 1e-3                    /* relative, of a limit with four digits */

double flow_limit(double extent)
{
    const double half = 0.5 * extent;
    return half * half / 8;
}

bool flow_exceeds(double t, double limit)
{
    return t > limit * (1 + ROUNDED);
}

double flow_least_extent(int *direction, const int extents[4], double xi)
{
    double least = INFINITY;
    for (int mu = 0; mu < 4; mu++) {
        const double extent = mu < 3 ? extents[mu] : extents[mu] / xi;
        if (extent < least) {
            least = extent;
            *direction = mu;
        }
    }
    return least;
}

void flow_reach_advise(text *lines, const char *key, double t_max, double xi, const int extents[4])
{
    static const char directions[] = "xyzt";
    int least;
    const double extent = flow_least_extent(&least, extents, xi), limit = flow_limit(extent);
    if (!flow_exceeds(t_max, limit))
        return;
    text_add(lines, "%s.t_max: %g: the smoothing radius sqrt(8 t_max) = %.3g exceeds half of the extent %d in %c", key,
             t_max, sqrt(8 * t_max), extents[least], directions[least]);
    if (least == 3 && xi != 1)
        text_add(lines, ", which is %g in units of a_s (xi = %g)", extent, xi);
    text_add(lines, ", so that the flow smooths around the lattice, and scales and charges from flow times above %.4g "
                    "are not those of a large volume; set t_max to %.4g or less, or use a larger lattice\n", limit,
             limit);
}
