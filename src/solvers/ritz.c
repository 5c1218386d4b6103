/* ritz.c - the projection of a hermitian operator on the Lanczos vectors, and its eigenpairs. */
#include "src/solvers/ritz.h"

#include "src/base/memory.h"

#include <gsl/gsl_eigen.h>
#include <math.h>

ritz *ritz_create(int most)
{
    ritz *r = memory_alloc(sizeof *r, "a projected operator");
    r->t = gsl_matrix_calloc((size_t)most, (size_t)most);
    return r;
}

static void forget_pairs(ritz *r)
{
    if (r->theta) {
        gsl_vector_free(r->theta);
        gsl_matrix_free(r->s);
    }
    r->theta = NULL;
    r->s = NULL;
    r->size = 0;
}

void ritz_free(ritz *r)
{
    if (!r)
        return;
    forget_pairs(r);
    gsl_matrix_free(r->t);
    memory_free(r);
}

void ritz_clear(ritz *r)
{
    gsl_matrix_set_zero(r->t);
}

void ritz_set_diagonal(ritz *r, int row, double alpha)
{
    gsl_matrix_set(r->t, (size_t)row, (size_t)row, alpha);
}

static void couple(ritz *r, size_t i, size_t j, double beta)
{
    gsl_matrix_set(r->t, i, j, beta);
    gsl_matrix_set(r->t, j, i, beta);
}

void ritz_set_next(ritz *r, int row, double beta)
{
    couple(r, (size_t)row, (size_t)row + 1, beta);
}

void ritz_solve(ritz *r, int count, double last)
{
    const size_t n = (size_t)count;
    gsl_matrix *copy = gsl_matrix_alloc(n, n);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(n);
    const gsl_matrix_view part = gsl_matrix_submatrix(r->t, 0, 0, n, n);
    forget_pairs(r);
    r->theta = gsl_vector_alloc(n);
    r->s = gsl_matrix_alloc(n, n);
    r->size = n;
    r->last = last;
    gsl_matrix_memcpy(copy, &part.matrix);
    gsl_eigen_symmv(copy, r->theta, r->s, work);
    gsl_eigen_symmv_sort(r->theta, r->s, GSL_EIGEN_SORT_VAL_DESC);
    gsl_eigen_symmv_free(work);
    gsl_matrix_free(copy);
}

double ritz_value(const ritz *r, int i)
{
    return gsl_vector_get(r->theta, (size_t)i);
}

double ritz_coefficient(const ritz *r, int row, int i)
{
    return gsl_matrix_get(r->s, (size_t)row, (size_t)i);
}

static double coupling(const ritz *r, int i)
{
    return r->last * ritz_coefficient(r, (int)r->size - 1, i);
}

double ritz_bound(const ritz *r, int i)
{
    return fabs(coupling(r, i));
}

void ritz_restart(ritz *r, int kept)
{
    ritz_clear(r);
    for (int i = 0; i < kept; i++) {
        ritz_set_diagonal(r, i, ritz_value(r, i));
        couple(r, (size_t)i, (size_t)kept, coupling(r, i));
    }
}
