/* lanczos_end.c - the eigenvalue of largest modulus of a hermitian operator. */
#include "src/measure/lanczos_end.h"

#include <gsl/gsl_eigen.h>
#include <math.h>

enum { STEPS = 200 };

typedef struct { double alpha[STEPS], beta[STEPS]; } tridiagonal;

static double dot(int parts, lanczos_vector x, lanczos_vector y)
{
    double sum = 0;
    for (int i = 0; i < parts; i++)
        sum += vec_dot(x.part[i], y.part[i]).re;
    return sum;
}

static double norm(int parts, lanczos_vector x)
{
    double sum = 0;
    for (int i = 0; i < parts; i++)
        sum += vec_norm2(x.part[i]);
    return sqrt(sum);
}

static void scale(int parts, lanczos_vector v, double a)
{
    for (int i = 0; i < parts; i++)
        vec_combine(v.part[i], a, v.part[i], NULL, NULL, 0);
}

static void axpy(int parts, lanczos_vector y, double a, lanczos_vector x)
{
    for (int i = 0; i < parts; i++)
        vec_axpy(y.part[i], a, x.part[i]);
}

/* The eigenvalue of largest modulus of the first n rows, and a bound on its distance from an eigenvalue of the
 * operator. */
typedef struct { double size, bound; } ritz_value;
static ritz_value outermost(const tridiagonal *t, int n)
{
    const size_t last = (size_t)n - 1;
    gsl_matrix *m = gsl_matrix_calloc((size_t)n, (size_t)n), *s = gsl_matrix_alloc((size_t)n, (size_t)n);
    gsl_vector *theta = gsl_vector_alloc((size_t)n);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc((size_t)n);
    for (size_t j = 0; j <= last; j++) {
        gsl_matrix_set(m, j, j, t->alpha[j]);
        if (j > 0) {
            gsl_matrix_set(m, j, j - 1, t->beta[j - 1]);
            gsl_matrix_set(m, j - 1, j, t->beta[j - 1]);
        }
    }
    gsl_eigen_symmv(m, theta, s, work);
    size_t top = gsl_vector_max_index(theta), bottom = gsl_vector_min_index(theta);
    size_t far = gsl_vector_get(theta, top) > -gsl_vector_get(theta, bottom) ? top : bottom;
    ritz_value r = { fabs(gsl_vector_get(theta, far)), t->beta[last] * fabs(gsl_matrix_get(s, last, far)) };
    gsl_eigen_symmv_free(work);
    gsl_vector_free(theta);
    gsl_matrix_free(s);
    gsl_matrix_free(m);
    return r;
}

bool lanczos_largest(double *largest, const lanczos_task *task, failure *f)
{
    const int parts = task->parts;
    lanczos_vector v = task->v, former = task->former, next = task->next;
    tridiagonal t;
    ritz_value found = { 0, INFINITY };
    for (int i = 0; i < parts; i++)
        vec_zero(former.part[i]);
    scale(parts, v, 1 / norm(parts, v));
    for (int n = 0; n < STEPS && found.bound > LANCZOS_ACCURACY * found.size; n++) {
        if (!task->apply(task->of, next, v, f))
            return false;
        if (n > 0)
            axpy(parts, next, -t.beta[n - 1], former);
        t.alpha[n] = dot(parts, v, next);
        axpy(parts, next, -t.alpha[n], v);
        t.beta[n] = norm(parts, next);
        if (!isfinite(t.alpha[n]) || !isfinite(t.beta[n]))
            return fail(f, "%s: the result is not finite", task->what);
        found = outermost(&t, n + 1);
        scale(parts, next, 1 / t.beta[n]);
        const lanczos_vector free_now = former;
        former = v;
        v = next;
        next = free_now;
    }
    *largest = found.size;
    return found.bound <= LANCZOS_ACCURACY * found.size
           || fail(f, "%s: after %d Lanczos steps the relative error of its end is %.2g, requested %g", task->what,
                   STEPS, found.bound / found.size, LANCZOS_ACCURACY);
}
