/* slice_densities.h - energy density and charge of each time slice, on a lattice with open boundaries in t.
 *
 * All are 0 in the first and the last slice, where clover leaves with t would have inactive links. */
#ifndef KILN_MEASURE_SLICE_DENSITIES_H
#define KILN_MEASURE_SLICE_DENSITIES_H

#include "src/gauge/gauge.h"

typedef struct {
    int times;
    double *energy, *plaquette_energy;  /* per site: gauge_field_strength and gauge_plaquette_energy of a slice; planes
                                         * with t are those above and below it, half each */
    double *charge;                     /* of the slice; their sum is the charge of gauge_field_strength */
} slice_densities;

slice_densities *slice_densities_create(int times);
void slice_densities_free(slice_densities *s);
size_t slice_densities_bytes(const lattice_shape *shape);       /* of the field that a measurement allocates */
void slice_densities_measure(slice_densities *s, const gauge *u);

/* The mean over slices first to last. */
double slice_mean(const double *slices, int first, int last);

#endif
