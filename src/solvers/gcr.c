/* gcr.c - flexible GCR. */
#include "src/solvers/gcr.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { PASSES_MOST = 3 };
#define REORTHOGONALIZE 0.01               /* of |A p|^2 */
/* If |r|^2 falls below this fraction of its value at the restart, rounding errors of |r|^2 - sum |<q_j, r>|^2 are too
 * large, and |r| is computed from r.  By the precision of the vectors. */
static const double pythagoras[] = { [PRECISION_SINGLE] = 1e-4, [PRECISION_DOUBLE] = 1e-10 };

/* Iterations of GCR since a restart: A P = Q R with orthonormal q_j; x grows by P R^-1 Q^+ r. */
struct gcr_space {
    int restart;
    vec *r, **p, **q;                      /* p and q: of each iteration */
    complex_number *upper, *along;         /* R[j restart + i], i <= j; <q_j, r> */
    double size2;                          /* of the last A p: a guess of the next one */
    int count;                             /* directions of the last solve since its last restart */
};

gcr_space *gcr_space_create(const vec *like, int restart)
{
    gcr_space *s = memory_alloc(sizeof *s, "vectors of GCR");
    assert(restart <= GCR_RESTART_MAX);
    s->restart = restart;
    s->r = vec_create_native(like, like->f.precision);
    s->p = memory_alloc((size_t)restart * sizeof(vec *), "vectors of GCR");
    s->q = memory_alloc((size_t)restart * sizeof(vec *), "vectors of GCR");
    s->upper = memory_alloc((size_t)(restart * restart) * sizeof *s->upper, "numbers of GCR");
    s->along = memory_alloc((size_t)restart * sizeof *s->along, "numbers of GCR");
    for (int i = 0; i < restart; i++) {
        s->p[i] = vec_create_native(like, like->f.precision);
        s->q[i] = vec_create_native(like, like->f.precision);
    }
    return s;
}

void gcr_space_free(gcr_space *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->restart; i++) {
        vec_free(s->p[i]);
        vec_free(s->q[i]);
    }
    vec_free(s->r);
    memory_free(s->upper);
    memory_free(s->along);
    memory_free(s->p);
    memory_free(s->q);
    memory_free(s);
}

size_t gcr_space_bytes(size_t vector, int restart)
{
    return (size_t)(1 + 2 * restart) * vector;
}

/* r <- b - A x; |r| */
static double true_residual(vec *r, const linop *a, const vec *x, const vec *b)
{
    a->apply(a, r, 0, x);
    vec_xpay(r, b, -1);
    return sqrt(vec_norm2(r));
}

/* c <- c + factor a b */
static complex_number plus_product(complex_number c, double factor, complex_number a, complex_number b)
{
    return (complex_number){ c.re + factor * (a.re * b.re - a.im * b.im), c.im + factor * (a.re * b.im + a.im * b.re) };
}

static double size2_of(complex_number c)
{
    return c.re * c.re + c.im * c.im;
}

/* Makes q_j orthogonal to q_0 .. q_(j-1) and |q_j| = 1, by classical Gram-Schmidt: one launch sums all inner products.
 * Repeats it where |q_j|^2 falls below REORTHOGONALIZE |A p|^2, because rounding errors are then large.  False if
 * nothing is left. */
static bool orthonormalize(gcr_space *s, int j)
{
    vec *q = s->q[j], *with[GCR_RESTART_MAX + 2];
    complex_number dot[GCR_RESTART_MAX + 2], *column = s->upper + j * s->restart;
    memcpy(with, s->q, (size_t)(j + 1) * sizeof *with);
    with[j + 1] = s->r;
    for (int i = 0; i <= j; i++)
        column[i] = (complex_number){ 0 };
    for (int pass = 0; pass < PASSES_MOST; pass++) {
        vec_dots(dot, with, q, fmax(s->size2, sqrt(s->size2)), j + 2);   /* |q|^2; at most |q| with unit vectors */
        const double before = dot[j].re;
        double after = before;
        for (int i = 0; i < j; i++) {
            column[i] = (complex_number){ column[i].re + dot[i].re, column[i].im + dot[i].im };
            after -= size2_of(dot[i]);
            dot[i] = (complex_number){ -dot[i].re, -dot[i].im };
        }
        if (!(before > 0) || isinf(before))
            return false;
        s->size2 = before;
        if (after < REORTHOGONALIZE * before) {
            vec_project(q, 1, dot, s->q, j);
            continue;
        }
        const double size = sqrt(after);
        for (int i = 0; i < j; i++)
            dot[i] = (complex_number){ dot[i].re / size, dot[i].im / size };
        vec_project(q, 1 / size, dot, s->q, j);
        column[j] = (complex_number){ size, 0 };
        s->along[j] = (complex_number){ dot[j + 1].re / size, -dot[j + 1].im / size };
        return true;
    }
    return false;
}

