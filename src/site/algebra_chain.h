/* algebra_chain.h - the derivative of exp(Y) for antihermitian traceless Y, for chain rules.
 *
 * With Y = 2^k y and Y^3 of Cayley and Hamilton as in algebra.h, exp(Y) = f0 + f1 y + f2 y^2, where the f are functions
 * of t = Tr(y^2)/2 and d = -i det y:
 *     d exp(Y) = f1 dy + f2 (dy y + y dy) + B_t Re Tr(y dy) + B_d Re Tr(-i y^2 dy),
 *     B_t = sum_j (df_j/dt) y^j,   B_d = sum_j (df_j/dd) y^j.
 * The derivatives of f follow the recursions of f step by step: there are no divisions, so equal eigenvalues and
 * Y = 0 need no special treatment. */
#ifndef KILN_SITE_ALGEBRA_CHAIN_H
#define KILN_SITE_ALGEBRA_CHAIN_H

#include "src/site/algebra.h"

/* f and its derivatives in t and d. */
typedef struct { quadratic f, f_t, f_d; } quadratic_chain;

SITE_FN cplx cplx_sum(cplx a, cplx b)
{
    a.re = a.re + b.re;
    a.im = a.im + b.im;
    return a;
}

/* f a, and i f a */
SITE_FN cplx cplx_times(real f, cplx a)
{
    a.re = f * a.re;
    a.im = f * a.im;
    return a;
}
SITE_FN cplx cplx_times_i(real f, cplx a)
{
    cplx b;
    b.re = -(f * a.im);
    b.im = f * a.re;
    return b;
}

/* constant + inverse y q(y), with y^3 = t y + i d.  For derivatives of q, chain_series adds those of y^3. */
SITE_FN quadratic quadratic_horner(quadratic q, real t, real d, real inverse, real constant)
{
    quadratic s;
    s.f[0] = cplx_times_i(inverse * d, q.f[2]);
    s.f[0].re = s.f[0].re + constant;
    s.f[1].re = inverse * mad(t, q.f[2].re, q.f[0].re);
    s.f[1].im = inverse * mad(t, q.f[2].im, q.f[0].im);
    s.f[2] = cplx_times(inverse, q.f[1]);
    return s;
}

/* a b, reduced to a quadratic by y^3 = t y + i d */
SITE_FN quadratic quadratic_mul(quadratic a, quadratic b, real t, real d)
{
    cplx third = cplx_mad(a.f[2], b.f[1], cplx_mad(a.f[1], b.f[2], cplx_zero()));
    cplx fourth = cplx_mad(a.f[2], b.f[2], cplx_zero());
    quadratic s;
    s.f[0] = cplx_sum(cplx_mad(a.f[0], b.f[0], cplx_zero()), cplx_times_i(d, third));
    s.f[1] = cplx_mad(a.f[1], b.f[0], cplx_mad(a.f[0], b.f[1], cplx_times(t, third)));
    s.f[1] = cplx_sum(s.f[1], cplx_times_i(d, fourth));
    s.f[2] = cplx_mad(a.f[2], b.f[0], cplx_mad(a.f[0], b.f[2], cplx_times(t, fourth)));
    s.f[2] = cplx_mad(a.f[1], b.f[1], s.f[2]);
    return s;
}

/* 2 a b + s */
SITE_FN quadratic quadratic_twice_mul(quadratic a, quadratic b, real t, real d, quadratic s)
{
    quadratic product = quadratic_mul(a, b, t, d);
    for (int i = 0; i < 3; i++)
        s.f[i] = cplx_sum(s.f[i], cplx_times(spread(2), product.f[i]));
    return s;
}

SITE_FN quadratic quadratic_choose(mask m, quadratic yes, quadratic no)
{
    for (int i = 0; i < 3; i++) {
        no.f[i].re = choose(m, yes.f[i].re, no.f[i].re);
        no.f[i].im = choose(m, yes.f[i].im, no.f[i].im);
    }
    return no;
}

