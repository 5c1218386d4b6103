/* clover_args.h - arguments of the kernels of the clover term.
 *
 *     A(x) = (i/2) sum_{mu<nu} sigma_mu,nu F_mu,nu(x),   sigma_mu,nu = (i/2) [gamma_mu, gamma_nu]
 *     F_mu,nu = (Q_mu,nu - Q_mu,nu^+) / 8,   Q_mu,nu: the four plaquettes (kernels/clover_leaves.h)
 * The trace of F is kept.  A is hermitian and commutes with gamma5: two blocks a site (site/clover_block.h).
 * B. Sheikholeslami and R. Wohlert, Nucl. Phys. B 259 (1985) 572. */
#ifndef KILN_KERNELS_CLOVER_ARGS_H
#define KILN_KERNELS_CLOVER_ARGS_H

#include "src/kernels/krylov_args.h"

/* Factors of F in A: of planes of directions in space, and of planes with t.  1 on isotropic lattices. */
typedef struct { double space, time; } clover_planes;

/* clover_blocks: out <- c_sw A, A with the factors `planes` */
typedef struct { lattice_view l; gauge_view u; clover_view out; double c_sw; clover_planes planes; } clover_blocks_args;

/* clover_inverse: out <- (diagonal + B)^-1 on the sites of one parity; sums log |det (diagonal + B)|, and the largest
 * 1 / |pivot| of the factors, which is infinite where a block is singular. */
typedef struct { clover_view in, out; double diagonal; } clover_inverse_args;

/* clover_exponential: out <- factor exp(scale B) on the sites of one parity or all */
typedef struct { clover_view in, out; double scale, factor; } clover_exponential_args;

/* twisted_inverse: with T = diagonal + B, on the sites of one parity: real <- T S, twisted <- -mu S with
 * S = (T^2 + sign mu^2)^-1; sums (1/2) log |det S^-1|, and the largest 1 / |pivot| of S^-1.  sign: 1, or -1. */
typedef struct { clover_view in, real, twisted; double diagonal, mu, sign; } twisted_inverse_args;

/* blocks_pack: out <- in, in 16 bits (site/block_storage.h), on the sites of one parity or all; `in` is in double, the
 * kernel in single precision. */
typedef struct { clover_view in, out; } blocks_pack_args;

/* diagonal + B + i sign gamma5 (twist + C), with B = blocks and C = twisted, which are 0 if their data is NULL.  The
 * adjoint has -sign.  If twist and C are 0 and B is not, the kernels clover_* multiply by it (clover_product;
 * wilson_args.h), otherwise the kernels twisted_*. */
typedef struct { clover_view blocks, twisted; double diagonal, twist, sign; } clover_factor;

/* clover_product, twisted_product: out <- by in + a y on the sites of one parity, rounded once; y is not read if a is
 * 0; out, in and y of a system may be the same vector.  For the systems of a batch, while it is going; if b.state is
 * NULL, for one system, number 0. */
typedef struct {
    krylov_batch b;
    clover_factor by;
    vector_view out[BATCH_MAX_RHS], in[BATCH_MAX_RHS], y[BATCH_MAX_RHS];
    double a;
} clover_product_args;

#endif
