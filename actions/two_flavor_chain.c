/* two_flavor_chain.c - split a determinant of two flavors by intermediate masses. */
#include "actions/two_flavor_chain.h"

#include <math.h>
#include <string.h>

/* Whether, at the same mass, |mu| grows, or rho at the same mu. */
static bool twist_ascends(dirac_twist from, dirac_twist to)
{
    return to.mu == from.mu ? to.rho > from.rho : fabs(to.mu) > fabs(from.mu);
}

/* Whether both matrices differ only by a constant. */
static bool has_one_derivative(const quark_factor_plan *p, const dirac_plan *d)
{
    const dirac_kind *kind = d->kind;
    return !p->alone && kind->blocks && kind->blocks(d, p->light) == kind->blocks(d, p->heavy);
}

bool quark_factor_list_add(quark_factor_list *list, quark_ratio ratio, int number, failure *f)
{
    const dirac_twist from = ratio.light.twist, to = ratio.heavy.twist;
    const double light = ratio.light.mass, heavy = ratio.heavy.mass;
    quark_factor_plan factor = ratio.factor;
    const bool same_mass = !factor.alone && heavy == light, ascends = twist_ascends(from, to);
    failure why;
    if (*list->count == QUARK_FACTORS_MAX)
        return fail(f, "determinants.%d: more than %d factors", number, QUARK_FACTORS_MAX);
    if (same_mass && !ascends && to.mu != from.mu)
        return fail(f, "determinants.%d: |mu| must ascend at the same mass, up to the last denominator, but mu = %g is "
                    "followed by %g", number, from.mu, to.mu);
    if (same_mass && !ascends && (to.rho != 0 || from.rho != 0))
        return fail(f, "determinants.%d: rho must ascend at the same mass, up to the last denominator, but %g is "
                    "followed by %g", number, from.rho, to.rho);
    if (!factor.alone && (heavy < light || (same_mass && !ascends)))
        return fail(f, "determinants.%d: masses must ascend, up to the last denominator, but %g is followed by %g",
                    number, light, heavy);
    factor.light = list->add(list->operator_params, ratio.light);
    factor.heavy = factor.alone ? factor.light : list->add(list->operator_params, ratio.heavy);
    factor.one_derivative = has_one_derivative(&factor, list->d);
    factor.first_draw = (uint32_t)*list->count * QUARK_FACTOR_DRAWS;
    if (factor.kind->check && !factor.kind->check(&factor, list->d, &why))
        return fail(f, "determinants.%d: %s", number, why.why);
    list->factor[(*list->count)++] = factor;
    return true;
}

/* Adds the factor whose denominator is the intermediate mass `hasenbusch`; faults are reported at this mass. */
static bool add_link(quark_factor_list *list, quark_ratio ratio, int number, int hasenbusch, failure *f)
{
    failure why;
    return quark_factor_list_add(list, ratio, number, &why)
           || fail(f, "determinants.%d.hasenbusch.%d%s", number, hasenbusch, strchr(why.why, ':'));
}

bool quark_factor_list_add_chain(quark_factor_list *list, quark_ratio ratio, const two_flavor_chain *chain, int number,
                                 failure *f)
{
    const intermediate_mass *h = chain->masses.item;
    const quark_mass heavy = ratio.heavy;
    const bool alone = ratio.factor.alone;
    const role_values of_determinant = ratio.factor.residual;
    ratio.factor.alone = false;
    for (int i = 0; i < chain->masses.count; i++) {
        ratio.heavy.mass = chain->mass_of(&h[i], chain->params);
        ratio.heavy.twist = (dirac_twist){ chain->needs_mu || h[i].given.mu ? h[i].mu : ratio.light.twist.mu,
                                           h[i].rho };
        if (!add_link(list, ratio, number, i, f))
            return false;
        ratio.light = ratio.heavy;
        ratio.factor.residual = role_values_or(h[i].residual, of_determinant);
    }
    ratio.heavy = heavy;
    ratio.factor.alone = alone;
    return quark_factor_list_add(list, ratio, number, f);
}
