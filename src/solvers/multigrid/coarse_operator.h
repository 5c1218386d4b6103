/* coarse_operator.h - M_c = P^+ M P on the coarse lattice of multigrid, for the quarks of clover.h.
 *
 *     (M_c c)(X) = D(X) c(X) + sum over directions d of Y_d(X) c(X + d)
 *     Mhat_c = 1 - D_o^-1 Y_oe D_e^-1 Y_eo on odd coarse sites
 *
 * X: a coarse site.  D(X) and Y_d(X) are matrices of 2 `vectors` rows and columns; D contains T and the hops between
 * sites of one block, Y_d the hops to the next block in direction d (numbered as in site/load.h).  As for M,
 * M_c^+ = gamma5 M_c(-mu, -rho) gamma5.  Numbers are in the precision of the basis, in the order of kernels/mg_args.h.
 * In single precision the matrices D^-1 Y of Mhat_c are stored in 16 bits (coarse_hats.h). */
#ifndef KILN_SOLVERS_MULTIGRID_COARSE_OPERATOR_H
#define KILN_SOLVERS_MULTIGRID_COARSE_OPERATOR_H

#include "src/operators/clover.h"
#include "src/solvers/multigrid/coarse_hats.h"
#include "src/solvers/multigrid/transfer.h"

typedef struct {
    const transfer *t;                     /* borrowed */
    field matrices, inverse;               /* D and Y_d; D^-1 */
    coarse_hats hats[2];                   /* D^-1 Y_d of M_c; the same of M_c^+, if two_kinds */
    bool two_kinds;                        /* mu or rho is not 0; else gamma5 turns those of M_c into those of M_c^+ */
    vec *even;                             /* scratch */
} coarse_operator;

coarse_operator *coarse_operator_create(const transfer *t);
void coarse_operator_free(coarse_operator *c);
/* Bytes of the operator, and of the scratch vectors during coarse_operator_update. */
size_t coarse_operator_bytes(const lattice_shape *fine, const int block[4], int vectors, precision p);

/* Compute the matrices from the basis and M, whose links and term have the precision of the basis.  False if D has no
 * inverse. */
bool coarse_operator_update(coarse_operator *c, clover_links l, failure *why);

/* Mhat_c, or with `dagger` the same form of M_c^+, as a linop without batches; valid as long as c exists. */
typedef struct { linop base; const coarse_operator *c; bool dagger; } coarse_mhat;
coarse_mhat coarse_operator_mhat(const coarse_operator *c, bool dagger);

/* x <- x + u (b - Mhat_c x): two hops and no other kernel.  mhat: the base of a coarse_mhat, of M_c or M_c^+.  x and b
 * are on odd coarse sites, in the precision of the basis; x is not b.  Overwrites the scratch vector of c. */
void coarse_operator_relax(const linop *mhat, vec *x, complex_number u, const vec *b);

/* To solve M_c x = v, or M_c^+ x = v (dagger).  prepare: rhs <- the right-hand side of Mhat_c x_o = rhs, on odd sites;
 * reconstruct: even <- x_e, from the solution odd = x_o. */
void coarse_operator_prepare(vec *rhs, const coarse_operator *c, bool dagger, spinor_field v);
void coarse_operator_reconstruct(vec *even, const coarse_operator *c, bool dagger, spinor_field v, const vec *odd);

#endif
