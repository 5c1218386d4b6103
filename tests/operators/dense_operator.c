/* dense_operator.c - an operator on a small lattice as a dense matrix, for GSL. */
#include "tests/operators/dense_operator.h"

#include "src/base/memory.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sort_vector.h>

enum { COLORS = VEC_REALS / 2 };

/* Whether v lives on the site of this lexicographic rank. */
static bool lives_on(const vec *v, int64_t rank)
{
    const int *n = lattice_global(v->f.lattice);
    int64_t sum = rank % n[0] + rank / n[0] % n[1] + rank / n[0] / n[1] % n[2] + rank / n[0] / n[1] / n[2];
    return v->f.on == ON_ALL || sum % 2 == (v->f.on == ON_ODD);
}

/* Components of a site: colors, of spinors in each spin of a slice; and what is repeated for each slice. */
static int components_of_site(const vec *v)
{
    return COLORS * (v->f.slabs > 1 ? SLAB_GROUP : 1);
}

static int64_t Ls(const vec *v)
{
    return v->f.slabs > 1 ? v->f.slabs / SLAB_GROUP : 1;
}

static size_t components(const vec *v)
{
    size_t sites = (size_t)lattice_volume(v->f.lattice) / (v->f.on == ON_ALL ? 1 : 2);
    return sites * (size_t)v->f.slabs * COLORS;
}

/* Numbers of all sites from or to those of the sites that v lives on. */
static double *all_sites(const vec *v)
{
    size_t count = (size_t)lattice_volume(v->f.lattice) * (size_t)v->f.slabs * VEC_REALS;
    return memory_alloc(count * sizeof(double), "a dense vector");
}

/* Where the component after *i is in the numbers of all sites; NULL after the last one. */
static double *next_component(double *all, const vec *v, int64_t *i)
{
    const int64_t volume = lattice_volume(v->f.lattice), end = Ls(v) * volume * components_of_site(v);
    for (++*i; *i < end; ++*i)
        if (lives_on(v, *i / components_of_site(v) % volume))
            return all + 2 * *i;
    return NULL;
}

gsl_vector_complex *dense_vector(const vec *v)
{
    gsl_vector_complex *d = gsl_vector_complex_alloc(components(v));
    double *all = all_sites(v);
    size_t n = 0;
    int64_t i = -1;
    vec_export(all, v);
    for (const double *z = next_component(all, v, &i); z; z = next_component(all, v, &i))
        gsl_vector_complex_set(d, n++, gsl_complex_rect(z[0], z[1]));
    memory_free(all);
    return d;
}

void dense_to_vec(vec *v, const gsl_vector_complex *d)
{
    double *all = all_sites(v);
    size_t n = 0;
    int64_t i = -1;
    for (double *z = next_component(all, v, &i); z; z = next_component(all, v, &i)) {
        const gsl_complex c = gsl_vector_complex_get(d, n++);
        z[0] = GSL_REAL(c);
        z[1] = GSL_IMAG(c);
    }
    vec_import(v, all);
    memory_free(all);
}

gsl_matrix_complex *dense_operator(const linop *a, double shift, const vec *like)
{
    size_t n = components(like);
    vec *in = vec_create_native(like, like->f.precision), *out = vec_create_native(like, like->f.precision);
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

gsl_matrix_complex *dense_invert(gsl_matrix_complex *m)
{
    gsl_matrix_complex *inverse = gsl_matrix_complex_alloc(m->size1, m->size1);
    gsl_permutation *order = gsl_permutation_alloc(m->size1);
    int sign;
    gsl_linalg_complex_LU_decomp(m, order, &sign);
    gsl_linalg_complex_LU_invert(m, order, inverse);
    gsl_permutation_free(order);
    return inverse;
}
