/* line_steps.c - products of links along lines, built up in steps to the next neighbor.
 *
 *     line_begin        out(x) = U_mu(x)
 *     line_extend       out(x) = U_mu(x) in(x+mu)                          a line in mu, longer by one link
 *     line_shift        out(x) = in(x+mu)
 *     line_move         out(x) = U_mu(x) in(x+mu) U_mu(x+t)^+              a line to x+t, by a detour of one more link
 *     line_move_back    out(x) = U_mu(y)^+ in(y) U_mu(y+t),  y = x-mu      the same in -mu
 *     wilson_loop_step  out(x) = a(x) in(x+t);  s0 = Re Tr out(x) b(x)^+   lines to x+t, joined and closed by b
 *     line_closed       s0 = Re Tr a(x) b(x)^+
 *     line_correlation  s0 = Re [Tr a(x) (Tr b(x))^*]
 */
#include "src/kernels/line_args.h"
#include "src/site/site.h"

enum { TIME = 3 };

SITE_MAP(line_begin, line_args, a, x)
{
    store_matrix(&a->out, x, load_link(&a->u, x, a->mu));
}

SITE_MAP(line_extend, line_args, a, x)
{
    su3 rest = load_matrix(&a->in, site_up(&a->l, x, a->mu));
    store_matrix(&a->out, x, su3_mul(load_link(&a->u, x, a->mu), rest));
}

SITE_MAP(line_shift, line_args, a, x)
{
    store_matrix(&a->out, x, load_matrix(&a->in, site_up(&a->l, x, a->mu)));
}

SITE_MAP(line_move, line_args, a, x)
{
    su3 there = su3_mul(load_link(&a->u, x, a->mu), load_matrix(&a->in, site_up(&a->l, x, a->mu)));
    store_matrix(&a->out, x, su3_mul_dag(there, load_link(&a->u, site_up(&a->l, x, TIME), a->mu)));
}

SITE_MAP(line_move_back, line_args, a, x)
{
    site y = site_down(&a->l, x, a->mu);
    su3 there = su3_dag_mul(load_link(&a->u, y, a->mu), load_matrix(&a->in, y));
    store_matrix(&a->out, x, su3_mul(there, load_link(&a->u, site_up(&a->l, y, TIME), a->mu)));
}

SITE_SUM(wilson_loop_step, 1, 0, line_args, a, x, s)
{
    su3 line = su3_mul(load_matrix(&a->a, x), load_matrix(&a->in, site_up(&a->l, x, TIME)));
    store_matrix(&a->out, x, line);
    s[0] = su3_re_trace_mul_dag(line, load_matrix(&a->b, x));
}

SITE_SUM(line_closed, 1, 0, line_args, a, x, s)
{
    s[0] = su3_re_trace_mul_dag(load_matrix(&a->a, x), load_matrix(&a->b, x));
}

SITE_FN cplx trace_of(su3 m)
{
    cplx t;
    t.re = m.e[0][0].re + m.e[1][1].re + m.e[2][2].re;
    t.im = m.e[0][0].im + m.e[1][1].im + m.e[2][2].im;
    return t;
}

SITE_SUM(line_correlation, 1, 0, line_args, a, x, s)
{
    cplx here = trace_of(load_matrix(&a->a, x)), there = trace_of(load_matrix(&a->b, x));
    s[0] = mad(here.re, there.re, here.im * there.im);
}
