/* stout_args.h - arguments of the kernels of a level of stout smearing (src/operators/stout.h). */
#ifndef KILN_KERNELS_STOUT_ARGS_H
#define KILN_KERNELS_STOUT_ARGS_H

#include "src/kernels/args.h"

/* axes: directions of the links that are smeared and of their staples, 4, or 3 for smearing in space.  open: whether
 * the boundaries in t are open.  rho: the weight of staples (src/operators/stout.h). */

/* stout_links_sites: out <- smeared u */
typedef struct { lattice_view l; gauge_view u, out; double rho; int axes, open; } stout_links_args;

/* stout_insertions: from f, the force of the smeared links, computes `insertions` L with dS = Re Tr sum dOmega L, and
 * f <- E^+ f E.  stout_force_sites: f <- f + the force of u that follows from L. */
typedef struct {
    lattice_view l;
    gauge_view u;
    momentum_view f, insertions;
    double rho;
    int axes, open;
} stout_force_args;

/* stout_force_end: P <- P + weight F; sums: Tr F^+F; maxima: the largest Tr F^+F of a link */
typedef struct { momentum_view p, f; double weight; } stout_end_args;

#endif
