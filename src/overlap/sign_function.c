/* sign_function.c - approximations of the sign function by a function of the square. */
#include "src/overlap/sign_function.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"

#include <math.h>

const char *const sign_method_names[] = { "zolotarev", "chebyshev", NULL };

/* ---- partial fractions */

static bool make_fraction(sign_function *s, const sign_goal *goal, failure *why)
{
    const power_product inverse_root = { .count = 1, .factor = { { .mass = 0, .y = -1, .z = 2 } } };
    const rational_goal of = { .f = &inverse_root, .lower = goal->lower * goal->lower,
                               .upper = goal->upper * goal->upper, .error = fmax(goal->error, RATIONAL_LEAST_ERROR) };
    if (!rational_make(&s->fraction, of, why))
        return false;
    s->error = s->fraction.error;
    return s->fraction.order <= goal->poles
           || fail(why, "the sign function needs %d poles for %g <= |H| <= %g and an error of %.1e, but %d are "
                   "allowed: project more modes of the kernel, or allow more poles", s->fraction.order, goal->lower,
                   goal->upper, goal->error, goal->poles);
}

double sign_function_tolerance(const sign_function *s, int k, double error)
{
    const rational *r = &s->fraction;
    const double root = sqrt(r->pole[k]), peak = fmax(root, s->lower);
    const double largest = peak / (peak * peak + r->pole[k]);           /* of h / (h^2 + pole_k) */
    return error / (r->order * r->residue[k] * largest);
}

/* ---- Chebyshev's polynomials */

/* The factor by which coefficients fall from degree to degree.  x^(-1/2) is singular at x = 0, which lies on the
 * Bernstein ellipse whose half-axes have the sum 1 / decay. */
static double decay_of(const sign_goal *goal)
{
    return (goal->upper - goal->lower) / (goal->upper + goal->lower);
}

/* c_j = (2/n) sum_i x_i^(-1/2) cos(j theta_i), theta_i = pi (i + 1/2) / n, n = 2 count; in long double, because the
 * last coefficients are smaller than the first ones by about the requested error. */
static void expand(double *coefficient, int count, const sign_goal *goal)
{
    const int n = 2 * count;
    const long double low = (long double)goal->lower * goal->lower, high = (long double)goal->upper * goal->upper;
    long double *cosine = memory_alloc((size_t)(4 * n) * sizeof *cosine, "cosines");
    long double *value = memory_alloc((size_t)n * sizeof *value, "values of a function");
    for (int i = 0; i < 4 * n; i++)
        cosine[i] = cosl(acosl(-1) * i / (2 * n));
    for (int i = 0; i < n; i++)
        value[i] = 1 / sqrtl((high + low + (high - low) * cosine[2 * i + 1]) / 2);
    for (int j = 0; j < count; j++) {
        long double sum = 0;
        for (int i = 0; i < n; i++)
            sum += value[i] * cosine[(int64_t)j * (2 * i + 1) % (4 * n)];
        coefficient[j] = (double)(2 * sum / n);
    }
    memory_free(cosine);
    memory_free(value);
}

static bool make_polynomial(sign_function *s, const sign_goal *goal, failure *why)
{
    const double decay = decay_of(goal), ratio = goal->upper / goal->lower;
    double most = ceil(log(goal->error / ratio) / log(decay));
    comm_broadcast(comm_world(), &most, sizeof most);    /* processors may round logarithms and cosines differently */
    if (!(most < SIGN_DEGREE_MAX))
        return fail(why, "the sign function needs polynomials of degree %.0f for %g <= |H| <= %g and an error of %.1e, "
                    "but %d is the largest: project more modes of the kernel, or choose zolotarev", most, goal->lower,
                    goal->upper, goal->error, SIGN_DEGREE_MAX);
    const int count = (int)most + 2;
    s->coefficient = memory_alloc((size_t)count * sizeof *s->coefficient, "coefficients of a polynomial");
    s->tail = memory_alloc((size_t)count * sizeof *s->tail, "errors of polynomials");
    expand(s->coefficient, count, goal);
    comm_broadcast(comm_world(), s->coefficient, (size_t)count * sizeof *s->coefficient);
    double rest = fabs(s->coefficient[count - 1]) * decay / (1 - decay);
    for (int j = count - 1; j >= 0; j--) {
        s->tail[j] = goal->upper * rest;
        rest += fabs(s->coefficient[j]);
    }
    s->degree = count - 1;
    s->degree = sign_function_degree(s, goal->error);
    s->error = s->tail[s->degree];
    return true;
}

int sign_function_degree(const sign_function *s, double error)
{
    int degree = s->degree;
    while (degree > 1 && s->tail[degree - 1] <= error)
        degree--;
    return degree;
}

static double polynomial_value(const sign_function *s, double x)
{
    const double low = s->lower * s->lower, high = s->upper * s->upper;
    const double z = (2 * x - high - low) / (high - low);
    double b = 0, former = 0;
    for (int j = s->degree; j > 0; j--) {
        const double next = s->coefficient[j] + 2 * z * b - former;
        former = b;
        b = next;
    }
    return s->coefficient[0] / 2 + z * b - former;
}

/* ---- both */

bool sign_function_make(sign_function *s, const sign_goal *goal, failure *why)
{
    *s = (sign_function){ .method = goal->method, .lower = goal->lower, .upper = goal->upper };
    if (!(goal->lower > 0 && goal->lower < goal->upper && isfinite(goal->upper)))
        return fail(why, "the sign function needs 0 < lower < upper, not [%g, %g]", goal->lower, goal->upper);
    return (goal->method == SIGN_ZOLOTAREV ? make_fraction : make_polynomial)(s, goal, why);
}

void sign_function_free(sign_function *s)
{
    memory_free(s->coefficient);
    memory_free(s->tail);
    *s = (sign_function){ .method = s->method };
}

double sign_function_value(const sign_function *s, double h)
{
    return h * (s->method == SIGN_ZOLOTAREV ? rational_value(&s->fraction, h * h) : polynomial_value(s, h * h));
}
