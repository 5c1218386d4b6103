/* wilson_operator.c - the operator of Wilson quarks and their masses in the input. */
#include "actions/wilson_operator.h"

clover_operator_params wilson_operator_of(const wilson_operator_input *in)
{
    return (clover_operator_params){ .boundary = quark_boundary_of(in->boundary, in->theta), .c_sw = in->c_sw,
                                     .kind = (clover_kind)in->clover, .form = (clover_form)in->even_odd };
}

dirac_plan wilson_operator_plan(const clover_operator_params *op, const wilson_operator_input *in)
{
    dirac_plan plan = clover_operator_plan(op);
    plan.stout = in->stout;
    return plan;
}

bool wilson_operator_same(const wilson_operator_input *a, const wilson_operator_input *b)
{
    bool same = a->boundary == b->boundary && a->c_sw == b->c_sw && (a->c_sw == 0 || a->clover == b->clover)
                && stout_params_same(&a->stout, &b->stout);
    for (int k = 0; k < 3; k++)
        same = same && a->theta[k] == b->theta[k];
    return same;
}

double wilson_kappa(double mass)
{
    return 1 / (2 * (4 + mass));
}

double wilson_mass_of_kappa(double kappa)
{
    return 1 / (2 * kappa) - 4;
}

double wilson_bare_mass(const wilson_mass_input *m)
{
    return m->given.kappa ? wilson_mass_of_kappa(m->kappa) : m->mass;
}

bool wilson_mass_is_given_once(const wilson_mass_input *m)
{
    return m->given.mass != m->given.kappa;
}
