/* staggered_action.c - the operator of staggered quarks in the input. */
#include "actions/staggered_action.h"

static bool read_operator(void *operator_params, const void *input, failure *f)
{
    const staggered_action_input *in = input;
    (void)f;
    *(staggered_operator_params *)operator_params = (staggered_operator_params){
        .links = { .kind = (staggered_kind)in->action, .u0 = in->u0, .projection = (projection_group)in->projection,
                   .boundary = in->boundary + in->imaginary_mu },
        .chain = PRECISION_DOUBLE,
    };
    return true;
}

static dirac_plan plan_operator(const void *operator_params, const void *input)
{
    dirac_plan plan = staggered_operator_plan(operator_params);
    plan.stout = ((const staggered_action_input *)input)->stout;
    return plan;
}

static bool same_operator(const void *one, const void *other)
{
    const staggered_action_input *a = one, *b = other;
    return a->action == b->action && a->projection == b->projection && a->u0 == b->u0 && a->boundary == b->boundary
           && a->imaginary_mu == b->imaginary_mu && stout_params_same(&a->stout, &b->stout);
}

const dirac_parameters staggered_parameters = { read_operator, plan_operator, same_operator, NULL };
