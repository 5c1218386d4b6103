/* remez.c - the exchange of E. Y. Remez for rational functions, with relative error.
 *
 * On a reference of 2n+2 points, r/f - 1 = +E, -E, +E, ...  In the barycentric form with every second point as support,
 * which is well conditioned even where poles span many decades (S. Filip, Y. Nakatsukasa, L. N. Trefethen,
 * B. Beckermann, SIAM J. Sci. Comput. 40 (2018) A2427),
 *
 *     r(x) = [sum_j f(t_j) (1 + E) beta_j / (x - t_j)] / [sum_j beta_j / (x - t_j)],
 *
 * the even points t_j are met by construction, and the odd points s_k make the eigenvalue problem A beta = E B beta,
 *
 *     A_kj = (f(t_j) - f(s_k)) / (s_k - t_j),     B_kj = -(f(t_j) + f(s_k)) / (s_k - t_j).
 *
 * The best r belongs to the smallest |E|, found by inverse iteration.  Then every point moves to the nearest extremum
 * of the error, a zero of r'/r - f'/f.  Both steps are repeated until all extrema have the same height. */
#include "src/rational/remez.h"

#include <math.h>

#define RN MPFR_RNDN

enum { EXCHANGES = 40, INVERSE_ITERATIONS = 2000 };

double remez_error(const remez *r)
{
    return fabs(mpfr_get_d(*r->error, RN));
}

/* y = f(x) */
static void target(mpfr_t y, const remez *r, const mpfr_t x)
{
    mpfr_t *term = r->work, *sum = r->work + 1;
    mpfr_set_zero(*sum, 1);
    for (int j = 0; j < r->factors; j++) {
        mpfr_add(*term, x, r->shift[j], RN);
        mpfr_log(*term, *term, RN);
        mpfr_fma(*sum, *term, r->power[j], *sum, RN);
    }
    mpfr_exp(y, *sum, RN);
}

/* ---- the eigenvalue problem on a reference */

/* matrix <- the LU factors of A; swap: the row exchanges.  False if A is singular. */
static bool factor(remez *r, int *swap)
{
    int n = r->order + 1;
    mpfr_t *a = r->matrix, *w = r->work;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            mpfr_sub(w[0], r->fx[2 * j], r->fx[2 * k + 1], RN);
            mpfr_sub(w[1], r->x[2 * k + 1], r->x[2 * j], RN);
            mpfr_div(a[k * n + j], w[0], w[1], RN);
        }
    for (int c = 0; c < n; c++) {
        swap[c] = c;
        for (int k = c + 1; k < n; k++)
            if (mpfr_cmpabs(a[k * n + c], a[swap[c] * n + c]) > 0)
                swap[c] = k;
        for (int j = 0; j < n && swap[c] != c; j++)
            mpfr_swap(a[c * n + j], a[swap[c] * n + j]);
        if (!mpfr_regular_p(a[c * n + c]))
            return false;
        for (int k = c + 1; k < n; k++) {
            mpfr_t *l = &a[k * n + c];
            mpfr_div(*l, *l, a[c * n + c], RN);
            mpfr_neg(w[0], *l, RN);
            for (int j = c + 1; j < n; j++)
                mpfr_fma(a[k * n + j], w[0], a[c * n + j], a[k * n + j], RN);
        }
    }
    return true;
}

/* v <- A^-1 v */
static void solve_equations(remez *r, const int *swap, mpfr_t *v)
{
    int n = r->order + 1;
    mpfr_t *a = r->matrix, *w = r->work;
    for (int c = 0; c < n; c++)
        mpfr_swap(v[c], v[swap[c]]);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < k; j++) {
            mpfr_mul(w[0], a[k * n + j], v[j], RN);
            mpfr_sub(v[k], v[k], w[0], RN);
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            mpfr_mul(w[0], a[k * n + j], v[j], RN);
            mpfr_sub(v[k], v[k], w[0], RN);
        }
        mpfr_div(v[k], v[k], a[k * n + k], RN);
    }
}

