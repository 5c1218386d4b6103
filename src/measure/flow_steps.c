/* flow_steps.c - steps of the gradient flow that are too long, or whose results are too far apart. */
#include "src/measure/flow_steps.h"

#define STABLE 2.5127453                /* root of 1 - z + z^2/2 - z^3/6 = -1 */
#define ROUNDED 1e-3                    /* relative, of a limit with three digits */

/* On an anisotropic lattice loops with links in t have the factor xi^2. */
static double largest_eigenvalue(flow_action action, double xi)
{
    static const double isotropic[] = { [FLOW_WILSON] = 16, [FLOW_SYMANZIK] = 80.0 / 3, [FLOW_ZEUTHEN] = 160.0 / 9 };
    return isotropic[action] * (3 + xi * xi) / 4;
}

double flow_longest_step(flow_action action, double xi)
{
    return STABLE / largest_eigenvalue(action, xi);
}

void flow_steps_advise(text *lines, const char *key, double eps, flow_action action, double xi)
{
    const double limit = flow_longest_step(action, xi);
    if (eps > limit * (1 + ROUNDED))
        text_add(lines, "%s.eps: %g: the flow with action: %s is unstable with steps above %.3g: fluctuations of short "
                        "wavelength grow, and t0, w0 and the charge are wrong; set eps to %.2g or less, or give a "
                        "tolerance, with which the steps adapt\n", key, eps, flow_action_names[action], limit,
                 limit / 2);
}

/* On 8^4 links of the plaquette action at beta 5.9 (w0 = 1.1), a spacing of 0.3 changes w0 by up to 2e-4, 0.4 by 1e-3,
 * 0.5 by 3e-3.  More measurements than FINE up to t_max are for larger w0. */
#define SPACING_MAX 0.3
enum { FINE = 30 };

void flow_spacing_advise(text *lines, const char *key, double spacing, double t_max)
{
    if (spacing > SPACING_MAX * (1 + ROUNDED) && t_max < FINE * spacing)
        text_add(lines, "%s.measure_every: the flow is measured every %g in flow time (measure_every times eps): t0 "
                        "and w0 are interpolated, and can be wrong in the third digit; choose measure_every so that "
                        "this is 0.2 or less\n", key, spacing);
}
