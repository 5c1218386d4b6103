/* open_args.h - arguments of the kernels for lattices with open boundaries in time.
 *
 * M. Luescher and S. Schaefer, arXiv:1105.4749, arXiv:1206.2809.  The links in t that begin in the last slice, T - 1,
 * are inactive: they are unit matrices, their momenta are 0, and every loop through them has weight 0. */
#ifndef KILN_KERNELS_OPEN_ARGS_H
#define KILN_KERNELS_OPEN_ARGS_H

#include "src/kernels/clover_args.h"
#include "src/kernels/vector_args.h"

/* P <- 0 on the inactive links, P <- ends P on the links in space of the first and the last slice */
typedef struct { lattice_view l; momentum_view p; double ends; } open_momentum_args;

/* Quark fields are 0 in the first and the last slice.  open_vector: v <- 0 there.  open_links_pack: links_pack with 0
 * for each link that touches these slices, so that hops neither enter nor leave them.  open_clover: blocks <- 0 there,
 * and `beside` is added to the diagonal in the slices beside them. */
typedef struct { lattice_view l; vector_view v; } open_vector_args;
typedef struct { links_pack_args p; lattice_view l; } open_pack_args;
typedef struct { lattice_view l; clover_view blocks; double beside; } open_clover_args;

/* densities: real[tile][DENSITIES][SITE_TILE].  Numbers of a site: the three sums of field_strength.c, which are 0 in
 * the first and the last slice; Re Tr of the plaquettes in space that start at the site, summed; the same with t, or 0
 * if they have inactive links. */
enum {
    DENSITY_ENERGY_SPACE, DENSITY_ENERGY_TIME, DENSITY_CHARGE, DENSITY_PLANES_SPACE, DENSITY_PLANES_TIME, DENSITIES
};
typedef struct { gauge_args g; void *densities; } open_density_args;

#endif
