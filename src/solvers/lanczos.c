/* lanczos.c - the ends of a hermitian operator's spectrum (C. Lanczos, 1950).
 *
 *     beta_j v_j+1 = A v_j - alpha_j v_j - beta_j-1 v_j-1,   alpha_j = <v_j, A v_j>,   |v_j+1| = 1
 * The eigenvalues theta of the tridiagonal matrix of alpha and beta approach the eigenvalues of A from inside.  For an
 * eigenvector s of the matrix, an eigenvalue of A lies within beta_last |s_last| of theta.  The largest theta plus this
 * distance is an upper bound of the largest eigenvalue, unless v_1 has hardly any component along its eigenvector. */
#include "src/solvers/cg_space.h"

#include <assert.h>
#include <gsl/gsl_eigen.h>
#include <math.h>

/* If the next direction is smaller than its terms by this factor, it has only rounding errors. */
#define INVARIANT 1e-13

static spectrum_estimate ritz_values(const double *alpha, const double *beta, int n)
{
    gsl_matrix *t = gsl_matrix_calloc((size_t)n, (size_t)n), *s = gsl_matrix_alloc((size_t)n, (size_t)n);
    gsl_vector *theta = gsl_vector_alloc((size_t)n);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc((size_t)n);
    for (size_t j = 0; j < (size_t)n; j++) {
        gsl_matrix_set(t, j, j, alpha[j]);
        if (j > 0) {
            gsl_matrix_set(t, j, j - 1, beta[j - 1]);
            gsl_matrix_set(t, j - 1, j, beta[j - 1]);
        }
    }
    gsl_eigen_symmv(t, theta, s, work);
    size_t top = gsl_vector_max_index(theta);
    spectrum_estimate e = { .largest = gsl_vector_get(theta, top) +
                                       beta[n - 1] * fabs(gsl_matrix_get(s, (size_t)n - 1, top)),
                            .smallest = gsl_vector_min(theta), .steps = n };
    gsl_eigen_symmv_free(work);
    gsl_vector_free(theta);
    gsl_matrix_free(s);
    gsl_matrix_free(t);
    return e;
}

spectrum_estimate lanczos_spectrum(const linop *a, const vec *start, int steps, cg_space *w)
{
    vec *v = w->v[0], *former = w->v[1], *next = w->v[2];
    double alpha[steps], beta[steps], norm2 = vec_norm2(start), largest = 0;
    int n = 0;
    assert(steps > 0);
    if (!(norm2 > 0 && isfinite(norm2)))
        return (spectrum_estimate){ NAN, NAN, 0 };
    vec_combine(v, 1 / sqrt(norm2), start, NULL, NULL, 0);
    vec_zero(former);
    while (n < steps) {
        alpha[n] = a->apply_dot(a, next, 0, v, n > 0 ? alpha[n - 1] : 1);
        if (n > 0)
            vec_axpy(next, -beta[n - 1], former);
        norm2 = vec_axpy_norm2(next, -alpha[n], v, n > 0 ? beta[n - 1] * beta[n - 1] : 1);
        if (!isfinite(alpha[n]) || !isfinite(norm2))
            return (spectrum_estimate){ NAN, NAN, n };
        beta[n] = sqrt(norm2);
        largest = fmax(largest, fabs(alpha[n]) + beta[n]);
        if (beta[n++] <= INVARIANT * largest)
            break;
        vec *free_now = former;
        former = v;
        v = next;
        next = free_now;
        vec_combine(v, 1 / beta[n - 1], v, NULL, NULL, 0);
    }
    return ritz_values(alpha, beta, n);
}
