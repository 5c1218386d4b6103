/* link_quality.c - how good the links of one site are as SU(3) matrices.
 *
 *     s0 = sum_mu Re Tr U_mu(x)
 *     s1 = the largest of |(U^+U - 1)_ij| and |det U - 1| over the four links
 */
#include "src/kernels/args.h"
#include "src/site/site.h"

SITE_FN real larger(real a, real b) { return choose(is_above(a, b), a, b); }

SITE_FN real modulus2(cplx z) { return mad(z.re, z.re, z.im * z.im); }

SITE_SUM(link_quality, 1, 1, gauge_args, a, x, s)
{
    real trace = spread(0), worst2 = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 u = load_link(&a->u, x, mu), v = su3_mul(su3_dagger(u), u);
        cplx d = su3_determinant(u);
        trace = trace + su3_re_trace(u);
        d.re = d.re - spread(1);
        worst2 = larger(modulus2(d), worst2);
        for (int i = 0; i < 3; i++) {
            v.e[i][i].re = v.e[i][i].re - spread(1);
            for (int j = 0; j < 3; j++)
                worst2 = larger(modulus2(v.e[i][j]), worst2);
        }
        /* A NaN compares false everywhere: carry it on, so that the sum refuses it. */
        worst2 = worst2 + (d.re - d.re) + (d.im - d.im);
    }
    s[0] = trace;
    s[1] = square_root(worst2);
}
