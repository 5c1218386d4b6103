/* dwf_action.c - the operator of domain-wall quarks in the input. */
#include "actions/dwf_action.h"

enum { CONVENTION_RBC, CONVENTION_CHIU };
const char *const dwf_conventions[] = { "rbc", "chiu", NULL };

double dwf_mass_of(double mass, const dwf_action_input *in)
{
    return in->mass_convention == CONVENTION_CHIU ? dwf_mass_of_chiu(mass, in->M5) : mass;
}

double dwf_mass_as_given(double mass, const dwf_action_input *in)
{
    return in->mass_convention == CONVENTION_CHIU ? dwf_chiu_mass_of(mass, in->M5) : mass;
}

static bool read_operator(void *operator_params, const void *input, failure *f)
{
    const dwf_action_input *in = input;
    dwf_operator_params *op = operator_params;
    const dwf_weights_params weights = { .kind = in->action, .Ls = (int)in->Ls, .M5 = in->M5, .b = in->b, .c = in->c,
                                         .scale = in->scale, .lambda_min = in->lambda_min,
                                         .lambda_max = in->lambda_max };
    *op = (dwf_operator_params){ .boundary = in->boundary ? -1 : 1 };
    return dwf_weights_make(&op->weights, &weights, f);
}

static dirac_plan plan_operator(const void *operator_params, const void *input)
{
    dirac_plan plan = dwf_operator_plan(operator_params);
    plan.stout = ((const dwf_action_input *)input)->stout;
    return plan;
}

static bool same_operator(const void *one, const void *other)
{
    const dwf_action_input *a = one, *b = other;
    return a->action == b->action && a->Ls == b->Ls && a->M5 == b->M5 && a->b == b->b && a->c == b->c
           && a->scale == b->scale && a->lambda_min == b->lambda_min && a->lambda_max == b->lambda_max
           && a->boundary == b->boundary && a->mass_convention == b->mass_convention
           && stout_params_same(&a->stout, &b->stout);
}

/* "b = 1.5, c = 0.5"; for optimal weights all of them and the error of the approximated sign function S. */
static void describe(text *lines, const void *input)
{
    const dwf_action_input *in = input;
    const bool symmetric = in->action == DWF_OPTIMAL_SYMMETRIC;
    dwf_operator_params op;
    if (!read_operator(&op, in, NULL))
        return;
    const dwf_weights *w = &op.weights;
    text_add(lines, "%d slices, ", w->Ls);
    if (in->action != DWF_OPTIMAL && !symmetric) {
        text_add(lines, "b = %.6g, c = %.6g\n", w->b[0], w->c[0]);
        return;
    }
    text_add(lines, "b = c =");
    for (int s = 0; s < w->Ls; s++)
        text_add(lines, " %.6g", w->b[s]);
    const double d = dwf_zolotarev_deviation(w->Ls, in->lambda_min, in->lambda_max);
    const double largest = symmetric ? 2 * d / (1 + d) : d;
    text_add(lines, "\n|1 - S| at most %.3g for |gamma5 Dw| from %g to %g\n", largest, in->lambda_min,
             in->lambda_max);
}

const dirac_parameters dwf_parameters = { read_operator, plan_operator, same_operator, describe };
