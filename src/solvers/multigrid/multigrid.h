/* multigrid.h - adaptive multigrid with two levels for Wilson, clover and twisted-mass quarks: one cycle is an
 * approximation of Mhat^-1 (clover.h).
 *
 * R. Babich et al., Phys. Rev. Lett. 105 (2010) 201602 (arXiv:1005.3043); A. Frommer et al., SIAM J. Sci. Comput. 36
 * (2014) A1581 (arXiv:1303.1377).  The solution of M x = (0, b) has x_o = Mhat^-1 b.  A cycle for Mhat x_o = b is
 *     smooth;   x_o <- x_o + (P M_c^-1 P^+ (0, r))_o,   r = b - Mhat x_o;   smooth
 * GCR solves with M_c to the residual `coarse_residual`, in its even-odd form Mhat_c (coarse_operator.h).  Smoothing
 * applies a polynomial in Mhat (smoother.h); a polynomial in Mhat_c preconditions GCR.  Both polynomials are computed
 * together with M_c.
 *
 * Setup: each near-null vector starts as random numbers, keyed by vector and global site.  GCR for Mhat x = 0 removes
 * its components with large eigenvalues; then the cycle does so in `setup_passes` passes.  The vectors are kept on odd
 * sites, in double; the even sites follow from the links.  All else is in single precision, except the matrices
 * of coarse_hats.h and smoothing with SMOOTHED_HALF, in 16 bits.  Results depend on settings and links alone: not on
 * devices, threads or the process grid. */
#ifndef KILN_SOLVERS_MULTIGRID_MULTIGRID_H
#define KILN_SOLVERS_MULTIGRID_MULTIGRID_H

#include "src/operators/clover.h"
#include "src/solvers/gcr.h"
#include "src/solvers/multigrid/coarse_operator.h"
#include "src/solvers/multigrid/multigrid_settings.h"

/* Whether multigrid can have this number of near-null vectors; whether it is possible on a lattice, with settings from
 * multigrid_settings_for.  False with the reason. */
bool multigrid_vectors_are_possible(int vectors, failure *f);
bool multigrid_is_possible(const lattice_shape *shape, const multigrid_settings *s, failure *f);

typedef struct multigrid multigrid;

/* The vectors are at `where`, outside the workspace.  Collective. */
multigrid *multigrid_create(lattice *l, place where, const multigrid_settings *s);
void multigrid_free(multigrid *m);
/* Bytes of multigrid_create, without the near-null vectors in double. */
size_t multigrid_bytes(const lattice_shape *shape, const multigrid_settings *s);

/* Links and clover term of one matrix, borrowed: in single precision; and for vectors in half, which are read only with
 * SMOOTHED_HALF. */
typedef struct { clover_links single, half; } multigrid_links;

/* rebuild: computes near-null vectors from random numbers, for these links and this matrix, and then P and M_c.  False
 * with the reason as multigrid_use.  follow: computes P for new links from the present near-null vectors. */
bool multigrid_rebuild(multigrid *m, multigrid_links l, failure *why);
void multigrid_follow(multigrid *m, multigrid_links l);

/* Near-null vector v on odd sites, in double: after multigrid_rebuild, or for multigrid_follow. */
vec *multigrid_vector(multigrid *m, int v);

/* Chooses the matrix (mass, mu and rho) of the next cycles, on the links of the last rebuild or follow.  Computes M_c
 * again if the present M_c belongs to another matrix or to other links.  False with the reason if no polynomial
 * smooths, or if a block D of M_c has no inverse. */
bool multigrid_use(multigrid *m, multigrid_links l, failure *why);

/* out <- about Mhat^-1 in, or (Mhat^+)^-1 in; vectors in single precision on odd sites; out is not in. */
void multigrid_apply(multigrid *m, bool dagger, vec *out, const vec *in);

/* Counts since the creation; the caller may set them.  matrices: how often M_c was computed. */
typedef struct { int64_t rebuilt, matrices, cycles, coarse_iterations; } multigrid_counts;
multigrid_counts *multigrid_counts_of(multigrid *m);

#endif