/* v <- B beta */
static void apply_step(remez *r, mpfr_t *v)
{
    int n = r->order + 1;
    mpfr_t *w = r->work;
    for (int k = 0; k < n; k++) {
        mpfr_set_zero(v[k], 1);
        for (int j = 0; j < n; j++) {
            mpfr_add(w[0], r->fx[2 * j], r->fx[2 * k + 1], RN);
            mpfr_sub(w[1], r->x[2 * j], r->x[2 * k + 1], RN);
            mpfr_mul(w[0], w[0], r->beta[j], RN);
            mpfr_div(w[0], w[0], w[1], RN);
            mpfr_add(v[k], v[k], w[0], RN);
        }
    }
}

/* beta <- image, scaled so that its largest component is 1; E <- beta / image of this component.  Returns whether no
 * component changed by more than the fraction `tolerance`. */
static bool accept_step(remez *r, double tolerance)
{
    int n = r->order + 1, largest = 0;
    bool same = true;
    for (int j = 1; j < n; j++)
        if (mpfr_cmpabs(r->image[j], r->image[largest]) > 0)
            largest = j;
    mpfr_div(*r->error, r->beta[largest], r->image[largest], RN);
    mpfr_t *w = r->work;
    mpfr_set(w[2], r->image[largest], RN);
    for (int j = 0; j < n; j++) {
        mpfr_div(w[0], r->image[j], w[2], RN);
        mpfr_sub(w[1], w[0], r->beta[j], RN);
        mpfr_div(w[1], w[1], w[0], RN);
        same = same && fabs(mpfr_get_d(w[1], RN)) <= tolerance;
        mpfr_set(r->beta[j], w[0], RN);
    }
    return same;
}

/* The best approximation on the reference.  False with the reason; also if the signs of beta do not alternate, because
 * then Q changes its sign in the range. */
static bool solve_reference(remez *r, double tolerance, failure *why)
{
    int n = r->order + 1, swap[RATIONAL_POLES + 1], left = INVERSE_ITERATIONS;
    if (!factor(r, swap))
        return fail(why, "the equations on the reference are singular");
    for (int j = 0; j < n; j++) {
        mpfr_set(r->t[j], r->x[2 * j], RN);
        mpfr_set_si(r->beta[j], j % 2 ? -1 : 1, RN);
    }
    do {
        apply_step(r, r->image);
        solve_equations(r, swap, r->image);
        left--;
    } while (!accept_step(r, tolerance) && left > 0);
    if (left == 0 || !mpfr_regular_p(*r->error))
        return fail(why, "the equations on the reference were not solved in %d iterations", INVERSE_ITERATIONS);
    for (int j = 0; j < n; j++) {
        if (j > 0 && mpfr_sgn(r->beta[j]) * mpfr_sgn(r->beta[j - 1]) >= 0)
            return fail(why, "the best rational function of order %d has a pole within the range", r->order);
        mpfr_add_ui(r->work[0], *r->error, 1, RN);
        mpfr_mul(r->alpha[j], r->beta[j], r->fx[2 * j], RN);
        mpfr_mul(r->alpha[j], r->alpha[j], r->work[0], RN);
    }
    return true;
}

/* ---- the exchange */

