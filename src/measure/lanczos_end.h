/* lanczos_end.h - the eigenvalue of largest modulus of a hermitian operator, to a few digits (C. Lanczos, 1950).
 *
 *     beta_j v_j+1 = A v_j - alpha_j v_j - beta_j-1 v_j-1,   alpha_j = <v_j, A v_j>,   |v_j+1| = 1
 * The result is the eigenvalue theta of largest modulus of the tridiagonal matrix of alpha and beta; |theta| never
 * exceeds the largest modulus of A.  With the eigenvector s of theta, an eigenvalue of A lies within beta_last |s_last|
 * of theta.  For the eigenvalue of smallest modulus, A is the inverse of an operator. */
#ifndef KILN_MEASURE_LANCZOS_END_H
#define KILN_MEASURE_LANCZOS_END_H

#include "src/lattice/vec.h"

#define LANCZOS_ACCURACY 1e-3          /* relative distance of an eigenvalue from theta */

/* A vector has one or two parts: a vec on each of its parities. */
enum { LANCZOS_PARTS = 2 };
typedef struct { vec *part[LANCZOS_PARTS]; } lanczos_vector;

/* next <- A v; false with the reason if this fails. */
typedef bool lanczos_apply(void *of, lanczos_vector next, lanczos_vector v, failure *f);

/* A, and borrowed vectors, which are overwritten; v is the start vector. */
typedef struct {
    int parts;
    lanczos_vector v, former, next;
    lanczos_apply *apply;
    void *of;
    const char *what;                  /* for reasons: "the spectrum of gamma5 Dw" */
} lanczos_task;

/* False with the reason if `apply` fails, or if 200 steps do not reach the accuracy. */
bool lanczos_largest(double *largest, const lanczos_task *task, failure *f);

#endif
