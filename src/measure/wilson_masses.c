/* wilson_masses.c - the operator and the solver of a measurement of Wilson quarks, and checks of them. */
#include "src/measure/wilson_masses.h"

#include <math.h>

void wilson_mass_to_json(json *j, const wilson_mass *m)
{
    json_real(j, "mass", wilson_bare_mass(&m->bare));
    json_real(j, "kappa", m->bare.given.kappa ? m->bare.kappa : wilson_kappa(m->bare.mass));
    json_real(j, "mu", m->mu);
}

const wilson_mass *wilson_mass_at(const wilson_quarks *q, size_t mass_size, int index)
{
    return (const void *)((const char *)q->masses.item + (size_t)index * mass_size);
}

clover_operator_params wilson_quarks_operator(const wilson_quarks *q, size_t mass_size, int index[WILSON_MASSES_MAX])
{
    clover_operator_params op = wilson_operator_of(&q->of);
    for (int m = 0; m < q->masses.count; m++) {
        const wilson_mass *mass = wilson_mass_at(q, mass_size, m);
        const int at = clover_operator_add_twisted(&op, wilson_bare_mass(&mass->bare), mass->mu);
        if (index)
            index[m] = at;
    }
    return op;
}

bool wilson_quarks_have_theta(const wilson_quarks *q)
{
    const double *theta = q->of.theta;
    return theta[0] != 0 || theta[1] != 0 || theta[2] != 0;
}

double wilson_quarks_anisotropy(const wilson_quarks *q)
{
    return wilson_operator_xi(&q->of);
}

void wilson_quarks_xi_to_json(json *j, const wilson_quarks *q)
{
    if (wilson_quarks_anisotropy(q) != 1)
        json_real(j, "xi_0", wilson_quarks_anisotropy(q));
}

solver_precision wilson_quarks_solver(const wilson_quarks *q, const lattice_shape *shape)
{
    return dwf_solver_choose((solver_precision)q->solver, false, shape, 1, q->residual);
}

bool wilson_quarks_check(const wilson_quarks *q, size_t mass_size, const lattice_shape *shape, const char *name,
                         failure *f)
{
    failure why;
    if (!stout_params_check(&q->of.stout, &why) || !wilson_operator_check(&q->of, &why)
        || !wilson_boundary_check(&q->of, shape, &why) || !lattice_slabs_are_possible(shape, SLAB_GROUP, &why))
        return fail(f, "%s: %s", name, why.why);
    if (q->masses.count > WILSON_MASSES_MAX)
        return fail(f, "%s: %d masses, but at most %d are allowed", name, q->masses.count, WILSON_MASSES_MAX);
    for (int m = 0; m < q->masses.count; m++) {
        const wilson_mass_input *bare = &wilson_mass_at(q, mass_size, m)->bare;
        if (!wilson_mass_is_given_once(bare))
            return fail(f, "%s: masses.%d: give either mass, which is above -4, or kappa", name, m);
        if (!wilson_diagonal_check(&q->of, wilson_bare_mass(bare), &why))
            return fail(f, "%s: masses.%d: %s", name, m, why.why);
    }
    return true;
}

/* The quark of the action that is compared with a measured quark: with the same mass and the same |mu|, if possible;
 * NULL if the action has no quarks. */
static const quark_count *nearest_quark(const quark_list *action, const quark_count *measured)
{
    const quark_count *nearest = NULL;
    int most = -1;
    for (int i = 0; i < action->count; i++) {
        const quark_count *q = &action->quark[i];
        const int alike = 2 * action_same_bare_mass(q->mass, measured->mass) + (fabs(q->mu) == fabs(measured->mu));
        if (q->flavors > 0 && alike > most) {
            nearest = q;
            most = alike;
        }
    }
    return nearest;
}

void wilson_quarks_compare(const wilson_quarks *q, size_t mass_size, const param_list *monomials, action_listener *emit,
                           void *out)
{
    const quark_list action = action_quarks(monomials, "wilson");
    for (int m = 0; m < q->masses.count; m++) {
        const wilson_mass *mass = wilson_mass_at(q, mass_size, m);
        const quark_count measured = { .mass = wilson_bare_mass(&mass->bare), .mu = mass->mu };
        const quark_count *simulated = nearest_quark(&action, &measured);
        if (simulated && fabs(simulated->mu) != fabs(measured.mu))
            action_report(emit, out, (action_mismatch){ .list = "masses", .index = m, .key = "mu" },
                          "quarks of mass %.10g with mu %.10g are measured, but those of the action have mu %.10g%s; "
                          "give it the mu of the quarks that it measures", measured.mass, measured.mu, simulated->mu,
                          action_same_bare_mass(simulated->mass, measured.mass) ? "" : " at other masses");
    }
}
