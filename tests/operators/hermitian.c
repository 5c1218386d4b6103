/* hermitian.c - eigenvalues, powers and determinants of hermitian matrices by GSL. */
#include "tests/operators/hermitian.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <math.h>

hermitian hermitian_of(const gsl_matrix_complex *m)
{
    hermitian s = { gsl_vector_alloc(m->size1), gsl_matrix_complex_alloc(m->size1, m->size1) };
    gsl_matrix_complex *copy = gsl_matrix_complex_alloc(m->size1, m->size1);
    gsl_eigen_hermv_workspace *space = gsl_eigen_hermv_alloc(m->size1);
    gsl_matrix_complex_memcpy(copy, m);
    gsl_eigen_hermv(copy, s.eigenvalue, s.v, space);
    gsl_eigen_hermv_free(space);
    gsl_matrix_complex_free(copy);
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
            worst = fmax(worst, gsl_complex_abs(gsl_complex_sub(x, gsl_complex_conjugate(y))));
            size = fmax(size, gsl_complex_abs(x));
        }
    return worst / size;
}
