/* free_baryons.h - correlators of baryons of free Wilson quarks, and a comparison with measured ones. */
#ifndef KILN_TESTS_MEASURE_FREE_BARYONS_H
#define KILN_TESTS_MEASURE_FREE_BARYONS_H

#include "src/config/yaml_node.h"
#include "tests/measure/dense_baryons.h"

enum { FREE_CHANNELS_MAX = 6, FREE_QUARKS_MAX = 2 };

/* Channels with the names of their lists in results, and their contraction of the propagators of the quarks at a
 * site. */
typedef struct {
    int channels, quarks;
    double mass[FREE_QUARKS_MAX];
    const char *const *lists;
    double (*contract)(const dense_propagator *s, int channel);
} free_baryons;

/* [channel][t], on the lattice of dense_free_extents, at rest and with the momenta 2 pi n / L */
typedef struct {
    double rest[FREE_CHANNELS_MAX][DENSE_FREE_TIMES], moving[FREE_CHANNELS_MAX][DENSE_FREE_TIMES];
} free_correlators;
free_correlators free_baryons_compute(const free_baryons *b, const free_smearing *by, const int n[3]);

/* A fact for each channel: the lists of `object` at rest and with one momentum (LIST_momenta) are these. */
void free_baryons_facts(const free_baryons *b, const yaml_node *object, const free_correlators *f, const char *what);

#endif
