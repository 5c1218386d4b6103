/* cg.c - conjugate gradients for (A + shift) x = b, A hermitian >= 0.
 *
 *     q = (A + shift) p;  a = |r|^2 / <p, q>;  r <- r - a q;  b = |r|^2 new / old;  x <- x + a p;  p <- r + b p
 *
 * Four launches an iteration with the staggered operator: two hops, the second with its product, and two updates.
 * |r|^2 is iterated; when it says that the tolerance is met, the residual is computed anew from x, and if that is
 * larger the iteration begins again from x. */
#include "src/solvers/cg_space.h"

#include "src/base/memory.h"

#include <math.h>

/* A restart that leaves more than a quarter of |r|^2, half of the residual, has met the rounding of the arithmetic. */
#define STAGNATION 0.25

cg_space *cg_space_create(lattice *l, parity_set on, place where, precision p)
{
    cg_space *w = memory_alloc(sizeof *w, "the vectors of a solver");
    for (int i = 0; i < CG_VECTORS; i++)
        w->v[i] = vec_create(l, on, where, p);
    return w;
}

void cg_space_free(cg_space *w)
{
    if (w)
        for (int i = 0; i < CG_VECTORS; i++)
            vec_free(w->v[i]);
    memory_free(w);
}

size_t cg_space_bytes(const int extents[4], precision p, parity_set on)
{
    return CG_VECTORS * vec_bytes(extents, p, on);
}

/* r <- b - (A + shift) x; |r|^2 */
static double true_residual(vec *r, const linop *a, double shift, const vec *x, const vec *b)
{
    a->apply(a, r, shift, x);
    vec_xpay(r, b, -1);
    return vec_norm2(r);
}

/* From r = b - (A + shift) x with |r|^2 = rr until the iterated |r|^2 is at most `target`.  False where that cannot
 * be: no iterations left, or numbers that are not those of a positive operator. */
static bool iterate(const linop *a, vec *x, double shift, double rr, double target, int max_iterations,
                    int *iterations, cg_space *w)
{
    vec *r = w->v[0], *p = w->v[1], *q = w->v[2];
    double alpha = 1;
    vec_copy(p, r);
    while (rr > target) {
        if (*iterations >= max_iterations)
            return false;
        double curvature = a->apply_dot(a, q, shift, p, rr / alpha);
        if (!(curvature > 0 && isfinite(curvature)))
            return false;
        alpha = rr / curvature;
        double next = vec_axpy_norm2(r, -alpha, q, rr);
        if (!isfinite(next))
            return false;
        vec_cg_update(x, p, alpha, r, next / rr);
        rr = next;
        ++*iterations;
    }
    return true;
}

solve_result cg_solve(const linop *a, vec *x, double shift, const vec *b, stop_rule stop, cg_space *w)
{
    solve_result result = { 0 };
    double bb = vec_norm2(b), target = stop.tolerance * stop.tolerance * bb;
    if (bb == 0) {
        vec_zero(x);
        result.converged = true;
        return result;
    }
    double rr = true_residual(w->v[0], a, shift, x, b), before = INFINITY;
    bool going = true;
    while (going && isfinite(rr) && rr > target && rr <= STAGNATION * before) {
        if (before < INFINITY)
            result.restarts++;
        before = rr;
        going = iterate(a, x, shift, rr, target, stop.max_iterations, &result.iterations, w);
        rr = true_residual(w->v[0], a, shift, x, b);
    }
    result.residual = sqrt(rr / bb);
    result.converged = rr <= target;
    return result;
}
