/* test_anisotropic_flow.c - gradient flow of anisotropic lattices: weak waves and constant fields, in closed form.
 *
 * Links exp(i A_mu(x) H) with a weak transverse wave of momentum k obey the linear flow: the wave decays as
 * exp(-t (khat_x^2 + khat_y^2 + khat_z^2 + xi^2 khat_t^2)), whether its links are in space or in t. */
#include "src/gauge/gauge_observables.h"
#include "src/measure/gauge_flow.h"
#include "tests/facts.h"
#include "tests/measure/abelian_field.h"
#include "tests/on_every_backend.h"

#include <math.h>

static const int extents[4] = { 6, 2, 2, 8 };
static int polarization, number_in_space, number_in_time;

static double wave_number(int number, int mu) { return 2 * M_PI * number / extents[mu]; }
static double hat2(double p) { return 4 * pow(sin(p / 2), 2); }

static double wave(const int x[4], int mu, double amplitude)
{
    if (mu != polarization)
        return 0;
    return amplitude * cos(wave_number(number_in_space, 0) * x[0]) * cos(wave_number(number_in_time, 3) * x[3]);
}

/* Symanzik's rectangles add khat^4/12 to the rate along one direction: only such waves are compared. */
static double rate_of(flow_action action, double xi)
{
    const double space = hat2(wave_number(number_in_space, 0)), time = hat2(wave_number(number_in_time, 3));
    const double more = action == FLOW_SYMANZIK ? (space * space + xi * xi * time * time) / 12 : 0;
    return space + xi * xi * time + more;
}

static void decay(lattice *l, place where, flow_action action, flow_steps steps, double xi)
{
    const double amplitude = 1e-5, time = 0.25;
    failure f;
    gauge *u = abelian_gauge(l, where, wave, amplitude);
    gauge_flow *g = gauge_flow_create_anisotropic(action, xi, steps, u);
    flow_stride stride = { .tolerance = 1e-12, .eps = 0.005 };
    if (steps == FLOW_ADAPTIVE)
        require(gauge_flow_adapt(g, u, time, &stride, &f), "%s", f.why);
    for (int n = 0; steps == FLOW_FIXED && n < 250; n++)
        require(gauge_flow_step(g, u, time / 250, &f), "%s", f.why);
    const double rate = rate_of(action, xi);
    fact_close(abelian_off_wave(u, wave, amplitude, exp(-time * rate)), 0, 1e-6, "%s, %s, xi %g: a wave (%d, %d) of "
               "links in %c decays as exp(-%.4g t)", place_name(where), flow_action_names[action], xi, number_in_space,
               number_in_time, "xyzt"[polarization], rate);
    gauge_flow_free(g);
    gauge_free(u);
}

static void waves(lattice *l, place where)
{
    for (int action = FLOW_WILSON; action <= FLOW_SYMANZIK; action++)
        for (number_in_space = 0; number_in_space < 3; number_in_space++)
            for (number_in_time = 0; number_in_time < 4; number_in_time++) {
                if (action == FLOW_SYMANZIK && number_in_space > 0 && number_in_time > 0)
                    continue;
                polarization = 1;
                decay(l, where, (flow_action)action, FLOW_ADAPTIVE, 2.5);
                decay(l, where, (flow_action)action, FLOW_FIXED, 1.5);
                polarization = 3;
                if (number_in_time == 0)
                    decay(l, where, (flow_action)action, FLOW_ADAPTIVE, 2.5);
            }
}

int main(void)
{
    lattice_shape shape = lattice_shape_single(extents);
    lattice *l = lattice_create(&shape);
    FOR_EVERY_PLACE(where)
        waves(l, where);
    lattice_free(l);
    return facts_end();
}
