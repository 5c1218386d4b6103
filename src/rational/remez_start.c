/* remez_start.c - memory of the exchange algorithm, and its first reference, close to the final one.
 *
 * For x^(-1/2) on [epsilon, 1] the extrema of the best approximation are known (E. I. Zolotarev): elliptic functions of
 * evenly spaced arguments.  They are distributed like charges in equilibrium between the range and the cut of f, also
 * for other powers. */
#include "src/rational/remez.h"

#include "src/base/memory.h"

#include <math.h>

#define RN MPFR_RNDN

enum { WORK = 12 };

static mpfr_t *allocate_numbers(remez *r, int n)
{
    mpfr_t *first = r->pool + r->pool_count;
    for (int i = 0; i < n; i++)
        mpfr_init2(first[i], r->bits);
    r->pool_count += n;
    return first;
}

static double arithmetic_geometric_mean(double a, double b)
{
    while (fabs(a - b) > 1e-15 * a) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

/* The equilibrium measure of [alpha, 1] against (-infinity, 0]: the point below which lies the fraction 1 - v of the
 * charge, dn(v K)^2 for the complementary modulus sqrt(alpha).  dn is computed as a sum that converges fast if alpha is
 * small: dn(u) = pi/(2 K') sum_i 1 / cosh(pi (u - 2 i K) / (2 K')). */
static double equilibrium(double alpha, double v)
{
    const double negligible = 1e-17;
    double mean = arithmetic_geometric_mean(1, sqrt(1 - alpha));                     /* pi / (2 K') */
    double ratio = mean / arithmetic_geometric_mean(1, sqrt(alpha));                 /* K / K' */
    double sum = 1 / cosh(M_PI_2 * ratio * v);
    for (int i = 1;; i++) {
        double term = 1 / cosh(M_PI_2 * ratio * (v - 2 * i)) + 1 / cosh(M_PI_2 * ratio * (v + 2 * i));
        sum += term;
        if (term < negligible)
            break;
    }
    return mean * sum * mean * sum;
}

/* Asymptotically the extrema are distributed like charges on [lower, upper] in equilibrium with charges on the cut of
 * f, from -a to -infinity.  If the sum of the powers is an integer, the cut ends at -c; (x + a) / (x + c) maps -c to
 * infinity. */
static void first_points(remez *r, const power_product *f, double lower, double upper)
{
    double a = INFINITY, c = 0, sum = 0;
    for (int j = 0; j < f->count; j++) {
        double s = 4 * f->factor[j].mass * f->factor[j].mass;
        a = fmin(a, s);
        c = fmax(c, s);
        sum += (double)f->factor[j].y / f->factor[j].z;
    }
    bool finite = fabs(sum - round(sum)) < 1e-12 && c > a;
    double first = finite ? (lower + a) / (lower + c) : lower + a;
    double last = finite ? (upper + a) / (upper + c) : upper + a;
    for (int i = 0; i < r->points; i++) {
        double w = last * equilibrium(first / last, 1 - (double)i / (r->points - 1));
        mpfr_set_d(r->x[i], finite ? (w * c - a) / (1 - w) : w - a, RN);
    }
    mpfr_set(r->x[0], *r->lower, RN);
    mpfr_set(r->x[r->points - 1], *r->upper, RN);
}

remez *remez_create(const power_product *f, double lower, double upper, int order, int bits)
{
    remez *r = memory_alloc(sizeof *r, "remez");
    int n = order + 1, all = n * n + 12 * n + 2 * f->count + WORK + 4;
    r->pool = memory_alloc((size_t)all * sizeof(mpfr_t), "remez");
    r->order = order;
    r->points = 2 * n;
    r->bits = bits;
    r->factors = f->count;
    r->shift = allocate_numbers(r, f->count);
    r->power = allocate_numbers(r, f->count);
    r->lower = allocate_numbers(r, 1);
    r->upper = allocate_numbers(r, 1);
    r->x = allocate_numbers(r, 2 * n);
    r->fx = allocate_numbers(r, 2 * n);
    r->top = allocate_numbers(r, 2 * n);
    r->t = allocate_numbers(r, n);
    r->alpha = allocate_numbers(r, n);
    r->beta = allocate_numbers(r, n);
    r->error = allocate_numbers(r, 1);
    r->constant = allocate_numbers(r, 1);
    r->residue = allocate_numbers(r, order);
    r->pole = allocate_numbers(r, order);
    r->matrix = allocate_numbers(r, n * n);
    r->image = allocate_numbers(r, n);
    r->work = allocate_numbers(r, WORK);
    for (int j = 0; j < f->count; j++) {
        mpfr_set_d(r->shift[j], f->factor[j].mass, RN);
        mpfr_sqr(r->shift[j], r->shift[j], RN);
        mpfr_mul_ui(r->shift[j], r->shift[j], 4, RN);
        mpfr_set_si(r->power[j], f->factor[j].y, RN);
        mpfr_div_si(r->power[j], r->power[j], f->factor[j].z, RN);
    }
    mpfr_set_d(*r->lower, lower, RN);
    mpfr_set_d(*r->upper, upper, RN);
    first_points(r, f, lower, upper);
    return r;
}

void remez_free(remez *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->pool_count; i++)
        mpfr_clear(r->pool[i]);
    memory_free(r->pool);
    memory_free(r);
}

void remez_copy_points(remez *r, const remez *from)
{
    for (int i = 0; i < r->points; i++)
        mpfr_set(r->x[i], from->x[i], RN);
}
