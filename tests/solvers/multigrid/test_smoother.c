/* test_smoother.c - polynomials of multigrid's smoothing: they are those of GCR, for Mhat and for Mhat^+. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/solvers/multigrid/smoother.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/multigrid/coarse_system.h"

#include <math.h>

enum { MOST = GCR_POLYNOMIAL_MAX, STEPS = 16, FEW = 6 };
/* Coefficients lose digits with the degree: relative to the residual of GCR. */
#define OFF_AT_STEPS 1e-6
#define OFF_AT_MOST  1e-3
#define OFF_START    1e-12
#define OFF_ADJOINT  1e-14

static const int extents[4] = { 4, 4, 4, 8 };

typedef struct { coarse_system s; vec *b, *x, *r, *q, *even; gcr_space *space; } workplace;

static void begin(workplace *w, place where, coarse_quarks quarks)
{
    coarse_system_create(&w->s, &(coarse_request){ .where = where, .extents = extents, .quarks = quarks,
                                                   .p = PRECISION_DOUBLE, .mass = -0.5, .width = 0.5 });
    w->b = coarse_system_vec(&w->s, ON_ODD, PRECISION_DOUBLE);
    w->x = coarse_system_vec(&w->s, ON_ODD, PRECISION_DOUBLE);
    w->r = coarse_system_vec(&w->s, ON_ODD, PRECISION_DOUBLE);
    w->q = coarse_system_vec(&w->s, ON_ODD, PRECISION_DOUBLE);
    w->even = coarse_system_vec(&w->s, ON_EVEN, PRECISION_DOUBLE);
    w->space = gcr_space_create(w->b, MOST);
    vec_set_gaussian(w->b, rng_key_for(4, 0, 0, RNG_TEST), 0);
}

static void end(workplace *w)
{
    gcr_space_free(w->space);
    vec_free(w->even);
    vec_free(w->q);
    vec_free(w->r);
    vec_free(w->x);
    vec_free(w->b);
    coarse_system_free(&w->s);
}

/* x <- s(Mhat) v, r <- v - Mhat x; or with Mhat^+ and the conjugate polynomials */
static void apply(workplace *w, const smoother *p, bool dagger, const vec *v)
{
    vec *even[1] = { w->even };
    const clover_op mhat = clover_mhat_operator(w->s.exact, dagger, even, 1);
    smoother_apply(p, &(smoothing){ .a = &mhat.base, .x = w->x, .b = v, .product = w->q, .conjugate = dagger,
                                    .from_zero = true });
    clover_mhat(w->r, w->s.exact, dagger, w->x, w->even);
    vec_xpay(w->r, v, -1);
}

/* |p(Mhat) b| / |b| */
static double size_after(workplace *w, const smoother *p, bool dagger)
{
    apply(w, p, dagger, w->b);
    return sqrt(vec_norm2(w->r) / vec_norm2(w->b));
}

/* Smoothing from x leaves p(Mhat) (b - Mhat x): |p(Mhat) b - p(Mhat) Mhat x - this| / |b|. */
static double start_is_off(workplace *w, const smoother *p, bool dagger)
{
    vec *even[1] = { w->even }, *x = coarse_system_vec(&w->s, ON_ODD, PRECISION_DOUBLE),
        *of_b = coarse_system_vec(&w->s, ON_ODD, PRECISION_DOUBLE),
        *product = coarse_system_vec(&w->s, ON_ODD, PRECISION_DOUBLE);
    const clover_op mhat = clover_mhat_operator(w->s.exact, dagger, even, 1);
    apply(w, p, dagger, w->b);
    vec_copy(of_b, w->r);
    vec_set_gaussian(x, rng_key_for(7, 0, 0, RNG_TEST), 0);
    clover_mhat(w->q, w->s.exact, dagger, x, w->even);
    vec_copy(product, w->q);
    apply(w, p, dagger, product);
    vec_axpy(of_b, -1, w->r);
    smoother_apply(p, &(smoothing){ .a = &mhat.base, .x = x, .b = w->b, .product = w->q, .conjugate = dagger });
    clover_mhat(w->r, w->s.exact, dagger, x, w->even);
    vec_xpay(w->r, w->b, -1);
    vec_axpy(of_b, -1, w->r);
    const double off = sqrt(vec_norm2(of_b) / vec_norm2(w->b));
    vec_free(product);
    vec_free(of_b);
    vec_free(x);
    return off;
}

/* |<u, p(Mhat) b> - <p(Mhat)^+ u, b>| / (|u| |b|) */
static double adjoint_is_off(workplace *w, const smoother *p)
{
    vec *u = coarse_system_vec(&w->s, ON_ODD, PRECISION_DOUBLE);
    vec_set_gaussian(u, rng_key_for(6, 0, 0, RNG_TEST), 0);
    apply(w, p, false, w->b);
    const complex_number left = vec_dot(u, w->r);
    apply(w, p, true, u);
    const complex_number right = vec_dot(w->r, w->b);
    const double sizes = sqrt(vec_norm2(u) * vec_norm2(w->b));
    vec_free(u);
    return hypot(left.re - right.re, left.im - right.im) / sizes;
}

