/* free_baryons.c - sums over the sites of time slices, with phases. */
#include "tests/measure/free_baryons.h"

#include "tests/facts.h"
#include "tests/measure/measured.h"

#include <math.h>
#include <stdio.h>

enum { SPACE = DENSE_FREE_SPACE, TIMES = DENSE_FREE_TIMES };

free_correlators free_baryons_compute(const free_baryons *b, const free_smearing *by, const int n[3])
{
    free_correlators f = { .rest = { { 0 } } };
    for (int i = 0; i < SPACE * TIMES; i++) {
        const int site = i % SPACE, t = i / SPACE, x[3] = { site % 2, site / 2 % 2, site / 4 };
        dense_propagator s[FREE_QUARKS_MAX];
        double phase = 0;
        for (int k = 0; k < 3; k++)
            phase += 2 * M_PI * n[k] * x[k] / dense_free_extents[k];
        for (int quark = 0; quark < b->quarks; quark++)
            dense_free_propagator(s[quark], b->mass[quark], by, site, t);
        for (int channel = 0; channel < b->channels; channel++) {
            const double one = b->contract(s, channel);
            f.rest[channel][t] += one;
            f.moving[channel][t] += cos(phase) * one;
        }
    }
    return f;
}

void free_baryons_facts(const free_baryons *b, const yaml_node *object, const free_correlators *f, const char *what)
{
    for (int channel = 0; channel < b->channels; channel++) {
        const char *list = b->lists[channel];
        const double *at_rest = f->rest[channel], *with_momentum = f->moving[channel];
        char key[64];
        snprintf(key, sizeof key, "%s_momenta", list);
        const yaml_node *rest = yaml_get(object, list), *moving = yaml_get(object, key);
        double worst = 0;
        for (int t = 0; rest && moving && t < TIMES; t++) {
            worst = worse(worst, fabs(measured_number(rest->item[t]) - at_rest[t]) / fabs(at_rest[0]));
            worst = worse(worst, fabs(measured_number(moving->item[0]->item[t]) - with_momentum[t]) / fabs(at_rest[0]));
        }
        fact(rest && moving && worst < 1e-11, "%s: free %s at rest and moving (off by %.1e)", what, list, worst);
    }
}
