/* flow_steps.h - steps of the gradient flow that are too long, or whose results are too far apart.
 *
 *     dA/dt = -K A to first order in the fields.  The largest eigenvalue of K, at momentum (pi, pi, pi, pi), is
 *     wilson 16,   symanzik_tree 5/3 16,   zeuthen 2/3 5/3 16
 *
 * Luescher's third-order scheme multiplies a mode of K by 1 - z + z^2/2 - z^3/6 with z = eps K, which is at most 1 in
 * size up to z = 2.5127: with longer steps such modes grow.  tests/measure/test_flow_steps has this mode. */
#ifndef KILN_MEASURE_FLOW_STEPS_H
#define KILN_MEASURE_FLOW_STEPS_H

#include "src/base/text.h"
#include "src/measure/gauge_flow.h"

/* The longest stable step of the action; `xi`: a_s/a_t, 1 on isotropic lattices. */
double flow_longest_step(flow_action action, double xi);

/* Append a line, which begins with `key`, if fixed steps of eps are unstable. */
void flow_steps_advise(text *lines, const char *key, double eps, flow_action action, double xi);

/* The same if t0 and w0, which are interpolated, can be wrong in the third digit, because measurements at flow times up
 * to t_max are `spacing` apart. */
void flow_spacing_advise(text *lines, const char *key, double spacing, double t_max);

#endif
