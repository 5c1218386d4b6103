/* kernel_modes.c - the eigenvectors of the kernel with the smallest eigenvalues. */
#include "src/overlap/kernel_modes.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/lattice/vec_mixed.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <math.h>

/* MODE_RESIDUAL: the requested |H^2 x - lambda^2 x|, in units of the largest eigenvalue of H^2 times the accuracy of
 * the sign; at least MODE_RESIDUAL_LEAST (without the accuracy), near rounding errors.  REST_MARGIN: the lower bound of
 * the other |lambda| over the largest computed one; allows for errors of eigenvalues. */
#define MODE_RESIDUAL 1e-4
#define MODE_RESIDUAL_LEAST 1e-14
#define REST_MARGIN 0.99
enum { MODE_RESTARTS = 1000 };

struct kernel_modes {
    int requested, count;
    eigen_space *space;                  /* of H^2 */
    vec *mode[KERNEL_MODES_MAX];         /* [requested], of H */
    vec *image;                          /* H x */
    double value[KERNEL_MODES_MAX], residual[KERNEL_MODES_MAX], rest;
    int64_t applications;
};

kernel_modes *kernel_modes_create(const gauge *u, int count)
{
    kernel_modes *m = memory_alloc(sizeof *m, "modes of the kernel");
    m->requested = count;
    m->image = spinor_pair_create(u);
    m->space = eigen_space_create(m->image, count, eigen_basis(count));
    for (int i = 0; i < count; i++)
        m->mode[i] = spinor_pair_create(u);
    return m;
}

void kernel_modes_free(kernel_modes *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->requested; i++)
        vec_free(m->mode[i]);
    eigen_space_free(m->space);
    vec_free(m->image);
    memory_free(m);
}

size_t kernel_modes_bytes(const lattice_shape *shape, int count)
{
    return (size_t)(1 + count + eigen_space_vectors(count, eigen_basis(count))) * spinor_pair_bytes(shape);
}

int kernel_modes_count(const kernel_modes *m) { return m->count; }
const double *kernel_modes_values(const kernel_modes *m) { return m->value; }
const double *kernel_modes_residuals(const kernel_modes *m) { return m->residual; }
int64_t kernel_modes_applications(const kernel_modes *m) { return m->applications; }
double kernel_modes_rest(const kernel_modes *m) { return m->rest; }

/* dot_i <- x_i^+ v */
static void dots(complex_number *dot, vec *const *x, const vec *v, double size, int count)
{
    for (int done = 0; done < count; done += VEC_DOTS_MAX)
        vec_dots(dot + done, x + done, v, size, count - done < VEC_DOTS_MAX ? count - done : VEC_DOTS_MAX);
}

void kernel_modes_remove(vec *rest, complex_number part[KERNEL_MODES_MAX], const kernel_modes *m, const vec *v)
{
    complex_number minus[KERNEL_MODES_MAX];
    const double size = sqrt(vec_norm2(v));
    vec_copy(rest, v);
    if (size == 0 || m->count == 0) {
        for (int i = 0; i < m->count; i++)
            part[i] = (complex_number){ 0, 0 };
        return;
    }
    dots(part, m->mode, v, size, m->count);
    for (int i = 0; i < m->count; i++)
        minus[i] = (complex_number){ -part[i].re, -part[i].im };
    vec_project(rest, 1, minus, m->mode, m->count);
}

void kernel_modes_add_signs(vec *out, const kernel_modes *m, const complex_number *part)
{
    complex_number c[KERNEL_MODES_MAX];
    for (int i = 0; i < m->count; i++) {
        const double sign = m->value[i] < 0 ? -1 : 1;
        c[i] = (complex_number){ sign * part[i].re, sign * part[i].im };
    }
    if (m->count > 0)
        vec_project(out, 1, c, m->mode, m->count);
}

/* ---- eigenvectors of H in the space of those of H^2 */

