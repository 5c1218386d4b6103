/* probe_theta.c - phases at the boundaries in space from a command line. */
#include "src/probe/probe_theta.h"

#include "actions/wilson_operator.h"

#include <math.h>
#include <stdio.h>

bool probe_theta_read(const char *given, void *value, failure *f)
{
    double *theta = value;
    int end = 0;
    bool ok = sscanf(given, "%lf,%lf,%lf%n", &theta[0], &theta[1], &theta[2], &end) == 3 && !given[end];
    for (int k = 0; ok && k < 3; k++)
        ok = fabs(theta[k]) <= WILSON_THETA_MAX;
    return ok || fail(f, "\"%s\" are not three phases from -%d to %d; an example: 0.5,0,0 (x, y, z)", given,
                      WILSON_THETA_MAX, WILSON_THETA_MAX);
}
