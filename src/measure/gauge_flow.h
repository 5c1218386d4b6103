/* gauge_flow.h - the gradient flow of the links, step by step.
 *
 *     dV/dt = Z V,   Z = -g0^2 dS/dV
 *
 * M. Luescher, arXiv:1006.4518; his S = (2/g0^2) sum over plaquettes of Re Tr (1 - P) is a gauge action with
 * beta/3 = 2/g0^2, and -dS/dV in his basis, Tr T_a T_b = -1/2, is half the force of that action in Kiln's unit
 * (docs/conventions.md: F = -2 i sum_a T_a D_a S).  So Z is the force of beta = 3, for Wilson's action and for every
 * action with c_plaq + 8 c_rect = 1; and dS/dt = -sum Tr Z^+Z <= 0 for the action S with this beta. */
#ifndef KILN_MEASURE_GAUGE_FLOW_H
#define KILN_MEASURE_GAUGE_FLOW_H

#include "src/base/error.h"
#include "src/gauge/gauge.h"

/* FLOW_ZEUTHEN: Z = (1 + D_mu/12) times the force of the tree-level Symanzik action, D_mu the covariant second
 * difference in direction mu (kernels/zeuthen_force.c). */
typedef enum { FLOW_WILSON, FLOW_SYMANZIK, FLOW_ZEUTHEN } flow_action;
extern const char *const flow_action_names[];               /* "wilson", "symanzik_tree", "zeuthen", NULL */
#define FLOW_BETA 3.0

/* On an anisotropic lattice with a_s/a_t = xi, flow times are in units of a_s^2: loops with links in t have the factor
 * xi^2 in S, and the force on links in t, which are shorter, has the factor 1/xi^2 (S. Borsanyi et al.,
 * arXiv:1205.0781).  So weak waves decay with the rate khat_x^2 + khat_y^2 + khat_z^2 + xi^2 khat_t^2. */

typedef enum { FLOW_FIXED, FLOW_ADAPTIVE } flow_steps;

typedef struct gauge_flow gauge_flow;

/* Memory for steps of links like `u`; FLOW_ADAPTIVE: also for gauge_flow_adapt. */
gauge_flow *gauge_flow_create(flow_action action, flow_steps steps, const gauge *u);
gauge_flow *gauge_flow_create_anisotropic(flow_action action, double xi, flow_steps steps, const gauge *u);
void gauge_flow_free(gauge_flow *g);
memory_need gauge_flow_bytes(flow_action action, flow_steps steps, const lattice_shape *shape);

/* Flow from t to t + eps, to third order in eps.  False if a force is not finite. */
bool gauge_flow_step(gauge_flow *g, gauge *v, double eps, failure *f);

/* Adaptive steps, with the largest length that the tolerance allows. */
typedef struct {
    double tolerance;               /* of a step: the largest |V - V'| of a link, V' the links of second order */
    double eps;                     /* the next trial step */
    int64_t steps, refused;         /* accepted steps; trial steps that were too long and repeated */
} flow_stride;

/* Flow from t to t + time, in steps that are at most stride->eps long and meet the tolerance.  The steps depend on
 * links and stride only, bit for bit.  False if a force is not finite or no step meets the tolerance. */
bool gauge_flow_adapt(gauge_flow *g, gauge *v, double time, flow_stride *stride, failure *f);

#endif
