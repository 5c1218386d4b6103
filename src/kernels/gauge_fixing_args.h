/* gauge_fixing_args.h - arguments of the kernels of gauge fixing. */
#ifndef KILN_KERNELS_GAUGE_FIXING_ARGS_H
#define KILN_KERNELS_GAUGE_FIXING_ARGS_H

#include "src/kernels/args.h"

/* g: the change of gauge, read at neighbours and written at the site; axes: 4 for Landau's gauge, 3 for Coulomb's;
 * out: real[tile][SITE_TILE], of gauge_fixing_divergence alone */
typedef struct {
    lattice_view l;
    gauge_view u;
    matrix_view g;
    int axes;
    double overrelaxation;
    void *out;
} gauge_fixing_args;

#endif
