/* doublet_args.h - arguments of the product of the diagonal part of a non-degenerate doublet of twisted-mass quarks
 * with a spinor of two flavors (src/operators/doublet.h).
 *
 * Vectors have two slices, one for each flavor f.  On chirality c (0: spins 0 and 1, gamma5 = 1; 1: spins 2 and 3)
 *     (by v)_f = (diagonal + B) v_f + w_cf (other + C) v_1-f
 * with B = blocks and C = other_blocks, which are 0 if their data is NULL, and real w.  The adjoint has w_c0 and w_c1
 * exchanged.  If both are 0, C is not read. */
#ifndef KILN_KERNELS_DOUBLET_ARGS_H
#define KILN_KERNELS_DOUBLET_ARGS_H

#include "src/kernels/clover_args.h"

enum { DOUBLET_FLAVORS = 2 };

typedef struct {
    clover_view blocks, other_blocks;
    double diagonal, other, w[2][DOUBLET_FLAVORS];
} doublet_factor;

/* doublet_product: out <- by in + a y on the sites of one parity, rounded once; y is not read if a is 0; out, in and y
 * of a system may be the same vector.  For the systems of a batch, while it is going; if b.state is NULL, for one
 * system, number 0. */
typedef struct {
    krylov_batch b;
    doublet_factor by;
    vector_view out[BATCH_MAX_RHS], in[BATCH_MAX_RHS], y[BATCH_MAX_RHS];
    double a;
} doublet_product_args;

#endif