/* r'/r - f'/f at x; x may be the support point t_at (at = -1: it is none). */
static void slope(mpfr_t y, const remez *r, const mpfr_t x, int at)
{
    mpfr_t *w = r->work, *num = w + 2, *num2 = w + 3, *den = w + 4, *den2 = w + 5;
    for (int i = 2; i < 6; i++)
        mpfr_set_zero(w[i], 1);
    for (int j = 0; j <= r->order; j++) {
        if (j == at)
            continue;
        mpfr_sub(w[0], x, r->t[j], RN);
        mpfr_ui_div(w[0], 1, w[0], RN);
        mpfr_mul(w[1], r->alpha[j], w[0], RN);
        mpfr_add(*num, *num, w[1], RN);
        mpfr_fma(*num2, w[1], w[0], *num2, RN);
        mpfr_mul(w[1], r->beta[j], w[0], RN);
        mpfr_add(*den, *den, w[1], RN);
        mpfr_fma(*den2, w[1], w[0], *den2, RN);
    }
    if (at < 0) {
        mpfr_div(*num, *num2, *num, RN);
        mpfr_div(*den, *den2, *den, RN);
        mpfr_sub(y, *den, *num, RN);
    } else {                    /* (r'/r)(t_i) = sum_j (alpha_j / alpha_i - beta_j / beta_i) / (t_i - t_j) */
        mpfr_div(*num, *num, r->alpha[at], RN);
        mpfr_div(*den, *den, r->beta[at], RN);
        mpfr_sub(y, *num, *den, RN);
    }
    for (int j = 0; j < r->factors; j++) {
        mpfr_add(w[0], x, r->shift[j], RN);
        mpfr_div(w[0], r->power[j], w[0], RN);
        mpfr_sub(y, y, w[0], RN);
    }
}

/* a <- the zero of the slope between a and b, where the slope is ga and gb, of different sign: regula falsi (Illinois
 * algorithm). */
static void find_top(mpfr_t a, mpfr_t ga, mpfr_t b, mpfr_t gb, const remez *r, const mpfr_t resolution)
{
    enum { STEPS = 200 };
    mpfr_t *w = r->work, *c = w + 6, *gc = w + 7;
    for (int i = 0; i < STEPS; i++) {
        mpfr_sub(*c, b, a, RN);
        mpfr_sub(*gc, gb, ga, RN);
        mpfr_div(*c, *c, *gc, RN);
        mpfr_mul(*gc, *c, gb, RN);
        mpfr_sub(*c, b, *gc, RN);
        bool close = mpfr_cmpabs(*gc, resolution) <= 0;
        slope(*gc, r, *c, -1);
        if (close || mpfr_zero_p(*gc))
            break;
        if (mpfr_sgn(*gc) == mpfr_sgn(gb)) {
            mpfr_div_2ui(ga, ga, 1, RN);
        } else {
            mpfr_set(a, b, RN);
            mpfr_set(ga, gb, RN);
        }
        mpfr_set(b, *c, RN);
        mpfr_set(gb, *gc, RN);
    }
    mpfr_set(a, *c, RN);
}

/* top <- the extremum next to point i of the reference: goes in the direction in which |error| grows, in steps of
 * increasing length, until the slope changes its sign.  An outermost point goes at most to the end of the range;
 * another point stays where it was if the slope does not change its sign before the neighbor.  Accurate to 2^-44 of the
 * distance to the neighbor, so that the height is accurate to 2^-88. */
static void climb_extremum(mpfr_t top, remez *r, int i)
{
    enum { FRACTION = 16, DOUBLINGS = 4, RESOLUTION = 44 };      /* 1 + 2 + 4 + 8 sixteenths, then the end */
    mpfr_t *w = r->work, *ga = w + 8, *b = w + 9, *gb = w + 10, *step = w + 11;
    mpfr_set(top, r->x[i], RN);
    slope(*ga, r, top, i % 2 ? -1 : i / 2);
    int way = mpfr_sgn(*ga) * mpfr_sgn(*r->error) * (i % 2 ? -1 : 1);
    bool outermost = i + way < 0 || i + way >= r->points;
    mpfr_t *end = outermost ? (way > 0 ? r->upper : r->lower) : &r->x[i + way];
    mpfr_sub(*step, *end, top, RN);
    if (mpfr_zero_p(*step))
        return;
    mpfr_div_ui(*step, *step, FRACTION, RN);
    for (int k = 0; k < DOUBLINGS + outermost; k++) {
        if (k < DOUBLINGS)
            mpfr_add(*b, top, *step, RN);
        else
            mpfr_set(*b, *end, RN);
        slope(*gb, r, *b, -1);
        if (mpfr_sgn(*gb) * mpfr_sgn(*ga) <= 0) {
            mpfr_sub(*step, *b, top, RN);
            mpfr_div_2ui(*step, *step, RESOLUTION, RN);
            find_top(top, *ga, *b, *gb, r, *step);
            return;
        }
        mpfr_set(top, *b, RN);
        mpfr_set(*ga, *gb, RN);
        mpfr_mul_2ui(*step, *step, 1, RN);
    }
    if (!outermost)
        mpfr_set(top, r->x[i], RN);
}

