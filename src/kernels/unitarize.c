/* unitarize.c - the unitary part of a smeared link: W = V (V^+V)^(-1/2), and SU(3): W det(W)^(-1/3).
 *
 * Q = V^+V has eigenvalues g_k.  With the symmetric functions u, v, w of their square roots,
 *     Q^(-1/2) = f0 + f1 Q + f2 Q^2
 * by the theorem of Cayley and Hamilton (A. Hasenfratz, R. Hoffmann, S. Schaefer, JHEP 05 (2007) 029).  The g_k solve a
 * cubic equation by cosines, without libm: c = cos(theta/3) in [cos(pi/6), 1] solves 4c^3 - 3c = cos(theta), and
 * Newton's iteration from c = 1 decreases monotonically.  Rounding leaves a factor 1 + E, where E is hermitian and
 * commutes with Q: one step W <- W (3 - W^+W)/2 squares E.
 *
 * If |det V|^2 is small, or differs from the product of the g_k, the smallest eigenvalue has lost its digits, and
 * W = A B^+ is computed from the SVD V = A sigma B^+.  The limits are the square root of the rounding error; in double
 * they are the same as in MILC.  Below these limits E^2 is of the size of rounding errors.  Measured: W is unitary to
 * 1e-15, in single precision to 8e-7; W^+V is hermitian to 6e-16 and 3e-7, and to 6e-12 and 3e-6 with sigma = (1, 0.02,
 * 0.011), just above the limit.  Links of a smooth field need no SVD in either precision. */
#include "src/kernels/projection.h"
#include "src/kernels/staggered_args.h"
#include "src/site/site.h"

#ifdef SINGLE
#define DETERMINANT_ERROR 2e-4f                /* of |det V|^2 against the product of eigenvalues, relative */
#define DETERMINANT_LEAST 1e-4f                /* of |det V|^2 */
#define NOTHING 1e-30f
enum { CUBIC_STEPS = 5 };
#else
#define DETERMINANT_ERROR 1e-8
#define DETERMINANT_LEAST 1e-8
#define NOTHING 1e-200
enum { CUBIC_STEPS = 6 };
#endif

/* The eigenvalues of a positive semidefinite matrix, in any order. */
SITE_FN void eigenvalues(su3 q, real *g)
{
    real zero = spread(0), one = spread(1), two = spread(2), three = spread(3), four = spread(4);
    real mean = su3_re_trace(q) * spread((scalar)(1.0 / 3));
    for (int i = 0; i < 3; i++)
        q.e[i][i].re = q.e[i][i].re - mean;
    real s2 = su3_re_trace_mul_dag(q, q) * spread((scalar)(1.0 / 6)), s = square_root(s2);
    real r = su3_determinant(q).re * spread((scalar)0.5), cube = s2 * s;
    r = r / choose(is_above(cube, spread(NOTHING)), cube, spread(NOTHING));           /* cos(theta) */
    real sign = choose(is_above(zero, r), -one, one), size = sign * r, c = one;
    size = choose(is_above(size, one), one, size);
    for (int step = 0; step < CUBIC_STEPS; step++) {
        real c2 = c * c;
        c = c - (mad(four * c2, c, -size) - three * c) / mad(spread(12), c2, -three);
    }
    real out = (one - c) * (one + c), along = -sign * s * c, width = two * sign * s;
    real aside = sign * s * square_root(spread(3) * choose(is_above(out, zero), out, zero));
    g[0] = mad(width, c, mean);
    g[1] = mean + (along + aside);
    g[2] = mean + (along - aside);
}

/* V Q^(-1/2), from the eigenvalues of Q */
SITE_FN su3 times_inverse_root(su3 m, su3 q, const real *g)
{
    real r0 = square_root(g[0]), r1 = square_root(g[1]), r2 = square_root(g[2]), two = spread(2);
    real u = r0 + r1 + r2, v = mad(r0, r1, mad(r1, r2, r2 * r0)), w = r0 * r1 * r2, u2 = u * u;
    real inverse = spread(1) / (w * mad(u, v, -w));
    real f0 = inverse * mad_minus(w, u2 + v, u * v * v), f2 = inverse * u;
    real f1 = inverse * (two * u * v - w - u2 * u);
    su3 q2 = su3_mul(q, q);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            q2.e[i][j].re = mad(f2, q2.e[i][j].re, f1 * q.e[i][j].re);
            q2.e[i][j].im = mad(f2, q2.e[i][j].im, f1 * q.e[i][j].im);
        }
    for (int i = 0; i < 3; i++)
        q2.e[i][i].re = q2.e[i][i].re + f0;
    return su3_mul(m, q2);
}

/* W + W (1 - W^+W)/2 */
SITE_FN su3 nearer_unitary(su3 w)
{
    su3 defect = su3_dag_mul(w, w);
    for (int i = 0; i < 3; i++)
        defect.e[i][i].re = defect.e[i][i].re - spread(1);
    return su3_axpy((scalar)-0.5, su3_mul(w, defect), w);
}

/* W of one link; `smallest` is the smallest eigenvalue of V^+V, `by_svd` is 1 where W is A B^+. */
SITE_PART su3 unitary_part(su3 v, real *smallest, real *by_svd)
{
    real zero = spread(0), one = spread(1), g[3];
    su3 q = su3_dag_mul(v, v);
    eigenvalues(q, g);
    cplx d = su3_determinant(v);
    real d2 = mad(d.re, d.re, d.im * d.im), error = d2 - g[0] * g[1] * g[2];
    error = choose(is_above(zero, error), -error, error);
    real limit = choose(is_above(d2, spread(DETERMINANT_LEAST)), spread(DETERMINANT_ERROR) * d2, -one);
    *by_svd = choose(is_above(limit, error), zero, one);
    *smallest = choose(is_above(g[1], g[0]), g[0], g[1]);
    *smallest = choose(is_above(*smallest, g[2]), g[2], *smallest);
    su3 w = nearer_unitary(times_inverse_root(v, q, g));
    mask lost = is_above(*by_svd, zero);
    if (!any_of(lost))
        return w;
    svd s = svd_of(v);
    su3 exact = su3_mul_dag(s.a, s.b);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            w.e[i][j] = cplx_choose(lost, exact.e[i][j], w.e[i][j]);
    *smallest = choose(lost, s.sigma[2] * s.sigma[2], *smallest);
    return w;
}

SITE_SUM(unitarize, 1, 1, unitarize_args, a, x, s)
{
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        real smallest, by_svd;
        su3 w = unitary_part(load_link(&a->v, x, mu), &smallest, &by_svd);
        if (a->special)
            w = su3_times_cplx(special_phase(w), w);
        store_link(&a->w, x, mu, w);
        s[0] = s[0] + by_svd;
        s[1] = larger_or_nan(inverse_eigenvalue(smallest), s[1]);
    }
}
