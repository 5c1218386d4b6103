/* spinor_density_args.h - arguments of spinor_density and spinor_axial: two quark fields, each with a color vector for
 * each of `spins` spins (staggered quarks: 1), and a number for each site. */
#ifndef KILN_KERNELS_SPINOR_DENSITY_ARGS_H
#define KILN_KERNELS_SPINOR_DENSITY_ARGS_H

#include "src/kernels/vector_args.h"

/* out: real[tile][SITE_TILE] on all sites */
typedef struct { void *out; vector_view left, right; int spins; } spinor_density_args;

#endif
