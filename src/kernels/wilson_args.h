/* wilson_args.h - arguments of the hop of Wilson quarks, with the product by a clover term in the same kernel.
 *
 *     wilson_hop                      out <- scale S in + a y + shift z
 *     clover_inner, twisted_inner     out <- by (scale S in)
 *     clover_outer, twisted_outer     out <- by y + scale S in + shift z
 *     clover_symmetric, twisted_symmetric    out <- by (scale S in) + a y + shift z
 *
 * S is the sum of neighbor_sum.h, its adjoint gamma5 S gamma5 if `dagger`; a link across the upper end in t is
 * multiplied by `boundary` (1 or -1), and all links by `phases`.  In Mhat (src/operators/clover.h), `inner` is the
 * first hop, from odd to even sites, and `outer` the second one; `symmetric` the second one of the symmetric form.
 * `by` is the matrix on the sites of `out`; clover_args.h says which kernels multiply by it.  Intermediate results have
 * the precision of the arithmetic.
 *
 * Vectors are slabs of color vectors on one parity (site/view.h), slab = spin; y and z are on the sites of `out`, but
 * are not `out`.  y is not read if a is 0, except by `outer`, which does not use a; z is not read if shift is 0. */
#ifndef KILN_KERNELS_WILSON_ARGS_H
#define KILN_KERNELS_WILSON_ARGS_H

#include "src/kernels/clover_args.h"
#include "src/kernels/hop_phases.h"

/* For the systems of a batch, while it is going; the shift comes from the state if with_shift, else `shift`.  If
 * b.state is NULL: for one system, number 0. */
typedef struct {
    krylov_batch b;
    lattice_view l;
    gauge_view u;
    clover_factor by;
    vector_view out[BATCH_MAX_RHS], in[BATCH_MAX_RHS], y[BATCH_MAX_RHS], z[BATCH_MAX_RHS];
    double scale, a, shift, boundary;
    hop_phases phases;
    bool dagger, with_shift;
} wilson_hop_args;

#endif
