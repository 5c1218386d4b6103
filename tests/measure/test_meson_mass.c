/* test_meson_mass.c - the mass that runs are watched by: of a cosh in closed form, from both sides of the middle. */
#include "src/measure/meson_mass.h"
#include "tests/facts.h"

#include <math.h>

enum { MOST = 24 };

/* C(t) = A cosh M (T/2 - t) + odd sinh M (T/2 - t): noise that differs between both sides of the middle. */
static double mass_of(double mass, double odd, int times)
{
    double c[MOST];
    for (int t = 0; t < times; t++)
        c[t] = 3 * cosh(mass * (times / 2 - t)) + odd * sinh(mass * (times / 2 - t));
    return meson_mass(c, times);
}

int main(void)
{
    for (int times = 4; times <= MOST; times += 2) {
        fact_close(mass_of(0.4, 0, times), 0.4, 1e-12, "extent %d: the mass of cosh M (T/2 - t)", times);
        fact_close(mass_of(0.4, 0.7, times), 0.4, 1e-12, "extent %d: what is odd about the middle cancels", times);
        fact_close(mass_of(0.4, -0.7, times), 0.4, 1e-12, "whatever its sign");
    }
    fact(isnan(mass_of(0.4, 0, 2)), "an extent of 2 has no mass");
    fact(isnan(meson_mass((const double[]){ 1, 1, 1.1, 1 }, 4)), "nor has a correlator with a maximum in the middle");
    return facts_end();
}
