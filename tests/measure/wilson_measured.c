/* wilson_measured.c - the measurement "wilson" for tests. */
#include "tests/measure/wilson_measured.h"

#include "tests/facts.h"

#include <math.h>
#include <stdio.h>

yaml_node *wilson_measured(const gauge *u, const char *keys)
{
    char all[1024];
    snprintf(all, sizeof all, "kind: wilson, residual: 1e-13, %s", keys);
    return measured(u, all);
}

double wilson_spectrum(const yaml_node *tree, int mass, const char *end)
{
    return measured_number(yaml_get(measured_of_mass(tree, mass, "spectrum"), end));
}

void wilson_spectrum_facts(const yaml_node *tree, double smallest, double largest, const char *keys)
{
    const double low = wilson_spectrum(tree, 0, "smallest") / smallest;
    const double high = wilson_spectrum(tree, 0, "largest") / largest;
    fact(low > 1 - 1e-8 && low < 1 + 1e-3, "{ %s } smallest |gamma5 Mhat|, from above (%.7f of %g)", keys, low,
         smallest);
    fact(high < 1 + 1e-8 && high > 1 - 1e-3, "{ %s } largest |gamma5 Mhat|, from below (%.7f of %g)", keys, high,
         largest);
}

double pcac_mass_of(const double *axial, const double *pion, int t, int times)
{
    return (axial[(t + 1) % times] - axial[(t + times - 1) % times]) / (4 * pion[t]);
}

/* |Mhat(p)|^2: with hop(p) = -C + i gamma sin p, C = sum of cos p, T = 4 + m and D = T^2 + mu^2,
 * Mhat = T - T (C^2 - sin^2 p) / D + 2 i T C gamma sin p / D + i mu gamma5 (1 + (C^2 + sin^2 p) / D) */
double wilson_free_mhat2(double mass, double mu, double space, const double p[4])
{
    const double diagonal = 1 + 3 * space + mass, below = diagonal * diagonal + mu * mu;
    double cosines = 0, sines2 = 0;
    for (int nu = 0; nu < 4; nu++) {
        const double weight = nu < 3 ? space : 1;
        cosines += weight * cos(p[nu]);
        sines2 += weight * weight * sin(p[nu]) * sin(p[nu]);
    }
    const double real = diagonal * (1 - (cosines * cosines - sines2) / below);
    const double twist = mu * (1 + (cosines * cosines + sines2) / below), slope = 2 * diagonal * cosines / below;
    return real * real + slope * slope * sines2 + twist * twist;
}
