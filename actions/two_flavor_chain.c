/* two_flavor_chain.c - split a determinant of two flavours by intermediate masses. */
#include "actions/two_flavor_chain.h"

#include <math.h>
#include <string.h>

/* At the same mass: mu must grow, or at the same mu rho. */
static bool twist_ascends(dirac_twist from, dirac_twist to)
{
    return to.mu == from.mu ? to.rho > from.rho : fabs(to.mu) > fabs(from.mu);
}

bool quark_factor_list_add(quark_factor_list *list, quark_factor_plan factor, int number, failure *f)
{
    const dirac_twist from = factor.twist, to = factor.heavy_twist;
    const bool same_mass = !factor.alone && factor.heavy == factor.mass, ascends = twist_ascends(from, to);
    failure why;
    if (*list->count == QUARK_FACTORS_MAX)
        return fail(f, "determinants.%d: more than %d factors", number, QUARK_FACTORS_MAX);
    if (same_mass && !ascends && to.mu != from.mu)
        return fail(f, "determinants.%d: mu must ascend at the same mass, up to the last denominator, but %g is "
                    "followed by %g", number, from.mu, to.mu);
    if (same_mass && !ascends && (to.rho != 0 || from.rho != 0))
        return fail(f, "determinants.%d: rho must ascend at the same mass, up to the last denominator, but %g is "
                    "followed by %g", number, from.rho, to.rho);
    if (!factor.alone && (factor.heavy < factor.mass || (same_mass && !ascends)))
        return fail(f, "determinants.%d: masses must ascend, up to the last denominator, but %g is followed by %g",
                    number, factor.mass, factor.heavy);
    factor.one_derivative = same_mass && to.mu == from.mu && !list->d->kind->rho_in_blocks;
    factor.first_draw = (uint32_t)*list->count * QUARK_FACTOR_DRAWS;
    if (factor.kind->check && !factor.kind->check(&factor, list->d, &why))
        return fail(f, "determinants.%d: %s", number, why.why);
    list->factor[(*list->count)++] = factor;
    return true;
}

/* The factor whose denominator is an intermediate mass: a fault is reported there. */
static bool add_link(quark_factor_list *list, quark_factor_plan factor, int number, int hasenbusch, failure *f)
{
    failure why;
    return quark_factor_list_add(list, factor, number, &why)
           || fail(f, "determinants.%d.hasenbusch.%d%s", number, hasenbusch, strchr(why.why, ':'));
}

bool quark_factor_list_add_chain(quark_factor_list *list, quark_factor_plan factor, const two_flavor_chain *chain,
                                 int number, failure *f)
{
    const intermediate_mass *h = chain->masses.item;
    const double heavy = factor.heavy;
    const dirac_twist heavy_twist = factor.heavy_twist;
    const bool alone = factor.alone;
    const role_values of_determinant = factor.residual;
    factor.alone = false;
    for (int i = 0; i < chain->masses.count; i++) {
        factor.heavy = chain->mass_of(&h[i], chain->params);
        factor.heavy_twist = (dirac_twist){ h[i].given.mu ? h[i].mu : factor.twist.mu, h[i].rho };
        if (!add_link(list, factor, number, i, f))
            return false;
        factor.mass = factor.heavy;
        factor.twist = factor.heavy_twist;
        factor.residual = role_values_or(h[i].residual, of_determinant);
    }
    factor.heavy = heavy;
    factor.heavy_twist = heavy_twist;
    factor.alone = alone;
    return quark_factor_list_add(list, factor, number, f);
}
