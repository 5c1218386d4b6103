/* lanczos_end.h - the eigenvalue of largest modulus of a hermitian operator, to a few digits (C. Lanczos, 1950).
 *
 *     beta_j v_j+1 = A v_j - alpha_j v_j - beta_j-1 v_j-1,   alpha_j = <v_j, A v_j>,   |v_j+1| = 1
 * Of the tridiagonal matrix of alpha and beta the eigenvalue theta of largest modulus is taken: it is never beyond that
 * of A.  An eigenvalue of A lies within beta_last |s_last| of it, s its eigenvector.  With the inverse of an operator
 * this gives the eigenvalue of smallest modulus. */
#ifndef KILN_MEASURE_LANCZOS_END_H
#define KILN_MEASURE_LANCZOS_END_H

#include "src/lattice/vec.h"

#define LANCZOS_ACCURACY 1e-3          /* relative distance of an eigenvalue from theta */

/* A vector has one part or two: a vec on each parity that it has. */
enum { LANCZOS_PARTS = 2 };
typedef struct { vec *part[LANCZOS_PARTS]; } lanczos_vector;

/* next <- A v; false with the reason if that is not possible. */
typedef bool lanczos_apply(void *of, lanczos_vector next, lanczos_vector v, failure *f);

/* A, and borrowed vectors, which are overwritten; v is the start vector. */
typedef struct {
    int parts;
    lanczos_vector v, former, next;
    lanczos_apply *apply;
    void *of;
    const char *what;                  /* for reasons: "the spectrum of gamma5 Dw" */
} lanczos_task;

/* False with the reason if `apply` is, or if 200 steps do not reach the accuracy. */
bool lanczos_largest(double *largest, const lanczos_task *task, failure *f);

#endif