/* f of exp(y) for |y| <= 1, and its derivatives: the Taylor series of algebra.h by Horner's rule */
SITE_FN quadratic_chain chain_series(real t, real d)
{
    quadratic_chain q;
    for (int i = 0; i < 3; i++)
        q.f.f[i] = q.f_t.f[i] = q.f_d.f[i] = cplx_zero();
    q.f.f[0].re = spread(1);
    KEEP_LOOP
    for (int n = EXP_ORDER; n > 0; n--) {
        real inverse = spread((scalar)1 / (scalar)n), zero = spread(0);
        cplx f2 = cplx_times(inverse, q.f.f[2]);
        q.f_t = quadratic_horner(q.f_t, t, d, inverse, zero);
        q.f_t.f[1] = cplx_sum(q.f_t.f[1], f2);
        q.f_d = quadratic_horner(q.f_d, t, d, inverse, zero);
        q.f_d.f[0].re = q.f_d.f[0].re - f2.im;
        q.f_d.f[0].im = q.f_d.f[0].im + f2.re;
        q.f = quadratic_horner(q.f, t, d, inverse, spread(1));
    }
    return q;
}

/* The square of q, and its derivatives: 2 q dq, and the change of y^3 and y^4 in q^2 with t and d */
SITE_FN quadratic_chain chain_square(quadratic_chain q, real t, real d)
{
    cplx third = cplx_times(spread(2), cplx_mad(q.f.f[1], q.f.f[2], cplx_zero()));
    cplx fourth = cplx_mad(q.f.f[2], q.f.f[2], cplx_zero());
    quadratic_chain s;
    quadratic by_t, by_d;                                     /* derivatives of y^3 and y^4 in q^2, in t and d */
    by_t.f[0] = by_d.f[2] = cplx_zero();
    by_t.f[1] = third;
    by_t.f[2] = fourth;
    by_d.f[0] = cplx_times_i(spread(1), third);
    by_d.f[1] = cplx_times_i(spread(1), fourth);
    s.f_t = quadratic_twice_mul(q.f, q.f_t, t, d, by_t);
    s.f_d = quadratic_twice_mul(q.f, q.f_d, t, d, by_d);
    s.f = quadratic_mul(q.f, q.f, t, d);
    return s;
}

/* The matrix q(y); y2 = y^2 */
SITE_FN su3 quadratic_at(quadratic q, su3 y, su3 y2)
{
    su3 e;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            e.e[i][j] = cplx_mad(q.f[2], y2.e[i][j],
                                 cplx_mad(q.f[1], y.e[i][j], i == j ? q.f[0] : cplx_zero()));
    return e;
}

/* From the force F of E = exp(Y), Y = p, with dS = Re Tr(dE E^+ F): returns L with dS = Re Tr(dY L), and sets
 * *turned = E^+ F E. */
SITE_FN algebra algebra_exp_chain(algebra p, algebra force, algebra *turned)
{
    real norm2 = algebra_norm2(p), scale = spread(1), half = spread((scalar)0.5), halvings = spread(0);
    for (int k = 0; k < EXP_HALVINGS; k++) {
        mask large = is_above(norm2, spread(1));
        if (!any_of(large))
            break;
        scale = choose(large, scale * half, scale);
        norm2 = choose(large, norm2 * spread((scalar)0.25), norm2);
        halvings = choose(large, halvings + spread(1), halvings);
    }
    for (int i = 0; i < 8; i++)
        p.c[i] = p.c[i] * scale;
    su3 y = algebra_matrix(p), y2 = su3_mul(y, y), f = algebra_matrix(force);
    real t = -norm2 * half, d = su3_determinant(y).im;

    quadratic_chain q = chain_series(t, d);
    for (int k = 0; k < EXP_HALVINGS; k++) {
        mask again = is_above(halvings, spread((scalar)k + (scalar)0.5));
        if (!any_of(again))
            break;
        quadratic_chain s = chain_square(q, t, d);
        q.f = quadratic_choose(again, s.f, q.f);
        q.f_t = quadratic_choose(again, s.f_t, q.f_t);
        q.f_d = quadratic_choose(again, s.f_d, q.f_d);
    }

    su3 e = quadratic_at(q.f, y, y2), x = su3_dag_mul(e, f);             /* dS = Re Tr(dE x) */
    *turned = algebra_part(su3_mul(x, e));
    real of_t = su3_re_trace_mul(quadratic_at(q.f_t, y, y2), x), of_d = su3_re_trace_mul(quadratic_at(q.f_d, y, y2), x);
    su3 both = su3_add(su3_mul(x, y), su3_mul(y, x)), sum;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            cplx s = cplx_mad(q.f.f[2], both.e[i][j], cplx_mad(q.f.f[1], x.e[i][j], cplx_times(of_t, y.e[i][j])));
            sum.e[i][j] = cplx_sum(s, cplx_times_i(-of_d, y2.e[i][j]));
        }
    algebra l = algebra_part(sum);
    for (int i = 0; i < 8; i++)
        l.c[i] = l.c[i] * scale;
    return l;
}

#endif
