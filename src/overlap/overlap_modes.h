/* overlap_modes.h - the lowest eigenvalues of D(0)^+ D(0) on spinors of each chirality, and the index of D(0).
 *
 *     D(0)^+ D(0) x = |lambda|^2 x,   gamma5 x = +x or -x
 *
 * Eigenvalues other than 0 and 4 M0^2 occur in both chiralities: they belong to pairs lambda, lambda^* of D(0).
 * Zero modes have a chirality, and
 *     index = n_- - n_+ = (1/2) Tr sign(H)
 * (P. Hasenfratz, V. Laliena, F. Niedermayer, hep-lat/9801021).  With the gamma5 of Kiln, the index on smooth links is
 * the topological charge Q with the sign that the gradient flow measures.  A mode counts as a zero mode if
 * |lambda|^2 <= 4 M0^2 residual, the error of an eigenvalue (as in L. Giusti et al., hep-lat/0212012). */
#ifndef KILN_OVERLAP_OVERLAP_MODES_H
#define KILN_OVERLAP_OVERLAP_MODES_H

#include "src/overlap/overlap.h"

enum { OVERLAP_MODES_MAX = 128 };

/* Memory for `count` eigenpairs of one chirality and their Lanczos vectors; used for one chirality at a time. */
typedef struct overlap_modes overlap_modes;
overlap_modes *overlap_modes_create(const gauge *u, int count);
void overlap_modes_free(overlap_modes *m);
size_t overlap_modes_bytes(const lattice_shape *shape, int count);

/* residual: largest |D^+D x - |lambda|^2 x| for |x| = 1, in units of 4 M0^2; key, first_draw: of the start vectors. */
typedef struct { double residual; int max_restarts; rng_key key; uint32_t first_draw; } overlap_modes_goal;

/* The `count` lowest eigenvalues |lambda|^2 of a chirality (0: +, 1: -; spinor_pair.h), in units of 1/a^2, ascending,
 * and their residuals in units of 4 M0^2; zeros: number of zero modes.  False with the reason if they do not
 * converge. */
typedef struct {
    int count, zeros;
    double value[OVERLAP_MODES_MAX], residual[OVERLAP_MODES_MAX];
    int64_t applications;                  /* of D^+D */
} chiral_modes;
bool overlap_modes_compute(chiral_modes *c, overlap_modes *m, overlap *o, int chirality,
                           const overlap_modes_goal *goal, failure *f);

#endif
