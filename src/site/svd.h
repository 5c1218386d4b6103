/* svd.h - the singular values of a complex 3x3 matrix: V = A diag(sigma) B^+.
 *
 * One-sided Jacobi (M. R. Hestenes, J. Soc. Ind. Appl. Math. 6 (1958) 51): pairs of columns of V B are rotated
 * until all are orthogonal; their lengths are the singular values, so small ones keep their digits.  Lanes that are
 * done stay unchanged while others continue: the results at a site do not depend on the other lanes. */
#ifndef KILN_SITE_SVD_H
#define KILN_SITE_SVD_H

#include "src/site/su3.h"

typedef struct {
    su3 a, b;                          /* unitary, whatever V */
    real sigma[3];                     /* descending */
} svd;

/* Columns p and q count as orthogonal if |p^+ q| is at most SVD_ORTHOGONAL |p| |q|: a few roundings.  A column that is
 * shorter than SVD_NOTHING times the longest counts as zero; its direction is chosen.  Two million matrices, random
 * ones and ones with singular values equal, zero, or apart by up to 10^32, took at most 5 sweeps. */
enum { SVD_SWEEPS = 8 };
#ifdef SINGLE
#define SVD_ORTHOGONAL 5e-7f
#define SVD_NOTHING 1e-10f
#else
#define SVD_ORTHOGONAL 1e-15
#define SVD_NOTHING 1e-100
#endif

/* (column p of m)^+ (column q of n) */
SITE_FN cplx column_dot(const su3 *m, int p, const su3 *n, int q)
{
    cplx s = cplx_zero();
    for (int i = 0; i < 3; i++)
        s = cplx_conj_mad(m->e[i][p], n->e[i][q], s);
    return s;
}

SITE_FN cplx cplx_choose(mask m, cplx yes, cplx no)
{
    cplx z;
    z.re = choose(m, yes.re, no.re);
    z.im = choose(m, yes.im, no.im);
    return z;
}

SITE_FN cplx cplx_scale(real f, cplx z)
{
    z.re = f * z.re;
    z.im = f * z.im;
    return z;
}

/* Columns p, q <- cosine p - w q, w^* p + cosine q, where `turns`. */
SITE_FN void turn_columns(su3 *m, int p, int q, real cosine, cplx w, mask turns)
{
    cplx minus_w;
    minus_w.re = -w.re;
    minus_w.im = -w.im;
    for (int i = 0; i < 3; i++) {
        cplx mp = m->e[i][p], mq = m->e[i][q];
        m->e[i][p] = cplx_choose(turns, cplx_mad(minus_w, mq, cplx_scale(cosine, mp)), mp);
        m->e[i][q] = cplx_choose(turns, cplx_conj_mad(w, mp, cplx_scale(cosine, mq)), mq);
    }
}

/* Makes columns p and q of g = V b orthogonal by a rotation of g and b; false if they were orthogonal in all lanes. */
SITE_FN bool make_orthogonal(su3 *g, su3 *b, int p, int q)
{
    real p2 = column_dot(g, p, g, p).re, q2 = column_dot(g, q, g, q).re, one = spread(1);
    cplx pq = column_dot(g, p, g, q);
    real size = square_root(mad(pq.re, pq.re, pq.im * pq.im));
    mask turns = is_above(size, spread(SVD_ORTHOGONAL) * square_root(p2) * square_root(q2));
    if (!any_of(turns))
        return false;
    real zeta = (q2 - p2) / (size + size), far = square_root(mad(zeta, zeta, one));
    real tangent = one / choose(is_above(spread(0), zeta), zeta - far, zeta + far);
    real cosine = one / square_root(mad(tangent, tangent, one)), sine = cosine * tangent;
    cplx w;                                                   /* sine times the phase of (p^+ q)^* */
    w.re = sine * (pq.re / size);
    w.im = -(sine * (pq.im / size));
    turn_columns(g, p, q, cosine, w, turns);
    turn_columns(b, p, q, cosine, w, turns);
    return true;
}

SITE_FN void swap_columns(su3 *m, int p, int q, mask swaps)
{
    for (int i = 0; i < 3; i++) {
        cplx mp = m->e[i][p];
        m->e[i][p] = cplx_choose(swaps, m->e[i][q], mp);
        m->e[i][q] = cplx_choose(swaps, mp, m->e[i][q]);
    }
}

