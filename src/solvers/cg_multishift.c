/* cg_multishift.c - conjugate gradients for many shifts at the price of one (B. Jegerlehner, hep-lat/9612014).
 *
 * The base system is that of the smallest shift; the others live in its Krylov space (shifted_systems.h). */
#include "src/solvers/cg_space.h"
#include "src/solvers/shifted_systems.h"

#include <math.h>

/* True residuals, and plain conjugate gradients from where each system is if its own is too large. */
static void polish(multishift_result *result, const linop *a, vec *const *x, const shifted *system, int count,
                   const vec *b, int max_iterations, cg_space *w)
{
    for (int k = 0; k < count; k++) {
        stop_rule stop = { system[k].tolerance, max_iterations };
        solve_result one = cg_solve(a, x[k], system[k].shift, b, stop, w);
        result->residual[k] = one.residual;
        result->polish_iterations += one.iterations;
        result->converged &= one.converged;
    }
}

multishift_result multishift_solve(const linop *a, vec *const *x, vec *const *p, const shifted *system, int count,
                                   const vec *b, int max_iterations, bool verify, cg_space *w)
{
    multishift_result result = { 0 };
    vec *r = w->v[0], *q = w->v[2];
    double bb = vec_norm2(b), rr = bb, alpha = 1, former = 0;
    for (int k = 0; k < count; k++) {
        vec_zero(x[k]);
        vec_copy(p[k], b);
        result.residual[k] = bb > 0 ? 1 : bb;                       /* 0, or not a number */
    }
    if (!(bb > 0 && isfinite(bb))) {
        result.converged = bb == 0;
        return result;
    }
    shifted_systems s = shifted_systems_all(x, p, system, count);
    double shift = system[s.of[0].number].shift;
    vec_copy(r, b);
    shifted_systems_freeze(&s, &result, system, 1);
    while (!shifted_systems_are_done(&s) && result.iterations < max_iterations) {
        double curvature = a->apply_dot(a, q, shift, s.of[0].p, rr / alpha);
        if (!(curvature > 0 && isfinite(curvature)))
            return result;
        alpha = rr / curvature;
        double next = vec_axpy_norm2(r, -alpha, q, rr);
        if (!isfinite(next))
            return result;
        shifted_systems_step(&s, alpha, former);
        shifted_systems_update(&s, r, alpha, next / rr);
        former = next / rr / alpha;
        rr = next;
        result.iterations++;
        shifted_systems_freeze(&s, &result, system, sqrt(rr / bb));
    }
    result.converged = shifted_systems_are_done(&s);
    if (result.converged && verify)
        polish(&result, a, x, system, count, b, max_iterations, w);
    return result;
}
