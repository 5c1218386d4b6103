/* coarse_hats.h - preconditioned hops D^-1 Y of the coarse operator of multigrid, which its even-odd form consists of.
 *
 * They are stored in 16 bits where the basis is in single precision (kernels/mg_args.h). */
#ifndef KILN_SOLVERS_MULTIGRID_COARSE_HATS_H
#define KILN_SOLVERS_MULTIGRID_COARSE_HATS_H

#include "src/lattice/field.h"
#include "src/lattice/vec.h"

#include <stdbool.h>

/* The matrices H_d = D^-1 Y_d of all coarse sites, d = 0 .. 7, and in single precision the scales of their rows; in the
 * order of kernels/mg_args.h.  components: rows of a matrix. */
typedef struct { int components; field matrices, scales; } coarse_hats;

coarse_hats coarse_hats_create(lattice *coarse, place where, precision p, int components);
void coarse_hats_free(coarse_hats *h);
size_t coarse_hats_bytes(const lattice_shape *coarse, precision p, int components);

/* Computes D^-1 Y.  matrices: D and the hops Y_d of all coarse sites; inverse: D^-1; both in the order of mg_args.h.
 * dagger: of the adjoint operator. */
void coarse_hats_make(coarse_hats *h, const field *matrices, const field *inverse, bool dagger);

/* out <- scale sum_d H_d in(X + d) + of_y y + of_b b, from one parity to the other.  y and b may be NULL or out.
 * between_gamma5: with gamma5 H_d gamma5 in place of H_d. */
typedef struct { complex_number scale, of_y, of_b; const vec *y, *b; } coarse_terms;
void coarse_hats_hop(vec *out, const coarse_hats *h, bool between_gamma5, const vec *in, const coarse_terms *of);

#endif