/* One iteration, number j after a restart.  False if it finds no direction. */
static bool iterate(gcr_space *s, const linop *a, const preconditioner *k, int j)
{
    vec *p = s->p[j], *q = s->q[j];
    if (k)
        k->apply(k->of, p, s->r);
    else
        vec_copy(p, s->r);
    a->apply(a, q, 0, p);
    if (!orthonormalize(s, j))
        return false;
    vec_direction(s->r, (complex_number){ -s->along[j].re, -s->along[j].im }, q, 1, s->r);
    return true;
}

/* x <- x + P R^-1 along, with `count` directions */
static void add_directions(vec *x, const gcr_space *s, int count)
{
    complex_number y[GCR_RESTART_MAX];
    for (int i = count - 1; i >= 0; i--) {
        y[i] = s->along[i];
        for (int j = i + 1; j < count; j++)
            y[i] = plus_product(y[i], -1, s->upper[j * s->restart + i], y[j]);
        const double diagonal = s->upper[i * s->restart + i].re;
        y[i] = (complex_number){ y[i].re / diagonal, y[i].im / diagonal };
    }
    vec_project(x, 1, y, s->p, count);
}

/* |r| after iteration j; start: |r| at the restart.  From the sum above, as long as it is accurate. */
static double size_of_residual(const gcr_space *s, double start, int j)
{
    double left = start * start;
    for (int i = 0; i <= j; i++)
        left -= size2_of(s->along[i]);
    return left > pythagoras[s->r->f.precision] * start * start ? sqrt(left) : sqrt(vec_norm2(s->r));
}

/* In iteration j, with p_j = r_j: R_jj q_j = A r_j - sum R_ij q_i, r_j+1 = r_j - along_j q_j. */
int gcr_residual_polynomial(const gcr_space *s, int steps, complex_number *c)
{
    complex_number q[GCR_POLYNOMIAL_MAX][GCR_POLYNOMIAL_MAX + 1] = { { { 0 } } };
    const int most = steps < GCR_POLYNOMIAL_MAX ? steps : GCR_POLYNOMIAL_MAX, n = s->count < most ? s->count : most;
    memset(c, 0, (size_t)(n + 1) * sizeof *c);
    c[0].re = 1;
    for (int j = 0; j < n; j++) {
        const complex_number *column = s->upper + j * s->restart;
        memcpy(q[j] + 1, c, (size_t)(j + 1) * sizeof *c);
        for (int i = 0; i < j; i++)
            for (int k = 0; k <= i + 1; k++)
                q[j][k] = plus_product(q[j][k], -1, column[i], q[i][k]);
        for (int k = 0; k <= j + 1; k++) {
            q[j][k] = (complex_number){ q[j][k].re / column[j].re, q[j][k].im / column[j].re };
            c[k] = plus_product(c[k], -1, s->along[j], q[j][k]);
        }
    }
    return n;
}

gcr_result gcr_solve(gcr_space *s, vec *x, const linop *a, const vec *b, const gcr_request *request)
{
    const double size = sqrt(vec_norm2(b)), goal = request->residual * size;
    gcr_result result = { .converged = size == 0 };
    s->count = 0;
    if (size == 0) {
        vec_zero(x);
        return result;
    }
    assert(request->restart <= s->restart);
    const double progress = request->progress > 0 ? request->progress : 1;
    double r = request->from_zero ? size : true_residual(s->r, a, x, b);
    if (request->from_zero) {
        vec_zero(x);
        vec_copy(s->r, b);
    }
    s->size2 = r * r;
    while (r > goal && result.iterations < request->max_iterations) {
        const double before = r;
        int j = 0;
        bool found = true;
        while (j < request->restart && result.iterations < request->max_iterations && r > goal && found) {
            found = iterate(s, a, request->k, j);
            if (found)
                r = size_of_residual(s, before, j++);
            result.iterations += found;
        }
        s->count = j;
        add_directions(x, s, j);
        if (request->from_zero && r <= goal)
            break;
        r = true_residual(s->r, a, x, b);
        if (!found || !(r < progress * before))
            break;
    }
    result.residual = r / size;
    result.converged = r <= goal;
    return result;
}
