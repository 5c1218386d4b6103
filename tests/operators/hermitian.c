/* hermitian.c - eigenvalues, powers and determinants of hermitian matrices by GSL. */
#include "tests/operators/hermitian.h"

#include "tests/facts.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

/* The eigenvectors of a real tridiagonal matrix, as columns. */
static gsl_matrix *tridiagonal_vectors(const gsl_vector *diagonal, const gsl_vector *beside, gsl_vector *eigenvalue)
{
    const size_t n = diagonal->size;
    gsl_matrix *t = gsl_matrix_calloc(n, n), *z = gsl_matrix_alloc(n, n);
    gsl_vector_view on = gsl_matrix_diagonal(t), below = gsl_matrix_subdiagonal(t, 1);
    gsl_vector_view above = gsl_matrix_superdiagonal(t, 1);
    gsl_vector_memcpy(&on.vector, diagonal);
    gsl_vector_memcpy(&below.vector, beside);
    gsl_vector_memcpy(&above.vector, beside);
    gsl_eigen_symmv_workspace *space = gsl_eigen_symmv_alloc(n);
    gsl_eigen_symmv(t, eigenvalue, z, space);
    gsl_eigen_symmv_free(space);
    gsl_matrix_free(t);
    return z;
}

/* gsl_eigen_hermv rotates complex vectors element by element; here real ones are rotated, and multiplied once. */
hermitian hermitian_of(const gsl_matrix_complex *m)
{
    const size_t n = m->size1;
    hermitian s = { gsl_vector_alloc(n), gsl_matrix_complex_alloc(n, n) };
    gsl_matrix_complex *reduced = gsl_matrix_complex_alloc(n, n);
    gsl_vector_complex *tau = gsl_vector_complex_alloc(n - 1);
    gsl_vector *diagonal = gsl_vector_alloc(n), *beside = gsl_vector_alloc(n - 1);
    gsl_matrix_complex_memcpy(reduced, m);
    gsl_linalg_hermtd_decomp(reduced, tau);
    gsl_linalg_hermtd_unpack(reduced, tau, s.v, diagonal, beside);
    gsl_matrix *z = tridiagonal_vectors(diagonal, beside, s.eigenvalue);
    gsl_matrix *part = gsl_matrix_alloc(n, n), *product = gsl_matrix_alloc(n, n);
    for (int of = 0; of < 2; of++) {                                     /* the real part, the imaginary part */
        gsl_matrix_view parts = gsl_matrix_view_array(s.v->data, n, 2 * n);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                gsl_matrix_set(part, i, j, gsl_matrix_get(&parts.matrix, i, 2 * j + (size_t)of));
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, part, z, 0, product);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                gsl_matrix_set(&parts.matrix, i, 2 * j + (size_t)of, gsl_matrix_get(product, i, j));
    }
    gsl_matrix_free(product);
    gsl_matrix_free(part);
    gsl_matrix_free(z);
    gsl_vector_free(beside);
    gsl_vector_free(diagonal);
    gsl_vector_complex_free(tau);
    gsl_matrix_complex_free(reduced);
    return s;
}

void hermitian_free(hermitian *s)
{
    gsl_vector_free(s->eigenvalue);
    gsl_matrix_complex_free(s->v);
}

double hermitian_log_det(const hermitian *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->eigenvalue->size; i++)
        sum += log(gsl_vector_get(s->eigenvalue, i));
    return sum;
}

void hermitian_power(const hermitian *s, double power, gsl_vector_complex *x)
{
    gsl_vector_complex *parts = gsl_vector_complex_alloc(x->size);
    gsl_complex one = gsl_complex_rect(1, 0), zero = gsl_complex_rect(0, 0);
    gsl_blas_zgemv(CblasConjTrans, one, s->v, x, zero, parts);
    for (size_t i = 0; i < x->size; i++) {
        gsl_complex *z = gsl_vector_complex_ptr(parts, i);
        *z = gsl_complex_mul_real(*z, pow(gsl_vector_get(s->eigenvalue, i), power));
    }
    gsl_blas_zgemv(CblasNoTrans, one, s->v, parts, zero, x);
    gsl_vector_complex_free(parts);
}

double dense_distance(const gsl_vector_complex *x, const gsl_vector_complex *want)
{
    gsl_vector_complex *d = gsl_vector_complex_alloc(x->size);
    gsl_vector_complex_memcpy(d, x);
    gsl_vector_complex_sub(d, want);
    double apart = gsl_blas_dznrm2(d) / gsl_blas_dznrm2(want);
    gsl_vector_complex_free(d);
    return apart;
}

double asymmetry(const gsl_matrix_complex *m)
{
    double worst = 0, size = 0;
    for (size_t i = 0; i < m->size1; i++)
        for (size_t j = 0; j < m->size1; j++) {
            gsl_complex x = gsl_matrix_complex_get(m, i, j), y = gsl_matrix_complex_get(m, j, i);
            worst = worse(worst, gsl_complex_abs(gsl_complex_sub(x, gsl_complex_conjugate(y))));
            size = fmax(size, gsl_complex_abs(x));
        }
    return worst / size;
}
