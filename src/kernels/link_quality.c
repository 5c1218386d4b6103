/* link_quality.c - the deviation of the links of one site from SU(3) or U(3).
 *
 *     link_quality      s0 = sum_mu Re Tr U_mu(x)
 *                       s1 = the largest of |(U^+U - 1)_ij| and |det U - 1| over the four links
 *     links_deviation   s0 = the largest of |(U^+U - 1)_ij|, and for special links |det U - 1|
 *     links_deviations  the same, link by link */
#include "src/kernels/vector_args.h"
#include "src/site/site.h"

SITE_FN real larger(real a, real b) { return choose(is_above(a, b), a, b); }

SITE_FN real modulus2(cplx z) { return mad(z.re, z.re, z.im * z.im); }

/* The square of this deviation of one link. */
SITE_FN real deviation2(su3 u, bool special)
{
    real worst2 = spread(0);
    su3 v = su3_mul(su3_dagger(u), u);
    cplx d = su3_determinant(u);
    d.re = d.re - spread(1);
    if (special)
        worst2 = modulus2(d);
    for (int i = 0; i < 3; i++) {
        v.e[i][i].re = v.e[i][i].re - spread(1);
        for (int j = 0; j < 3; j++)
            worst2 = larger(modulus2(v.e[i][j]), worst2);
    }
    /* A NaN compares false everywhere: carry it on, so that the sum refuses it. */
    return worst2 + (d.re - d.re) + (d.im - d.im);
}

SITE_SUM(link_quality, 1, 1, gauge_args, a, x, s)
{
    real trace = spread(0), worst2 = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 u = load_link(&a->u, x, mu);
        real of_link = deviation2(u, true);
        trace = trace + su3_re_trace(u);
        worst2 = larger(of_link, worst2) + (of_link - of_link);
    }
    s[0] = trace;
    s[1] = square_root(worst2);
}

SITE_SUM(links_deviation, 0, 1, links_deviation_args, a, x, s)
{
    real worst2 = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        real of_link = deviation2(load_link(&a->u, x, mu), a->special);
        worst2 = larger(of_link, worst2) + (of_link - of_link);
    }
    s[0] = square_root(worst2);
}

SITE_MAP(links_deviations, links_deviation_args, a, x)
{
    place_of o = find(x, 4);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        store_real(a->out, &o, mu, square_root(deviation2(load_link(&a->u, x, mu), a->special)));
}
