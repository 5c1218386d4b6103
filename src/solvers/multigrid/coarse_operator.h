/* coarse_operator.h - M_c = P^+ M P on the coarse lattice of multigrid, for the quarks of clover.h.
 *
 *     (M_c c)(X) = D(X) c(X) + sum over directions d of Y_d(X) c(X + d)
 *     Mhat_c = 1 - D_o^-1 Y_oe D_e^-1 Y_eo on odd coarse sites
 *
 * D has what stays within a block: T, and hops between its sites.  M^+ = gamma5 M(-mu, -rho) gamma5 holds for M_c, too.
 * Numbers are in the precision of the basis; kernels/mg_args.h has their order.  In single precision the hops of Mhat_c
 * are stored in 16 bits (coarse_hats.h). */
#ifndef KILN_SOLVERS_MULTIGRID_COARSE_OPERATOR_H
#define KILN_SOLVERS_MULTIGRID_COARSE_OPERATOR_H

#include "src/operators/clover.h"
#include "src/solvers/multigrid/coarse_hats.h"
#include "src/solvers/multigrid/transfer.h"

typedef struct {
    const transfer *t;                     /* borrowed */
    field matrices, inverse;               /* D and Y_d; D^-1 */
    coarse_hats hats[2];                   /* D^-1 Y_d; and of M_c^+, if there are two kinds */
    bool two_kinds;                        /* with a twist */
    vec *even;                             /* scratch */
} coarse_operator;

coarse_operator *coarse_operator_create(const transfer *t);
void coarse_operator_free(coarse_operator *c);
/* With scratch vectors of coarse_operator_update. */
size_t coarse_operator_bytes(const lattice_shape *fine, const int block[4], int vectors, precision p);

/* Compute the matrices from the basis and M, whose links and term have the precision of the basis.  False if D has no
 * inverse. */
bool coarse_operator_update(coarse_operator *c, clover_links l, failure *why);

/* Mhat_c, or that of M_c^+, as a linop without batches; lives as long as c. */
typedef struct { linop base; const coarse_operator *c; bool dagger; } coarse_mhat;
coarse_mhat coarse_operator_mhat(const coarse_operator *c, bool dagger);

/* x <- x + u (b - Mhat_c x): two hops and no other kernel.  mhat: the base of a coarse_mhat, of M_c or M_c^+.  x and b
 * are on odd coarse sites, in the precision of the basis; x is not b.  Overwrites the scratch vector of c. */
void coarse_operator_relax(const linop *mhat, vec *x, complex_number u, const vec *b);

/* To solve M_c x = v, or M_c^+ x = v: rhs of Mhat_c x_o = rhs; and x_e from x_o. */
void coarse_operator_prepare(vec *rhs, const coarse_operator *c, bool dagger, spinor_field v);
void coarse_operator_reconstruct(vec *even, const coarse_operator *c, bool dagger, spinor_field v, const vec *odd);

#endif
