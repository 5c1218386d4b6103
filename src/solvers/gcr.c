/* gcr.c - flexible GCR. */
#include "src/solvers/gcr.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"

#include <assert.h>
#include <math.h>

struct gcr_space {
    int restart;
    vec *r, **p, **q;                      /* p and q: of each iteration */
};

gcr_space *gcr_space_create(const vec *like, int restart)
{
    gcr_space *s = memory_alloc(sizeof *s, "vectors of GCR");
    s->restart = restart;
    s->r = vec_create_native(like, like->f.precision);
    s->p = memory_alloc((size_t)restart * sizeof(vec *), "vectors of GCR");
    s->q = memory_alloc((size_t)restart * sizeof(vec *), "vectors of GCR");
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

static void scale(vec *v, double factor)
{
    vec_combine(v, factor, v, NULL, NULL, 0);
}

/* Iteration number j after a restart.  False if it finds no direction. */
static bool iterate(gcr_space *s, vec *x, const linop *a, const preconditioner *k, int j)
{
    vec *p = s->p[j], *q = s->q[j];
    if (k)
        k->apply(k->of, p, s->r);
    else
        vec_copy(p, s->r);
    a->apply(a, q, 0, p);
    for (int i = 0; i < j; i++) {
        const complex_number c = vec_dot(s->q[i], q), minus = { -c.re, -c.im };
        vec_direction(q, minus, s->q[i], 1, q);
        vec_direction(p, minus, s->p[i], 1, p);
    }
    const double size = sqrt(vec_norm2(q));
    if (!(size > 0) || isinf(size))
        return false;
    scale(p, 1 / size);
    scale(q, 1 / size);
    const complex_number alpha = vec_dot(q, s->r);
    vec_direction(x, alpha, p, 1, x);
    vec_direction(s->r, (complex_number){ -alpha.re, -alpha.im }, q, 1, s->r);
    return true;
}

gcr_result gcr_solve(gcr_space *s, vec *x, const linop *a, const vec *b, const gcr_request *request)
{
    const double size = sqrt(vec_norm2(b)), goal = request->residual * size;
    gcr_result result = { .converged = size == 0 };
    if (size == 0) {
        vec_zero(x);
        return result;
    }
    const double progress = request->progress > 0 ? request->progress : 1;
    double r = true_residual(s->r, a, x, b);
    assert(request->restart <= s->restart);
    while (r > goal && result.iterations < request->max_iterations) {
        const double before = r;
        bool found = true;
        for (int j = 0; j < request->restart && result.iterations < request->max_iterations && r > goal && found; j++) {
            found = iterate(s, x, a, request->k, j);
            result.iterations += found;
            r = sqrt(vec_norm2(s->r));
        }
        r = true_residual(s->r, a, x, b);
        if (!found || !(r < progress * before))
            break;
    }
    result.residual = r / size;
    result.converged = r <= goal;
    return result;
}
