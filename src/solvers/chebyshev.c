/* chebyshev.c - Chebyshev filter: a polynomial of a hermitian operator that separates its smallest eigenvalues.
 *
 *     y_0 = x,   y_1 = -(s_1 / e) (A - c) x,   y_k+1 = -(2 s_k+1 / e) (A - c) y_k - s_k s_k+1 y_k-1
 *     s_1 = e / c,   s_k+1 = 1 / (2 / s_1 - s_k):   y_k = T_k((c - A) / e) x / T_k(c / e) */
#include "src/solvers/chebyshev.h"

#include <assert.h>
#include <math.h>

typedef struct { double center, half; } interval;

static interval interval_of(const chebyshev *p)
{
    return (interval){ (p->upper + p->cut) / 2, (p->upper - p->cut) / 2 };
}

/* T_n(x) */
static double chebyshev_t(int degree, double x)
{
    if (fabs(x) <= 1)
        return cos(degree * acos(x));
    const double size = cosh(degree * acosh(fabs(x)));
    return x < 0 && degree % 2 ? -size : size;
}

double chebyshev_value(const chebyshev *p, double lambda)
{
    const interval w = interval_of(p);
    return chebyshev_t(p->degree, (w.center - lambda) / w.half) / chebyshev_t(p->degree, w.center / w.half);
}

double chebyshev_inverse(const chebyshev *p, double value)
{
    const interval w = interval_of(p);
    const double t = value * chebyshev_t(p->degree, w.center / w.half);
    if (p->degree == 1)
        return w.center - w.half * t;
    return t <= 1 ? p->cut : w.center - w.half * cosh(acosh(t) / p->degree);
}

int chebyshev_degree(double cut, double upper)
{
    const double x = (upper + cut) / (upper - cut);
    const double degree = ceil(acosh(CHEBYSHEV_GROWTH) / acosh(x));
    return degree < CHEBYSHEV_DEGREE_MAX ? (int)fmax(degree, 2) : CHEBYSHEV_DEGREE_MAX;
}

void chebyshev_apply(const chebyshev *p, const linop *a, vec *out, const vec *in, vec *const work[2])
{
    const interval w = interval_of(p);
    vec *former = work[0], *product = work[1];
    const double first = w.half / w.center;
    double s = first;
    assert(p->degree >= 1 && p->cut < p->upper);
    a->apply(a, out, -w.center, in);
    vec_combine(out, -s / w.half, out, NULL, NULL, 0);
    if (p->degree > 1)
        vec_copy(former, in);
    /* out is y_k and former is y_k-1; each step overwrites y_k-1 by y_k+1, and then swaps the two. */
    vec *now = out;
    for (int k = 1; k < p->degree; k++) {
        const double next = 1 / (2 / first - s), factor = -2 * next / w.half;
        a->apply(a, product, -w.center, now);
        vec_combine(former, -s * next, former, &factor, &product, 1);
        vec *swap = former;
        former = now;
        now = swap;
        s = next;
    }
    if (now != out)
        vec_copy(out, now);
}
