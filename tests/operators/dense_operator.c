/* dense_operator.c - an operator on a small lattice as a dense matrix, for GSL. */
#include "tests/operators/dense_operator.h"

#include "src/base/memory.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_sort_vector.h>

enum { COLOURS = VEC_REALS / 2 };

/* Whether v lives on the site of this lexicographic rank. */
static bool lives_on(const vec *v, int64_t rank)
{
    const int *n = lattice_extents(v->f.lattice);
    int64_t sum = rank % n[0] + rank / n[0] % n[1] + rank / n[0] / n[1] % n[2] + rank / n[0] / n[1] / n[2];
    return v->f.on == ON_ALL || sum % 2 == (v->f.on == ON_ODD);
}

static size_t components(const vec *v)
{
    return (size_t)lattice_volume(v->f.lattice) * COLOURS / (v->f.on == ON_ALL ? 1 : 2);
}

/* Numbers of all sites from or to those of the sites that v lives on. */
static double *all_sites(const vec *v)
{
    return memory_alloc((size_t)lattice_volume(v->f.lattice) * VEC_REALS * sizeof(double), "a dense vector");
}

gsl_vector_complex *dense_vector(const vec *v)
{
    gsl_vector_complex *d = gsl_vector_complex_alloc(components(v));
    double *all = all_sites(v);
    size_t i = 0;
    vec_export(all, v);
    for (int64_t rank = 0; rank < lattice_volume(v->f.lattice); rank++)
        for (int c = 0; lives_on(v, rank) && c < COLOURS; c++) {
            const double *z = all + rank * VEC_REALS + 2 * c;
            gsl_vector_complex_set(d, i++, gsl_complex_rect(z[0], z[1]));
        }
    memory_free(all);
    return d;
}

void dense_to_vec(vec *v, const gsl_vector_complex *d)
{
    double *all = all_sites(v);
    size_t i = 0;
    for (int64_t rank = 0; rank < lattice_volume(v->f.lattice); rank++)
        for (int c = 0; lives_on(v, rank) && c < COLOURS; c++) {
            gsl_complex z = gsl_vector_complex_get(d, i++);
            all[rank * VEC_REALS + 2 * c] = GSL_REAL(z);
            all[rank * VEC_REALS + 2 * c + 1] = GSL_IMAG(z);
        }
    vec_import(v, all);
    memory_free(all);
}

gsl_matrix_complex *dense_operator(const linop *a, double shift, const vec *like)
{
    size_t n = components(like);
    const field *f = &like->f;
    vec *in = vec_create(f->lattice, f->on, f->where, f->precision);
    vec *out = vec_create(f->lattice, f->on, f->where, f->precision);
    gsl_matrix_complex *m = gsl_matrix_complex_alloc(n, n);
    gsl_vector_complex *unit = gsl_vector_complex_alloc(n);
    for (size_t j = 0; j < n; j++) {
        gsl_vector_complex_set_basis(unit, j);
        dense_to_vec(in, unit);
        a->apply(a, out, shift, in);
        gsl_vector_complex *column = dense_vector(out);
        gsl_matrix_complex_set_col(m, j, column);
        gsl_vector_complex_free(column);
    }
    gsl_vector_complex_free(unit);
    vec_free(in);
    vec_free(out);
    return m;
}

gsl_vector *dense_eigenvalues(gsl_matrix_complex *m)
{
    gsl_vector *eigenvalues = gsl_vector_alloc(m->size1);
    gsl_eigen_herm_workspace *work = gsl_eigen_herm_alloc(m->size1);
    gsl_eigen_herm(m, eigenvalues, work);
    gsl_eigen_herm_free(work);
    gsl_sort_vector(eigenvalues);
    return eigenvalues;
}
