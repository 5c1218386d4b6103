/* dense_overlap.c - the overlap operator, dense on a small lattice. */
#include "tests/measure/dense_overlap.h"

#include "src/base/memory.h"
#include "tests/operators/hermitian.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <string.h>

enum { SPINOR = 12 };

static double gamma5_of(size_t component)
{
    return component % SPINOR < SPINOR / 2 ? 1 : -1;
}

/* Column by column: hop from one parity to the other, and (4 - M5) on the diagonal. */
static gsl_matrix_complex *dense_wilson(const hop_links *links, lattice *l, place where, double M5)
{
    const size_t n = (size_t)lattice_volume(l) * SPINOR;
    gsl_matrix_complex *m = gsl_matrix_complex_alloc(n, n);
    double *unit = memory_alloc(2 * n * sizeof *unit, "a column");
    double *even = memory_alloc(2 * n * sizeof *even, "a column"), *odd = memory_alloc(2 * n * sizeof *odd, "a column");
    spinor_field in = { spinor_vec_create(l, ON_EVEN, where, PRECISION_DOUBLE, 1),
                      spinor_vec_create(l, ON_ODD, where, PRECISION_DOUBLE, 1) };
    spinor_field out = { spinor_vec_create(l, ON_EVEN, where, PRECISION_DOUBLE, 1),
                       spinor_vec_create(l, ON_ODD, where, PRECISION_DOUBLE, 1) };
    for (size_t j = 0; j < n; j++) {
        memset(unit, 0, 2 * n * sizeof *unit);
        unit[2 * j] = 1;
        vec_import(in.even, unit);
        vec_import(in.odd, unit);
        dwf_hop(out.even, links, false, in.odd);
        dwf_hop(out.odd, links, false, in.even);
        vec_export(even, out.even);
        vec_export(odd, out.odd);
        for (size_t i = 0; i < n; i++)
            gsl_matrix_complex_set(m, i, j, gsl_complex_rect(even[2 * i] + odd[2 * i] + (i == j ? 4 - M5 : 0),
                                                             even[2 * i + 1] + odd[2 * i + 1]));
    }
    vec_free(in.even);
    vec_free(in.odd);
    vec_free(out.even);
    vec_free(out.odd);
    memory_free(unit);
    memory_free(even);
    memory_free(odd);
    return m;
}

static gsl_matrix_complex *inverse_of(gsl_matrix_complex *m)
{
    gsl_permutation *order = gsl_permutation_alloc(m->size1);
    gsl_matrix_complex *inverse = gsl_matrix_complex_alloc(m->size1, m->size1);
    int sign;
    gsl_linalg_complex_LU_decomp(m, order, &sign);
    gsl_linalg_complex_LU_invert(m, order, inverse);
    gsl_permutation_free(order);
    return inverse;
}

dense_kernel dense_kernel_of(const hop_links *links, lattice *l, place where, const dwf_weights *w)
{
    gsl_matrix_complex *wilson = dense_wilson(links, l, where, w->M5);
    const size_t n = wilson->size1;
    gsl_matrix_complex *below = gsl_matrix_complex_alloc(n, n), *h = gsl_matrix_complex_alloc(n, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            gsl_matrix_complex_set(below, i, j,
                                   gsl_complex_add_real(gsl_complex_mul_real(gsl_matrix_complex_get(wilson, i, j),
                                                                             w->b[0] - w->c[0]), i == j ? 2 : 0));
    gsl_matrix_complex *inverse = inverse_of(below);
    gsl_blas_zgemm(CblasNoTrans, CblasNoTrans, GSL_COMPLEX_ONE, wilson, inverse, GSL_COMPLEX_ZERO, h);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            gsl_matrix_complex_set(h, i, j, gsl_complex_mul_real(gsl_matrix_complex_get(h, i, j), gamma5_of(i)));
    const hermitian taken_apart = hermitian_of(h);
    gsl_matrix_complex_free(inverse);
    gsl_matrix_complex_free(below);
    gsl_matrix_complex_free(wilson);
    gsl_matrix_complex_free(h);
    return (dense_kernel){ n, taken_apart.eigenvalue, taken_apart.v };
}

void dense_kernel_free(dense_kernel *k)
{
    gsl_vector_free(k->value);
    gsl_matrix_complex_free(k->vector);
}

double dense_sign(const dwf_weights *w, double eigenvalue)
{
    double product = 1;
    for (int s = 0; s < w->Ls; s++) {
        const double h = (w->b[s] + w->c[s]) * eigenvalue;
        product *= (1 - h) / (1 + h);
    }
    return (1 - product) / (1 + product);
}

void dense_propagator(double *q, const dense_kernel *k, const double *sign, double mass, const double *eta)
{
    const size_t n = k->n;
    gsl_matrix_complex *scaled = gsl_matrix_complex_alloc(n, n), *d = gsl_matrix_complex_alloc(n, n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    gsl_vector_complex *x = gsl_vector_complex_alloc(n), *b = gsl_vector_complex_alloc(n);
    int parity;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            gsl_matrix_complex_set(scaled, i, j,
                                   gsl_complex_mul_real(gsl_matrix_complex_get(k->vector, i, j), sign[j]));
    gsl_blas_zgemm(CblasNoTrans, CblasConjTrans, GSL_COMPLEX_ONE, scaled, k->vector, GSL_COMPLEX_ZERO, d);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            gsl_matrix_complex_set(d, i, j, gsl_complex_add_real(gsl_complex_mul_real(gsl_matrix_complex_get(d, i, j),
                                                                                      (1 - mass) / 2 * gamma5_of(i)),
                                                                 i == j ? (1 + mass) / 2 : 0));
        gsl_vector_complex_set(b, i, gsl_complex_rect(eta[2 * i], eta[2 * i + 1]));
    }
    gsl_linalg_complex_LU_decomp(d, order, &parity);
    gsl_linalg_complex_LU_solve(d, order, b, x);
    for (size_t i = 0; i < n; i++) {
        q[2 * i] = (GSL_REAL(gsl_vector_complex_get(x, i)) - eta[2 * i]) / (1 - mass);
        q[2 * i + 1] = (GSL_IMAG(gsl_vector_complex_get(x, i)) - eta[2 * i + 1]) / (1 - mass);
    }
    gsl_vector_complex_free(x);
    gsl_vector_complex_free(b);
    gsl_permutation_free(order);
    gsl_matrix_complex_free(scaled);
    gsl_matrix_complex_free(d);
}
