/* kernel_modes.h - the eigenvectors of H (wilson_kernel.h) with the smallest |eigenvalues|, on which the sign of H is
 * exact:
 *
 *     sign(H) v = sum_i sign(lambda_i) x_i (x_i^+ v) + sign(H) (v - sum_i x_i (x_i^+ v))
 *
 * The eigensolver finds eigenvectors of H^2.  The eigenvectors of H are linear combinations of them, from the matrix of
 * H in the space that they span.  The last eigenspace of H^2, which may contain eigenvalues lambda and -lambda of H,
 * may be incomplete, and then its vectors give no eigenvectors of H.  Therefore vectors x with
 * |H x - lambda x| > max(accuracy |lambda|, KERNEL_MODES_ROUNDING upper), upper = 8 - M0, are dropped: a residual r
 * causes an error r / |lambda| of the sign.  The approximation then covers their eigenvalues. */
#ifndef KILN_OVERLAP_KERNEL_MODES_H
#define KILN_OVERLAP_KERNEL_MODES_H

#include "src/lattice/rng.h"
#include "src/overlap/wilson_kernel.h"
#include "src/solvers/eigensolver.h"

enum { KERNEL_MODES_MAX = 256 };
#define KERNEL_MODES_ROUNDING 1e-13

/* Memory for `count` modes, 1 to KERNEL_MODES_MAX, and for their computation, for links like u.  kernel_modes_bytes:
 * the size of its vectors, where the links are. */
typedef struct kernel_modes kernel_modes;
kernel_modes *kernel_modes_create(const gauge *u, int count);
void kernel_modes_free(kernel_modes *m);
size_t kernel_modes_bytes(const lattice_shape *shape, int count);

/* Computes the modes.  key, first_draw: of the random start vectors (lattice/rng.h); accuracy: of sign(H) v relative to
 * |v|.  False with the reason if they do not converge.  Collective. */
typedef struct { double accuracy; rng_key key; uint32_t first_draw; } kernel_modes_goal;
bool kernel_modes_compute(kernel_modes *m, const wilson_kernel *k, const kernel_modes_goal *goal, failure *f);

/* The number of modes, which may be less than was requested; their eigenvalues lambda, in ascending order of |lambda|,
 * and residuals |H x - lambda x|, |x| = 1.  Borrowed. */
int kernel_modes_count(const kernel_modes *m);
const double *kernel_modes_values(const kernel_modes *m);
const double *kernel_modes_residuals(const kernel_modes *m);
int64_t kernel_modes_applications(const kernel_modes *m);        /* of H^2 */

/* A lower bound of |lambda| of all other eigenvectors of H. */
double kernel_modes_rest(const kernel_modes *m);

/* rest <- v - sum_i x_i part_i, part_i = x_i^+ v;   out <- out + sum_i sign(lambda_i) x_i part_i */
void kernel_modes_remove(vec *rest, complex_number part[KERNEL_MODES_MAX], const kernel_modes *m, const vec *v);
void kernel_modes_add_signs(vec *out, const kernel_modes *m, const complex_number *part);

#endif