/* The difference of |r/f - 1| / |E| from 1 at x, with f = f(x) and r from its barycentric form. */
static double excess(remez *r, const mpfr_t x, const mpfr_t f)
{
    mpfr_t *w = r->work, *num = w + 2, *den = w + 3;
    mpfr_set_zero(*num, 1);
    mpfr_set_zero(*den, 1);
    for (int j = 0; j <= r->order; j++) {
        mpfr_sub(w[0], x, r->t[j], RN);
        if (mpfr_zero_p(w[0]))
            return 0;
        mpfr_ui_div(w[0], 1, w[0], RN);
        mpfr_fma(*num, r->alpha[j], w[0], *num, RN);
        mpfr_fma(*den, r->beta[j], w[0], *den, RN);
    }
    mpfr_div(*num, *num, *den, RN);
    mpfr_sub(*num, *num, f, RN);
    mpfr_div(*num, *num, f, RN);
    mpfr_div(*num, *num, *r->error, RN);
    mpfr_sub_si(*num, *num, mpfr_sgn(*num), RN);
    return fabs(mpfr_get_d(*num, RN));
}

bool remez_exchange(remez *r, double spread, failure *why)
{
    const double fraction = 1e-2;                    /* tolerance of the equations over the expected next spread */
    double now = 1;
    for (int i = 0; i < r->points; i++)
        target(r->fx[i], r, r->x[i]);
    for (int exchange = 0; exchange < EXCHANGES; exchange++) {
        if (!solve_reference(r, fraction * fmax(fmin(now * now, 1), spread), why))
            return false;
        now = 0;
        for (int i = 0; i < r->points; i++)
            climb_extremum(r->top[i], r, i);
        for (int i = 0; i < r->points; i++) {
            mpfr_set(r->x[i], r->top[i], RN);
            target(r->fx[i], r, r->x[i]);
            now = fmax(now, excess(r, r->x[i], r->fx[i]));
        }
        if (!isfinite(now))
            break;
        if (now <= spread)
            return true;
    }
    return fail(why, "the exchange did not converge: heights differ by %.2g after %d steps", now, EXCHANGES);
}

bool remez_verify(remez *r, failure *why)
{
    enum { BETWEEN = 4 };
    const double slack = 1e-6;
    mpfr_t *w = r->work, *x = w + 2, *sum = w + 3, *f = w + 4;
    for (int i = 0; i < BETWEEN * (r->points - 1); i++) {
        mpfr_sub(*x, r->x[i / BETWEEN + 1], r->x[i / BETWEEN], RN);
        mpfr_mul_ui(*x, *x, (unsigned long)(i % BETWEEN), RN);
        mpfr_div_ui(*x, *x, BETWEEN, RN);
        mpfr_add(*x, *x, r->x[i / BETWEEN], RN);
        target(*f, r, *x);
        mpfr_set(*sum, *r->constant, RN);
        for (int k = 0; k < r->order; k++) {
            mpfr_add(w[0], *x, r->pole[k], RN);
            mpfr_div(w[0], r->residue[k], w[0], RN);
            mpfr_add(*sum, *sum, w[0], RN);
        }
        mpfr_div(*sum, *sum, *f, RN);
        mpfr_sub_ui(*sum, *sum, 1, RN);
        mpfr_div(*sum, *sum, *r->error, RN);
        if (!(fabs(mpfr_get_d(*sum, RN)) <= 1 + slack))
            return fail(why, "at x = %g the error is %g times the error at the extrema", mpfr_get_d(*x, RN),
                        fabs(mpfr_get_d(*sum, RN)));
    }
    return true;
}
