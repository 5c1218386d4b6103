/* test_naik_epsilon.c - the series of naik_epsilon: auto against the tree level.
 *
 * A free quark at rest has the energy E with m = s (1 - k s^2), s = sinh E, k = (1 + epsilon)/6.  With dE^2/dp^2 = 1
 *
 *     1 + epsilon = (4 - 2 sqrt(1 + 3 E / (s cosh E))) / s^2                 (Follana et al., hep-lat/0610092) */
#include "src/operators/staggered_links.h"
#include "tests/facts.h"

#include <math.h>

static double epsilon_of_energy(double e)
{
    return (4 - 2 * sqrt(1 + 3 * e / (sinh(e) * cosh(e)))) / pow(sinh(e), 2) - 1;
}

/* m^2 of the quark whose energy at the momentum p in one direction is e. */
static double mass_squared(double e, double p, double epsilon)
{
    const double k = (1 + epsilon) / 6;
    return pow(sinh(e) * (1 - k * pow(sinh(e), 2)), 2) - pow(sin(p) * (1 + k * pow(sin(p), 2)), 2);
}

/* Its inverse; epsilon NAN: that of each energy. */
static double energy_of_mass(double mass, double p, double epsilon)
{
    double low = 0, high = 1.1;                        /* up to this energy m grows */
    for (int i = 0; i < 100; i++) {
        const double e = (low + high) / 2;
        if (mass_squared(e, p, isnan(epsilon) ? epsilon_of_energy(e) : epsilon) < mass * mass)
            low = e;
        else
            high = e;
    }
    return low;
}

/* The expansion of epsilon in the energy, for comparison. */
static double series_in_energy(double e)
{
    const double e2 = e * e;
    return e2 * (-27.0 / 40 + e2 * (327.0 / 1120 + e2 * (-5843.0 / 53760 + e2 * 153607.0 / 3942400)));
}

int main(void)
{
    static const double masses[] = { 0.2, 0.4, 0.6, 0.838 };
    double worst = 0, worst_in_energy = 0, slope = 0;
    for (int i = 0; i < 4; i++) {
        const double m = masses[i], p = 1e-3, e = energy_of_mass(m, 0, NAN), exact = epsilon_of_energy(e);
        const double moving = energy_of_mass(m, p, exact);
        slope = worse(slope, fabs((moving * moving - e * e) / (p * p) - 1));
        worst = worse(worst, fabs(naik_epsilon_of_mass(m) - exact) / pow(m, 10));
        worst_in_energy = worse(worst_in_energy, fabs(series_in_energy(e) - exact) / pow(e, 10));
    }
    fact_close(slope, 0, 1e-5, "with the epsilon of the tree level, a slow free quark has E^2 = m_pole^2 + p^2");
    fact_close(worst, 0, 0.02, "the series in the bare mass differs from it by less than 0.02 m^10");
    fact_close(worst_in_energy, 0, 0.02, "the series in the pole mass by less than 0.02 of its tenth power");
    fact_close(epsilon_of_energy(energy_of_mass(0.838, 0, NAN)), -0.3522, 5e-5, "at m = 0.838 it is -0.3522");
    fact_close(naik_epsilon_of_mass(0.838), -0.3547, 5e-5, "and the series -0.3547");
    return facts_end();
}
