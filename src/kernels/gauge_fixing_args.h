/* gauge_fixing_args.h - arguments of the kernels of gauge fixing. */
#ifndef KILN_KERNELS_GAUGE_FIXING_ARGS_H
#define KILN_KERNELS_GAUGE_FIXING_ARGS_H

#include "src/kernels/args.h"

/* g: the gauge transformation, read at neighbors and written at the site; axes: the directions in the sum, 4 for
 * Landau gauge, 3 for Coulomb gauge; overrelaxation: omega of gauge_fixing_sites.c; out: real[tile][SITE_TILE], for
 * gauge_fixing_divergence only */
typedef struct {
    lattice_view l;
    gauge_view u;
    matrix_view g;
    int axes;
    double overrelaxation;
    void *out;
} gauge_fixing_args;

#endif
