/* identities.h - for tests of ensembles: means with errors, the mean of a single plaquette, and the Schwinger-Dyson
 * identity of the force. */
#ifndef KILN_TESTS_HMC_IDENTITIES_H
#define KILN_TESTS_HMC_IDENTITIES_H

#include "actions/gauge_action.h"
#include "src/gauge/gauge_observables.h"
#include "src/hmc/run_params.h"
#include "src/lattice/kernels.h"

#include <math.h>

typedef struct { double mean, error; } estimate;

/* The mean of values that follow one another, with the error from this number of bins of them. */
static inline estimate binned_in(int bins, const double *value, int length)
{
    estimate e = { 0 };
    double squares = 0;
    int size = length / bins;
    for (int b = 0; b < bins; b++) {
        double bin = 0;
        for (int n = b * size; n < (b + 1) * size; n++)
            bin += value[n] / size;
        e.mean += bin / bins;
        squares += bin * bin / bins;
    }
    e.error = sqrt(fmax(squares - e.mean * e.mean, 0) / (bins - 1));
    return e;
}

static inline estimate binned(const double *value, int length)
{
    enum { BINS = 25 };
    return binned_in(BINS, value, length);
}

/* Plaquette of the single-plaquette weight exp(beta Re Tr U / 3): an integral over the eigenvalues of U with
 * Weyl's measure.  Sums over equidistant angles are exact up to exponentially small terms. */
static inline double single_plaquette(double beta)
{
    enum { POINTS = 48 };
    double weight = 0, sum = 0;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            double a = 2 * M_PI * i / POINTS, b = 2 * M_PI * j / POINTS, c = -a - b;
            double trace = (cos(a) + cos(b) + cos(c)) / 3;
            double measure = (1 - cos(a - b)) * (1 - cos(b - c)) * (1 - cos(c - a)) * exp(beta * trace);
            weight += measure;
            sum += measure * trace;
        }
    return sum / weight;
}

/* The sum over links of Tr F^+F of a gauge action; f: scratch. */
static inline double force_norm2(const gauge_params *g, const gauge *u, momentum *f, const sum_array *size)
{
    monomial *m = monomial_create(&gauge_monomial, g, u);
    sums_zero(size);
    momentum_zero(f);
    monomial_add_force(m, u, f, 1, size->cells, &(monomial_call){ .clock = NULL });
    monomial_free(m);
    return momentum_measure(f).sum_norm2;
}

/* Tr F^+F per link over 2 beta / 3, minus the combination of loops that has the same mean. */
static inline double schwinger_dyson(const run_params *p, const gauge *u, momentum *f, const sum_array *size)
{
    const gauge_params *g = run_monomial_params(p, 0);
    loop_coefficients c = gauge_action_coefficients(g);
    double force = force_norm2(g, u, f, size) / (4 * (double)lattice_volume(u->links.lattice));
    double loops = 24 * c.plaquette * gauge_plaquette(u).average;
    loops += c.rectangle != 0 ? 72 * c.rectangle * gauge_rectangle(u) : 0;
    loops += c.parallelogram != 0 ? 96 * c.parallelogram * gauge_parallelogram(u) : 0;
    return force / (2.0 / 3 * g->beta) - loops;
}

#endif
