/* smoother.c - the roots of a residual polynomial, and its product with a vector. */
#include "src/solvers/multigrid/smoother.h"

#include "src/lattice/vec_mixed.h"

#include <math.h>

enum { ROUNDS = 200 };
#define CLOSE 1e-14                        /* of the bound of all roots: the last corrections */
#define NEAR_ZERO 1e-9                     /* of sum |c_k z^k|: p at its roots, which has rounding errors */

static complex_number times(complex_number a, complex_number b)
{
    return (complex_number){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

static complex_number over(complex_number a, complex_number b)
{
    const double size2 = b.re * b.re + b.im * b.im;
    return (complex_number){ (a.re * b.re + a.im * b.im) / size2, (a.im * b.re - a.re * b.im) / size2 };
}

static complex_number minus(complex_number a, complex_number b)
{
    return (complex_number){ a.re - b.re, a.im - b.im };
}

static double size_of(complex_number a)
{
    return sqrt(a.re * a.re + a.im * a.im);
}

static complex_number value_at(const complex_number *c, int degree, complex_number z)
{
    complex_number value = c[degree];
    for (int k = degree - 1; k >= 0; k--) {
        value = times(value, z);
        value = (complex_number){ value.re + c[k].re, value.im + c[k].im };
    }
    return value;
}

/* A power of 2 that is larger than all roots (Fujiwara's bound): 2 |c_k / c_degree| <= radius^(degree - k). */
static double bound_of_roots(const complex_number *c, int degree)
{
    double radius = 0x1p-60, power;
    for (int k = 0; k < degree; k++)
        for (;; radius *= 2) {
            power = size_of(c[degree]) / 2;
            for (int i = k; i < degree; i++)
                power *= radius;
            if (!(size_of(c[k]) > power))
                break;
        }
    return radius;
}

/* Roots of high degree have few digits, but p is near 0 at them. */
static bool is_root(const complex_number *c, int degree, complex_number z)
{
    double terms = 0;
    for (int k = degree; k >= 0; k--)
        terms = terms * size_of(z) + size_of(c[k]);
    return size_of(value_at(c, degree, z)) <= NEAR_ZERO * terms;
}

/* All roots of a polynomial, by the simultaneous iteration of Durand and Kerner.  It uses only operations that
 * IEEE 754 defines, so that the roots have the same bits on every machine.  False if they are not found. */
static bool find_roots(complex_number *root, const complex_number *c, int degree)
{
    const double radius = degree > 0 ? bound_of_roots(c, degree) : 0;
    complex_number start = { radius / 2, 0 };
    double off = 1;
    for (int i = 0; i < degree; i++)
        root[i] = start = times(start, (complex_number){ 0.4, 0.9 });
    for (int round = 0; round < ROUNDS && off > CLOSE * radius; round++) {
        off = 0;
        for (int i = 0; i < degree; i++) {
            complex_number below = c[degree];
            for (int k = 0; k < degree; k++)
                if (k != i)
                    below = times(below, minus(root[i], root[k]));
            const complex_number change = over(value_at(c, degree, root[i]), below);
            root[i] = minus(root[i], change);
            off = fmax(off, size_of(change));
        }
    }
    bool found = true;
    for (int i = 0; i < degree; i++)
        found = found && is_root(c, degree, root[i]);
    return found;
}

/* Leja's order, from the largest root on: each next root is where the product of the distances to those before is
 * largest.  It keeps the partial products of p small. */
static void order(complex_number *root, int count)
{
    for (int i = 0; i < count; i++) {
        int best = i;
        double most = -1;
        for (int k = i; k < count; k++) {
            double product = i == 0 ? size_of(root[k]) : 1;
            for (int before = 0; before < i; before++)
                product *= size_of(minus(root[k], root[before]));
            if (product > most) {
                most = product;
                best = k;
            }
        }
        const complex_number taken = root[best];
        root[best] = root[i];
        root[i] = taken;
    }
}

bool smoother_of_polynomial(smoother *p, const complex_number *c, int degree)
{
    complex_number root[GCR_POLYNOMIAL_MAX];
    bool usable = find_roots(root, c, degree);
    order(root, degree);
    for (int i = 0; i < degree; i++) {
        p->factor[i] = over((complex_number){ 1, 0 }, root[i]);
        usable = usable && isfinite(p->factor[i].re) && isfinite(p->factor[i].im);
    }
    p->steps = usable ? degree : 0;
    return usable;
}

bool smoother_of(smoother *p, const gcr_space *s, int steps)
{
    complex_number c[GCR_POLYNOMIAL_MAX + 1];
    return smoother_of_polynomial(p, c, gcr_residual_polynomial(s, steps, c)) && (p->steps > 0 || steps == 0);
}

/* x <- x + u (b - a x) */
static void relax(const smoothing *of, complex_number u)
{
    if (of->relax) {
        of->relax(of->a, of->x, u, of->b);
        return;
    }
    of->a->apply(of->a, of->product, 0, of->x);
    vec_relax(of->x, u, of->b, of->product);
}

void smoother_apply(const smoother *p, const smoothing *of)
{
    if (of->from_zero && p->steps == 0)
        vec_zero(of->x);
    for (int i = 0; i < p->steps; i++) {
        const complex_number u = { p->factor[i].re, of->conjugate ? -p->factor[i].im : p->factor[i].im };
        if (of->from_zero && i == 0)
            vec_direction(of->x, u, of->b, 0, of->b);
        else
            relax(of, u);
    }
}
