/* clover_force_args.h - arguments of the kernels of the force of a clover term.
 *
 * The derivative in the links: dS = sum over sites and planes mu < nu of Re Tr i L_mu,nu(x) dQ_mu,nu(x), with Q of
 * clover_args.h.  The hermitian matrices L (insertions) are computed first, from everything that S depends on. */
#ifndef KILN_KERNELS_CLOVER_FORCE_ARGS_H
#define KILN_KERNELS_CLOVER_FORCE_ARGS_H

#include "src/kernels/clover_args.h"
#include "src/kernels/dwf_args.h"

/* clover_insertion_pairs: adds dS = sum_n 16 a_n Re y_n^+ dA x_n on the sites of one parity. */
typedef struct {
    planes_view out;
    int count;
    vector_view y[DWF_PAIRS_MAX], x[DWF_PAIRS_MAX];
    double a[DWF_PAIRS_MAX];
} clover_insertion_pairs_args;

/* clover_insertion_blocks: adds dS = 16 a Tr B dA on the sites of one parity. */
typedef struct { planes_view out; clover_view blocks; double a; } clover_insertion_blocks_args;

/* clover_insertion_exponential: adds dS = sum_n 16 a_n Re y_n^+ L(scale B, dA) x_n on the sites of one parity, with the
 * derivative L of the exponential (site/block_exponential.h) and blocks B. */
typedef struct {
    clover_insertion_pairs_args pairs;
    clover_view blocks;
    double scale;
} clover_insertion_exponential_args;

/* clover_force_links: adds to h the derivative from all insertions, with dS = 2 Re Tr sum dU h^+.  The factors of the
 * planes in A (clover_args.h) are not contained in the insertions; this kernel multiplies by them. */
typedef struct {
    lattice_view l;
    gauge_view u, h;
    planes_view insertions;
    clover_planes planes;
} clover_force_links_args;

#endif
