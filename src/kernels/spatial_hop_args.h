/* spatial_hop_args.h - arguments of spatial_hop: a hop in space between spinors of the two parities, with one slice.
 *
 *     out(x) <- rest here(x) + share sum over i = x, y, z of (U_i(x) in(x+i) + U_i(x-i)^+ in(x-i))
 *
 * `in` is on the sites of the other parity. */
#ifndef KILN_KERNELS_SPATIAL_HOP_ARGS_H
#define KILN_KERNELS_SPATIAL_HOP_ARGS_H

#include "src/kernels/args.h"

typedef struct { lattice_view l; gauge_view u; vector_view out, here, in; double rest, share; } spatial_hop_args;

#endif
