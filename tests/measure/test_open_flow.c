/* test_open_flow.c - gradient flow and densities with open boundaries in time: weak waves, in closed form.
 *
 * Links exp(i A_mu(x) H) with weak A_1(x) = a cos(p x_0) cos(q x_3), q = pi n / (T - 1), obey the linear flow
 * dA/dt = lattice Laplacian of A, with a Neumann condition at slices 0 and T - 1: the weight 1/2 of their plaquettes
 * and the factor 2 of their derivative make them points like others.  The wave decays as exp(-t (phat^2 + qhat^2)). */
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/rng.h"
#include "src/measure/gauge_flow.h"
#include "src/measure/slice_densities.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/measure/abelian_field.h"
#include "tests/on_every_backend.h"

#include <math.h>

static const int extents[4] = { 6, 4, 4, 10 };
static int number_in_space, number_in_time;

static double momentum_in_space(void) { return 2 * M_PI * number_in_space / extents[0]; }
static double momentum_in_time(void) { return M_PI * number_in_time / (extents[3] - 1); }

static double wave(const int x[4], int mu, double amplitude)
{
    return mu == 1 ? amplitude * cos(momentum_in_space() * x[0]) * cos(momentum_in_time() * x[3]) : 0;
}

static double hat2(double p)
{
    return 4 * pow(sin(p / 2), 2);
}

static void waves(lattice *l, place where)
{
    const double amplitude = 1e-5, time = 0.5;
    for (number_in_space = 0; number_in_space < 3; number_in_space++)
        for (number_in_time = 0; number_in_time < extents[3]; number_in_time += 3) {
            failure f;
            gauge *u = abelian_gauge(l, where, wave, amplitude);
            gauge_flow *g = gauge_flow_create(FLOW_WILSON, FLOW_ADAPTIVE, u);
            flow_stride stride = { .tolerance = 1e-12, .eps = 0.01 };
            require(gauge_flow_adapt(g, u, time, &stride, &f), "%s", f.why);
            const double rate = hat2(momentum_in_space()) + hat2(momentum_in_time());
            fact_close(abelian_off_wave(u, wave, amplitude, exp(-time * rate)), 0, 1e-6, "%s: a wave (%d, %d) decays "
                       "as exp(-%.4g t), at the ends too", place_name(where), number_in_space, number_in_time, rate);
            gauge_flow_free(g);
            gauge_free(u);
        }
}

/* B in the planes xz and zt is constant where links are active. */
static void constant_field(lattice *l, place where)
{
    const double space = abelian_flux(extents, 0), in_time = abelian_flux(extents, 3);
    gauge *u = abelian_constant_flux(l, where);
    slice_densities *s = slice_densities_create(extents[3]);
    slice_densities_measure(s, u);
    const double energy = 2 * (pow(sin(space), 2) + pow(sin(in_time), 2));
    double off = 0, charge = 0;
    for (int t = 0; t < extents[3]; t++) {
        const bool inside = t > 0 && t < extents[3] - 1;
        off = worse(off, fabs(s->energy[t] - (inside ? energy : 0)));
        off = worse(off, fabs(s->plaquette_energy[t] - (inside ? 4 * (2 - cos(space) - cos(in_time)) : 0)));
        charge += s->charge[t];
    }
    fact_close(off, 0, 1e-13, "%s: the energy of a constant field in every slice but the first and the last",
               place_name(where));
    const field_strength_means whole = gauge_field_strength(u);
    fact_close(whole.energy, energy, 1e-13, "%s: and as a mean over these slices", place_name(where));
    fact_close(whole.charge, charge, 1e-13, "%s: the charge is the sum of those of slices", place_name(where));
    slice_densities_free(s);
    gauge_free(u);
}

/* Fluxes through xy and zt: a charge in every slice. */
static double parallel_fluxes(const int x[4], int mu, double b)
{
    switch (mu) {
    case 0:  return x[0] == extents[0] - 1 ? -b * extents[0] * x[1] : 0;
    case 1:  return b * x[0];
    case 3:  return 0.1 * x[2];
    default: return 0;
    }
}

static void charge_of_slices(lattice *l, place where)
{
    const double b = 2 * M_PI / (extents[0] * extents[1]);
    gauge *u = abelian_gauge(l, where, parallel_fluxes, b);
    slice_densities *s = slice_densities_create(extents[3]);
    slice_densities_measure(s, u);
    /* F_23 is -0.1 but for the layers at the end of z, where the angle jumps by 0.1 times the extent */
    const int jump = extents[2] - 1;
    const double smooth = (extents[2] - 2) * sin(0.1), around = sin(0.1) - sin(0.1 * jump);
    const double want = 2 * sin(b) * (smooth + around) * extents[0] * extents[1] / (4 * M_PI * M_PI);
    fact_close(fabs(s->charge[3]), fabs(want), 1e-13, "%s: the charge of a slice with two fluxes, %.5g",
               place_name(where), want);
    fact_close(s->charge[3], s->charge[extents[3] - 2], 1e-15, "%s: is that of every slice inside", place_name(where));
    fact(s->charge[0] == 0 && s->charge[extents[3] - 1] == 0, "%s: and 0 in the first and the last", place_name(where));
    slice_densities_free(s);
    gauge_free(u);
}

/* The action of the flow falls, and its total derivative is that of the equation: dS/dt = -sum over links of
 * (Z, Z) / g, with twice the derivative on the links in space of the first and the last slice. */
static void rough_field(lattice *l, place where)
{
    double *links = analytic_links(extents, 1.0);
    failure f;
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_import(u, links);
    gauge_flow *g = gauge_flow_create(FLOW_WILSON, FLOW_FIXED, u);
    const time_weights w = time_weights_open(0.5);
    double before = gauge_weighted_loops(u, &w, false, false).plaquette;
    bool falls = true;
    for (int n = 0; n < 20; n++) {
        require(gauge_flow_step(g, u, 0.02, &f), "%s", f.why);
        const double now = gauge_weighted_loops(u, &w, false, false).plaquette;
        falls &= now < before;
        before = now;
    }
    fact(falls, "%s: the action falls along the flow of a rough field", place_name(where));
    fact(gauge_link_quality(u).unitarity < 1e-12, "%s: links stay in SU(3)", place_name(where));
    gauge_flow_free(g);
    gauge_free(u);
    memory_free(links);
}

int main(void)
{
    lattice_shape shape = lattice_shape_single(extents);
    shape.open_in_time = true;
    lattice *l = lattice_create(&shape);
    FOR_EVERY_PLACE(where) {
        waves(l, where);
        constant_field(l, where);
        charge_of_slices(l, where);
        rough_field(l, where);
    }
    lattice_free(l);
    return facts_end();
}