/* Column p of m scaled to length 1. */
SITE_FN void normalize_column(su3 *m, int p)
{
    real inverse = spread(1) / square_root(column_dot(m, p, m, p).re);
    for (int i = 0; i < 3; i++)
        m->e[i][p] = cplx_scale(inverse, m->e[i][p]);
}

/* A from the orthogonal columns of g, the longest first.  If the first is zero, it becomes a unit vector; if the second
 * is zero, the unit vector along the smallest component of the first, made orthogonal.  The third is always
 * (first x second)^*, times the phase of the third column of g if that is not zero. */
SITE_FN su3 svd_left(su3 g, const real *sigma)
{
    real zero = spread(0), one = spread(1), nothing = spread(SVD_NOTHING) * sigma[0];
    mask some = is_above(sigma[0], zero);
    real size[3], least;
    su3 a;
    for (int i = 0; i < 3; i++) {
        cplx unit = cplx_zero();
        unit.re = spread(i == 0 ? 1 : 0);
        a.e[i][0] = cplx_choose(some, g.e[i][0], unit);
    }
    normalize_column(&a, 0);
    for (int i = 0; i < 3; i++)
        size[i] = mad(a.e[i][0].re, a.e[i][0].re, a.e[i][0].im * a.e[i][0].im);
    least = choose(is_above(size[0], size[1]), size[1], size[0]);
    least = choose(is_above(least, size[2]), size[2], least);
    some = is_above(sigma[1], nothing);
    real wanted = one;                                              /* 0 after the first of equal least components */
    for (int i = 0; i < 3; i++) {
        cplx unit = cplx_zero();
        unit.re = choose(is_above(size[i], least), zero, wanted);
        wanted = wanted - unit.re;
        a.e[i][1] = cplx_choose(some, cplx_scale(one / choose(some, sigma[1], one), g.e[i][1]), unit);
    }
    cplx along = column_dot(&a, 0, &a, 1);
    along.re = -along.re;
    along.im = -along.im;
    for (int i = 0; i < 3; i++)
        a.e[i][1] = cplx_mad(along, a.e[i][0], a.e[i][1]);
    normalize_column(&a, 1);
    for (int i = 0; i < 3; i++) {                                   /* (first x second)^* */
        int j = (i + 1) % 3, k = (i + 2) % 3;
        cplx minus, minor = cplx_mad(a.e[j][0], a.e[k][1], cplx_zero());
        minus.re = -a.e[k][0].re;
        minus.im = -a.e[k][0].im;
        minor = cplx_mad(minus, a.e[j][1], minor);
        a.e[i][2].re = minor.re;
        a.e[i][2].im = -minor.im;
    }
    cplx phase = column_dot(&a, 2, &g, 2);
    some = is_above(sigma[2], nothing);
    phase.re = choose(some, phase.re, one);
    phase.im = choose(some, phase.im, zero);
    phase = cplx_scale(one / square_root(mad(phase.re, phase.re, phase.im * phase.im)), phase);
    for (int i = 0; i < 3; i++)
        a.e[i][2] = cplx_mad(phase, a.e[i][2], cplx_zero());
    return a;
}

/* V = A diag(sigma) B^+ for elements of V of order 1, or V = 0. */
SITE_PART svd svd_of(su3 v)
{
    svd s;
    s.b = su3_unit();
    KEEP_LOOP
    for (int sweep = 0; sweep < SVD_SWEEPS; sweep++) {
        bool turned = make_orthogonal(&v, &s.b, 0, 1);
        turned |= make_orthogonal(&v, &s.b, 0, 2);
        turned |= make_orthogonal(&v, &s.b, 1, 2);
        if (!turned)
            break;
    }
    real length2[3];
    for (int k = 0; k < 3; k++)
        length2[k] = column_dot(&v, k, &v, k).re;
    for (int step = 0; step < 3; step++) {
        int p = step == 1 ? 1 : 0, q = p + 1;                        /* (0,1) (1,2) (0,1) */
        mask swaps = is_above(length2[q], length2[p]);
        real longer = choose(swaps, length2[q], length2[p]);
        length2[q] = choose(swaps, length2[p], length2[q]);
        length2[p] = longer;
        swap_columns(&v, p, q, swaps);
        swap_columns(&s.b, p, q, swaps);
    }
    for (int k = 0; k < 3; k++)
        s.sigma[k] = square_root(length2[k]);
    s.a = svd_left(v, s.sigma);
    return s;
}

#endif