/* The matrix x_i^+ H x_j, made hermitian. */
static gsl_matrix_complex *matrix_of(const kernel_modes *m, const wilson_kernel *k, vec *const *x, int count)
{
    const size_t n = (size_t)count;
    gsl_matrix_complex *h = gsl_matrix_complex_alloc(n, n);
    complex_number column[KERNEL_MODES_MAX];
    for (size_t j = 0; j < n; j++) {
        wilson_kernel_hermitian(m->image, k, x[j]);
        dots(column, x, m->image, sqrt(vec_norm2(m->image)), count);
        for (size_t i = 0; i <= j; i++) {
            gsl_matrix_complex_set(h, i, j, gsl_complex_rect(column[i].re, i == j ? 0 : column[i].im));
            gsl_matrix_complex_set(h, j, i, gsl_complex_rect(column[i].re, i == j ? 0 : -column[i].im));
        }
    }
    return h;
}

/* rotation[i count + j]: the coefficient of x_j in mode i.  Rank 0 sends it to all, because processors may round
 * differently.  The caller frees it. */
static complex_number *rotation_of(gsl_matrix_complex *h)
{
    const size_t n = h->size1;
    gsl_vector *value = gsl_vector_alloc(n);
    gsl_matrix_complex *vector = gsl_matrix_complex_alloc(n, n);
    gsl_eigen_hermv_workspace *work = gsl_eigen_hermv_alloc(n);
    complex_number *rotation = memory_alloc(n * n * sizeof *rotation, "eigenvectors");
    gsl_eigen_hermv(h, value, vector, work);
    gsl_eigen_hermv_sort(value, vector, GSL_EIGEN_SORT_ABS_ASC);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const gsl_complex c = gsl_matrix_complex_get(vector, j, i);
            rotation[i * n + j] = (complex_number){ GSL_REAL(c), GSL_IMAG(c) };
        }
    comm_broadcast(comm_world(), rotation, n * n * sizeof *rotation);
    gsl_eigen_hermv_free(work);
    gsl_matrix_complex_free(vector);
    gsl_vector_free(value);
    return rotation;
}

/* Adds x, which it normalizes, as the next mode, or drops it. */
static void add_mode(kernel_modes *m, const wilson_kernel *k, vec *x, const kernel_modes_goal *goal)
{
    const double norm2 = vec_norm2(x), upper = 8 - k->M0;
    wilson_kernel_hermitian(m->image, k, x);
    const double value = vec_dot(x, m->image).re / norm2, size = sqrt(vec_norm2(m->image) / norm2);
    vec_axpy(m->image, -value, x);
    const double residual = sqrt(vec_norm2(m->image) / norm2);
    if (!(residual <= fmax(goal->accuracy * fabs(value), KERNEL_MODES_ROUNDING * upper))) {
        m->rest = fmin(m->rest, REST_MARGIN * size);
        return;
    }
    vec_combine(x, 1 / sqrt(norm2), x, NULL, NULL, 0);
    m->value[m->count] = value;
    m->residual[m->count] = residual;
    m->count++;
}

static void rotate(kernel_modes *m, const wilson_kernel *k, vec *const *x, int found, const kernel_modes_goal *goal)
{
    gsl_matrix_complex *h = matrix_of(m, k, x, found);
    complex_number *rotation = rotation_of(h);
    for (int i = 0; i < found; i++) {
        vec *next = m->mode[m->count];
        vec_zero(next);
        vec_project(next, 1, rotation + (size_t)i * (size_t)found, x, found);
        add_mode(m, k, next, goal);
    }
    memory_free(rotation);
    gsl_matrix_complex_free(h);
}

bool kernel_modes_compute(kernel_modes *m, const wilson_kernel *k, const kernel_modes_goal *goal, failure *f)
{
    const eigen_goal lowest = { .count = m->requested, .basis = eigen_basis(m->requested),
                                .residual = fmax(MODE_RESIDUAL * goal->accuracy, MODE_RESIDUAL_LEAST),
                                .max_restarts = MODE_RESTARTS };
    vec *x[KERNEL_MODES_MAX];
    const eigen_result r = eigen_lowest(&k->base, m->space, &lowest, goal->key, goal->first_draw);
    m->applications = r.applications;
    m->count = 0;
    m->rest = INFINITY;
    if (!r.converged)
        return fail(f, "modes of the kernel: %s", r.why.why);
    for (int i = 0; i < r.found; i++)
        x[i] = eigen_pairs(m->space)[i].x;
    rotate(m, k, x, r.found, goal);
    const double largest = sqrt(fmax(eigen_pairs(m->space)[r.found - 1].value, 0));
    m->rest = fmin(m->rest, REST_MARGIN * largest);
    return true;
}
