/* multigrid.h - adaptive multigrid for Wilson, clover and twisted quarks: a cycle that stands for Mhat^-1 (clover.h).
 *
 * R. Babich et al., Phys. Rev. Lett. 105 (2010) 201602 (arXiv:1005.3043); A. Frommer et al., SIAM J. Sci. Comput. 36
 * (2014) A1581 (arXiv:1303.1377).  M x = (0, b) has x_o = Mhat^-1 b, hence a cycle for Mhat, on odd sites, is
 *     smooth;  x += (P M_c^-1 P^+ (0, r))_o, with M_c solved to `coarse_residual`;  smooth
 * Smoothing applies a polynomial in Mhat (smoother.h), and GCR for M_c is preconditioned by one in the even-odd form of
 * M_c; both are made with M_c.
 *
 * Near-null vectors begin with random numbers that are keyed by vector and global site; GCR for Mhat x = 0 smooths
 * them, and then, in `setup_passes` passes, the cycle itself.  Only their odd sites are kept; the even ones follow from
 * the links.  All is in single precision, or smoothing in 16 bits (`smoothed`).  It depends on settings and links
 * alone: not on devices, threads or the process grid. */
#ifndef KILN_SOLVERS_MULTIGRID_MULTIGRID_H
#define KILN_SOLVERS_MULTIGRID_MULTIGRID_H

#include "src/operators/clover.h"
#include "src/solvers/gcr.h"
#include "src/solvers/multigrid/coarse_operator.h"
#include "src/solvers/multigrid/multigrid_settings.h"

/* Whether it can have this number of near-null vectors; whether a lattice can have it, with settings for this lattice.
 * False with the reason. */
bool multigrid_vectors_are_possible(int vectors, failure *f);
bool multigrid_is_possible(const lattice_shape *shape, const multigrid_settings *s, failure *f);

typedef struct multigrid multigrid;

/* At a place; vectors of its own, outside the workspace. */
multigrid *multigrid_create(lattice *l, place where, const multigrid_settings *s);
void multigrid_free(multigrid *m);
/* Without the near-null vectors in double. */
size_t multigrid_bytes(const lattice_shape *shape, const multigrid_settings *s);

/* Links and the term of one matrix: in single precision, and for vectors in 16 bits, which only smoothing in half
 * precision reads. */
typedef struct { clover_links single, half; } multigrid_links;

/* Near-null vectors from the beginning, for links and a matrix; or P from the present ones, for new links.  False with
 * the reason if M_c has no even-odd form. */
bool multigrid_rebuild(multigrid *m, multigrid_links l, failure *why);
void multigrid_follow(multigrid *m, multigrid_links l);

/* Near-null vector v on odd sites, in double: after multigrid_rebuild, or for multigrid_follow. */
vec *multigrid_vector(multigrid *m, int v);

/* Choose the matrix of the next cycles, of the links of the last rebuild or follow: mass, mu and rho.  M_c is made
 * again if it is of another matrix or of other links.  False with the reason. */
bool multigrid_use(multigrid *m, multigrid_links l, failure *why);

/* out <- about Mhat^-1 in, or (Mhat^+)^-1 in; vectors in single precision on odd sites; out is not in. */
void multigrid_apply(multigrid *m, bool dagger, vec *out, const vec *in);

/* Counted since the creation, or since the caller has set them: matrices are the M_c that were made. */
typedef struct { int64_t rebuilt, matrices, cycles, coarse_iterations; } multigrid_counts;
multigrid_counts *multigrid_counts_of(multigrid *m);

#endif
