/* dwf_spectrum.c - the ends of |gamma5 Dw|.
 *
 * Dw = hop + T is D5 of a single slice with b = 1, c = 0, m = -1: H^-1 is a solve of that.  Of the tridiagonal matrix
 * of Lanczos the eigenvalue theta of largest size is taken; an eigenvalue of the operator lies within
 * beta_last |s_last| of it, s its eigenvector. */
#include "src/measure/dwf_spectrum.h"

#include "src/base/memory.h"
#include "src/operators/dwf_embed.h"

#include <gsl/gsl_eigen.h>
#include <math.h>

#define NEAR_ENOUGH 1e-3               /* relative distance of an eigenvalue from the Ritz value */
#define SOLVE_RESIDUAL 1e-9            /* of A; eigenvalues of H down to about its square root are resolved */
enum { STEPS = 200 };

typedef struct { double alpha[STEPS], beta[STEPS]; } tridiagonal;

struct dwf_spectrum {
    dwf_matrix matrix;                /* Dw */
    dwf_field v, former, next;        /* of Lanczos */
    dwf_field turned;                 /* gamma5 v */
    vec *even, *odd[2], *rhs, *solution;
    cg_space *space;
};

dwf_spectrum *dwf_spectrum_create(const gauge *u, double M5)
{
    dwf_spectrum *s = memory_alloc(sizeof *s, "the spectrum of the kernel");
    const dwf_weights single = { .Ls = 1, .M5 = M5, .b = { 1 }, .c = { 0 } };
    s->matrix = dwf_matrix_of(&single, -1, (fifth_corner){ 0, 0, 0 });
    s->v = dwf_field_create(u, 1);
    s->former = dwf_field_create(u, 1);
    s->next = dwf_field_create(u, 1);
    s->turned = dwf_field_create(u, 1);
    s->even = vec_create_native(s->v.even, PRECISION_DOUBLE);
    vec **of[] = { &s->odd[0], &s->odd[1], &s->rhs, &s->solution };
    for (int i = 0; i < 4; i++)
        *of[i] = vec_create_native(s->v.odd, PRECISION_DOUBLE);
    s->space = cg_space_create_like(s->rhs, 1);
    return s;
}

void dwf_spectrum_free(dwf_spectrum *s)
{
    if (!s)
        return;
    dwf_field_free(s->v);
    dwf_field_free(s->former);
    dwf_field_free(s->next);
    dwf_field_free(s->turned);
    vec_free(s->even);
    vec_free(s->odd[0]);
    vec_free(s->odd[1]);
    vec_free(s->rhs);
    vec_free(s->solution);
    cg_space_free(s->space);
    memory_free(s);
}

memory_need dwf_spectrum_bytes(const lattice_shape *shape)
{
    memory_need need = cg_space_bytes(shape, PRECISION_DOUBLE, ON_ODD, SLAB_GROUP, 1);
    need.lasting += SLAB_GROUP * 13 * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
    return need;
}

/* ---- H and its inverse */

/* next <- an operator of v */
typedef bool step_fn(dwf_spectrum *s, const dwf_spectrum_task *task, int64_t *iterations, failure *f);

static void turn(dwf_field out, dwf_field in)
{
    dwf_reflect(out.even, in.even);
    dwf_reflect(out.odd, in.odd);
}

/* gamma5 Dw = Dw^+ gamma5 */
static bool apply(dwf_spectrum *s, const dwf_spectrum_task *task, int64_t *iterations, failure *f)
{
    const dwf_field room = { s->even, s->rhs };
    (void)iterations, (void)f;
    turn(s->turned, s->v);
    dwf_apply(s->next, task->links, &s->matrix, true, s->turned, room);
    return true;
}

/* Dw^-1 gamma5 */
static bool solve(dwf_spectrum *s, const dwf_spectrum_task *task, int64_t *iterations, failure *f)
{
    const dwf_links *links = task->links;
    const dwf_op op = dwf_op_make(links, &s->matrix, &s->even, (vec *const (*)[2])&s->odd, 1);
    const stop_rule stop = { SOLVE_RESIDUAL, task->max_iterations };
    turn(s->turned, s->v);
    dwf_prepare(s->solution, links, &s->matrix, s->turned, s->even);
    dwf_c_dagger(s->rhs, links, &s->matrix, s->solution, s->even, s->odd[0]);
    vec_zero(s->solution);
    const solve_result r = cg_solve(&op.base, s->solution, 0, s->rhs, stop, s->space);
    *iterations += r.iterations;
    dwf_reconstruct(s->next, links, &s->matrix, s->turned, s->solution, s->even);
    return r.converged
           || fail(f, "the smallest eigenvalue of gamma5 Dw: residual %.1e after %d iterations, requested %.1e",
                   r.residual, r.iterations, SOLVE_RESIDUAL);
}

/* ---- Lanczos */

static void scale(dwf_field v, double a)
{
    vec_combine(v.even, a, v.even, NULL, NULL, 0);
    vec_combine(v.odd, a, v.odd, NULL, NULL, 0);
}

static double norm(dwf_field x)
{
    return sqrt(dwf_field_norm2(x));
}

/* The eigenvalue of largest modulus of the first n rows, and a bound on its distance from one of the operator. */
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

/* The largest modulus of an eigenvalue of the operator, from below. */
static bool largest_of(double *largest, dwf_spectrum *s, step_fn *step, const dwf_spectrum_task *task,
                       int64_t *iterations, failure *f)
{
    tridiagonal t;
    ritz_value found = { 0, INFINITY };
    vec_set_gaussian(s->v.even, task->key, task->first_draw);
    vec_set_gaussian(s->v.odd, task->key, task->first_draw);
    vec_zero(s->former.even);
    vec_zero(s->former.odd);
    scale(s->v, 1 / norm(s->v));
    for (int n = 0; n < STEPS && found.bound > NEAR_ENOUGH * found.size; n++) {
        if (!step(s, task, iterations, f))
            return false;
        if (n > 0)
            dwf_field_axpy(s->next, -t.beta[n - 1], s->former);
        t.alpha[n] = dwf_field_dot(s->v, s->next).re;
        dwf_field_axpy(s->next, -t.alpha[n], s->v);
        t.beta[n] = norm(s->next);
        if (!isfinite(t.alpha[n]) || !isfinite(t.beta[n]))
            return fail(f, "the spectrum of gamma5 Dw: the result is not finite");
        found = outermost(&t, n + 1);
        scale(s->next, 1 / t.beta[n]);
        const dwf_field free_now = s->former;
        s->former = s->v;
        s->v = s->next;
        s->next = free_now;
    }
    *largest = found.size;
    return found.bound <= NEAR_ENOUGH * found.size
           || fail(f, "the spectrum of gamma5 Dw: after %d Lanczos steps the relative error of its end is %.2g, "
                      "requested %g", STEPS, found.bound / found.size, NEAR_ENOUGH);
}

bool dwf_spectrum_measure(kernel_range *r, dwf_spectrum *s, const dwf_spectrum_task *task, failure *f)
{
    double inverse;
    r->iterations = 0;
    if (!largest_of(&r->largest, s, apply, task, &r->iterations, f)
        || !largest_of(&inverse, s, solve, task, &r->iterations, f))
        return false;
    r->smallest = 1 / inverse;
    return true;
}
