/* flow_reach.c - flow times that a lattice holds, and a warning about those that it does not. */
#include "src/measure/flow_reach.h"

#include <math.h>

#define ROUNDED 1e-3                    /* the limit is printed with four digits */

double flow_limit(double extent)
{
    const double half = 0.5 * extent;
    return half * half / 8;
}

void flow_reach_advise(text *lines, const char *key, double t_max, double xi, const int extents[4])
{
    static const char directions[] = "xyzt";
    int least = 0;
    double extent[4];
    for (int mu = 0; mu < 4; mu++) {
        extent[mu] = mu < 3 ? extents[mu] : extents[mu] / xi;
        if (extent[mu] < extent[least])
            least = mu;
    }
    const double limit = flow_limit(extent[least]);
    if (t_max <= limit * (1 + ROUNDED))
        return;
    text_add(lines, "%s.t_max: %g: the smoothing radius sqrt(8 t_max) = %.3g exceeds half of the extent %d in %c", key,
             t_max, sqrt(8 * t_max), extents[least], directions[least]);
    if (least == 3 && xi != 1)
        text_add(lines, ", which is %g in units of a_s (xi = %g)", extent[least], xi);
    text_add(lines, ", so that the flow smooths around the lattice, and scales and charges from flow times above %.4g "
                    "are not those of a large volume; set t_max to %.4g or less, or use a larger lattice\n", limit,
             limit);
}