static gcr_result solve(workplace *w, int steps)
{
    vec *even[1] = { w->even };
    const clover_op mhat = clover_mhat_operator(w->s.exact, false, even, 1);
    const gcr_request request = { .max_iterations = steps, .restart = MOST, .from_zero = true };
    return gcr_solve(w->space, w->q, &mhat.base, w->b, &request);
}

static void polynomials(place where, coarse_quarks quarks)
{
    workplace w;
    begin(&w, where, quarks);
    const char *of = coarse_quarks_names[quarks];
    const double few = solve(&w, FEW).residual, all = solve(&w, STEPS).residual, least = solve(&w, MOST).residual;
    smoother p, first, highest;
    fact(smoother_of(&p, w.space, STEPS) && smoother_of(&first, w.space, FEW) && p.steps == STEPS
         && first.steps == FEW, "%s, %s: degrees %d and %d", place_name(where), of, STEPS, FEW);
    fact(smoother_of(&highest, w.space, MOST) && highest.steps == MOST, "%s, %s: degree %d", place_name(where), of,
         MOST);
    fact_close(size_after(&w, &highest, false), least, OFF_AT_MOST * least, "%s, %s: it leaves the residual of GCR, "
               "%.3g", place_name(where), of, least);
    fact_close(size_after(&w, &p, false), all, OFF_AT_STEPS * all, "%s, %s: degree %d leaves the residual of GCR, %.3g",
               place_name(where), of, STEPS, all);
    fact_close(size_after(&w, &first, false), few, 1e-10 * few, "%s, %s: the first %d iterations of the same solve",
               place_name(where), of, FEW);
    vec_set_gaussian(w.b, rng_key_for(5, 0, 0, RNG_TEST), 0);
    const double dagger = size_after(&w, &p, true), other = size_after(&w, &p, false);
    const double off = start_is_off(&w, &p, false), off_dagger = start_is_off(&w, &p, true);
    fact(other < 3 * all && dagger < 3 * all, "%s, %s: another vector keeps %.3g, and %.3g with Mhat^+",
         place_name(where), of, other, dagger);
    fact(off < OFF_START && off_dagger < OFF_START, "%s, %s: from another start p smooths the residual of this start "
         "within %.1e, and %.1e with Mhat^+", place_name(where), of, off, off_dagger);
    fact_close(adjoint_is_off(&w, &p), 0, OFF_ADJOINT, "%s, %s: with Mhat^+ it is the adjoint", place_name(where), of);
    end(&w);
}

static void fewer_iterations(place where)
{
    workplace w;
    smoother p;
    begin(&w, where, QUARKS_CLOVER);
    solve(&w, FEW);
    fact(smoother_of(&p, w.space, STEPS) && p.steps == FEW, "%s: a solve of %d iterations gives no higher degree",
         place_name(where), FEW);
    vec_zero(w.b);
    solve(&w, FEW);
    fact(!smoother_of(&p, w.space, STEPS) && p.steps == 0, "%s: one of none gives no polynomial", place_name(where));
    end(&w);
}

/* c <- the polynomial with the roots ratio^k, 1 at z = 0 */
static void polynomial_of(complex_number *c, int degree, double ratio)
{
    c[0] = (complex_number){ 1, 0 };
    double root = 1;
    for (int n = 1; n <= degree; n++, root *= ratio) {
        c[n] = (complex_number){ 0, 0 };
        for (int k = n; k > 0; k--)
            c[k].re -= c[k - 1].re / root;
    }
}

/* The search begins on a circle: roots of very different sizes need more rounds than it has. */
static void roots(void)
{
    complex_number c[MOST + 1];
    smoother p;
    polynomial_of(c, 4, 0.5);
    fact(smoother_of_polynomial(&p, c, 4) && p.steps == 4, "a polynomial of degree 4 has four roots");
    for (int k = 0; k < 4; k++) {
        bool found = false;
        for (int i = 0; i < 4; i++)
            found |= fabs(p.factor[i].re / (1 << k) - 1) < 1e-12 && fabs(p.factor[i].im) < 1e-12;
        fact(found, "1/%d is one of them", 1 << k);
    }
    polynomial_of(c, MOST, 1e-6);
    fact(!smoother_of_polynomial(&p, c, MOST) && p.steps == 0, "roots that are not found give no polynomial");
}

int main(void)
{
    roots();
    FOR_EVERY_PLACE(where) {
        for (int quarks = 0; quarks < QUARKS; quarks++)
            polynomials(where, (coarse_quarks)quarks);
        fewer_iterations(where);
    }
    return facts_end();
}
