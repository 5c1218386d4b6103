/* gauge_flow.c - the third-order Runge-Kutta scheme of the gradient flow.
 *
 *     W1 = exp(eps Z0/4) W0,   W2 = exp(eps (8/9 Z1 - 17/36 Z0)) W1,   W3 = exp(eps (3/4 Z2 - 8/9 Z1 + 17/36 Z0)) W2
 *
 * M. Luescher, arXiv:1006.4518, appendix C.  The exponents are 1/4, -17/36 and 17/36 times
 *     P0 = Z0,   P1 = P0 - 32/17 Z1,   P2 = P1 + 27/17 Z2,
 * so that one momentum field, which forces are added to, is all the memory of a step. */
#include "src/measure/gauge_flow.h"

#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/lattice/kernels.h"

const char *const flow_action_names[] = { "wilson", "symanzik_tree", NULL };

static const struct { double force, drift; } stages[] = {
    { 1, 1.0 / 4 },
    { -32.0 / 17, -17.0 / 36 },
    { 27.0 / 17, 17.0 / 36 },
};
enum { STAGES = sizeof stages / sizeof *stages };

struct gauge_flow {
    monomial *action;
    momentum *p;
    sum_cell *size;                 /* what the force tells of its size: not of interest here */
};

static gauge_params params_of(flow_action action)
{
    return (gauge_params){ .action = gauge_action_find(flow_action_names[action]), .beta = FLOW_BETA };
}

gauge_flow *gauge_flow_create(flow_action action, const gauge *u)
{
    gauge_flow *g = memory_alloc(sizeof *g, "a gradient flow");
    gauge_params params = params_of(action);
    g->action = gauge_monomial.create(&params, u);
    g->p = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    g->size = sum_cells_create(u->links.where, FORCE_CELLS);
    return g;
}

void gauge_flow_free(gauge_flow *g)
{
    if (!g)
        return;
    sum_cells_free(g->size, g->p->f.where);
    momentum_free(g->p);
    monomial_free(g->action);
    memory_free(g);
}

size_t gauge_flow_bytes(flow_action action, const int extents[4])
{
    gauge_params params = params_of(action);
    return field_bytes(extents, PRECISION_DOUBLE, MOMENTUM_REALS) + FORCE_CELLS * sizeof(sum_cell)
           + gauge_monomial.bytes(&params, extents);
}

bool gauge_flow_step(gauge_flow *g, gauge *v, double eps, failure *f)
{
    monomial_call call = { .clock = NULL };
    sum_cells_zero(g->size, v->links.where, FORCE_CELLS);
    momentum_zero(g->p);
    for (int s = 0; s < STAGES; s++) {
        if (!monomial_add_force(g->action, v, g->p, stages[s].force, g->size, &call))
            return fail(f, "%s", call.trouble.why);
        gauge_drift(v, stages[s].drift * eps, g->p);
    }
    return true;
}
