/* run_anisotropy.c - compares the anisotropies of monomials and measurements. */
#include "src/hmc/run_anisotropy.h"

static double anisotropy_of(const run_params *p, int index)
{
    const monomial_kind *kind = run_monomial_kind(p, index);
    return kind->anisotropy ? kind->anisotropy(run_monomial_params(p, index)) : 1;
}

/* -1: all terms are isotropic */
static int first_anisotropic(const run_params *p)
{
    for (int m = 0; m < run_monomial_count(p); m++)
        if (anisotropy_of(p, m) != 1)
            return m;
    return -1;
}

double run_anisotropy(const run_params *p)
{
    const int first = first_anisotropic(p);
    return first < 0 ? 1 : anisotropy_of(p, first);
}

static bool check_anisotropy(const run_params *p, int index, failure *f)
{
    const int first = first_anisotropic(p);
    const monomial_kind *kind = run_monomial_kind(p, index);
    if (first < 0 || anisotropy_of(p, index) == anisotropy_of(p, first))
        return true;
    const char *name = run_monomial_name(p, first);
    const double xi = anisotropy_of(p, first);
    return kind->anisotropy ? fail(f, "the bare anisotropy xi_0 is %g here and %g in monomial \"%s\", but all terms of "
                                      "the action have the same", anisotropy_of(p, index), xi, name)
                            : fail(f, "monomials of kind %s need an isotropic action, but monomial \"%s\" has xi_0: %g",
                                   kind->input.name, name, xi);
}

bool run_check_monomial(const run_params *p, int index, const lattice_shape *shape, failure *f)
{
    return monomial_check(run_monomial_kind(p, index), run_monomial_params(p, index), shape, f)
           && check_anisotropy(p, index, f);
}

bool run_check_measurement(const run_params *p, int index, const lattice_shape *shape, failure *f)
{
    failure why;
    if (!measurement_check(&p->measurements, index, shape, f)
        || !measurement_takes_action(&p->measurements, index, &p->monomials, shape, f))
        return false;
    const double xi = run_anisotropy(p);
    if (run_monomial_count(p) == 0)              /* links of unknown origin */
        return true;
    if (measurement_takes_anisotropy(&p->measurements, index, xi, &why))
        return true;
    return xi == 1 ? fail(f, "%s, but the action is isotropic", why.why)
                   : fail(f, "%s, but monomial \"%s\" has xi_0: %g", why.why,
                          run_monomial_name(p, first_anisotropic(p)), xi);
}
