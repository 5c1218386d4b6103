/* chiral_density_args.h - arguments of chiral_density: products of two quark fields, each with several slices, of each
 * chirality (0: spins 0 and 1; 1: spins 2 and 3). */
#ifndef KILN_KERNELS_CHIRAL_DENSITY_ARGS_H
#define KILN_KERNELS_CHIRAL_DENSITY_ARGS_H

#include "src/kernels/vector_args.h"

enum { CHIRALITIES = 2, CHIRAL_REALS = 2 * CHIRALITIES };

/* out: real[tile][reals][SITE_TILE] on all sites; of these, from number `first` on, the products in the order
 * [slice of left][slice of right][chirality][re, im].  Views: vectors of spinors, the slabs [slice][spin]. */
typedef struct {
    void *out;
    int reals, first;
    vector_view left, right;
    int left_slices, right_slices;
} chiral_density_args;

#endif
