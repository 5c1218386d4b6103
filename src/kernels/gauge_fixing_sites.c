/* gauge_fixing_sites.c - the gauge transformation g(x) that maximizes the sum of Re Tr U^g, site by site.
 *
 *     U^g_mu(x) = g(x) U_mu(x) g(x+mu)^+,   mu < axes
 *     W(x) = g(x) K(x) = sum_mu U^g_mu(x) + U^g_mu(x-mu)^+
 *
 * All terms with g(x) are Re Tr [g(x) K(x)].  An update replaces g by a g, a in the three SU(2) subgroups in turn.
 * With k v the quaternion of W in the subgroup (site/su2.h), a = v^+ is the maximum; the update goes beyond it:
 *
 *     a = (1 - omega + omega v^+), normalized,   1 <= omega < 2
 *
 * which is (v^+)^omega near the maximum (J. E. Mandula, M. Ogilvie, Phys. Lett. B 248 (1990) 156) and never lowers the
 * sum: the angle of a is at most twice the angle of v^+.  K of a site contains no site of the same parity.
 *
 *     gauge_fixing_quality   s0 = Re Tr W:  each link is in W of two sites
 *                            s1 = Tr D^+D of D = [W]_TA = sum_mu [U^g_mu(x)]_TA - [U^g_mu(x-mu)]_TA
 *                            s2 = its maximum
 *     gauge_fixing_divergence    out(x) = Tr D^+D at the site */
#include "src/kernels/gauge_fixing_args.h"
#include "src/site/site.h"
#include "src/site/su2.h"

/* K(x) */
SITE_FN su3 neighbors(const gauge_fixing_args *a, site x)
{
    su3 sum = su3_zero();
    KEEP_LOOP
    for (int mu = 0; mu < a->axes; mu++) {
        site ahead = site_up(&a->l, x, mu), behind = site_down(&a->l, x, mu);
        sum = su3_add(sum, su3_mul_dag(load_link(&a->u, x, mu), load_matrix(&a->g, ahead)));
        su3 there = su3_mul(load_matrix(&a->g, behind), load_link(&a->u, behind, mu));
        sum = su3_add(sum, su3_dagger(there));
    }
    return sum;
}

/* (1 - omega + omega v^+), normalized */
SITE_FN su2 beyond_maximum(su2 v, scalar omega)
{
    real length = su2_norm(v);
    v = su2_direction(v, length);
    v.c[0] = mad(spread(omega), v.c[0], spread(1 - omega));
    for (int k = 1; k < 4; k++)
        v.c[k] = spread(-omega) * v.c[k];
    return su2_direction(v, su2_norm(v));
}

SITE_MAP(gauge_fixing_update, gauge_fixing_args, a, x)
{
    su3 g = load_matrix(&a->g, x), w = su3_mul(g, neighbors(a, x));
    KEEP_LOOP
    for (int subgroup = 0; subgroup < SU2_SUBGROUPS; subgroup++) {
        int i = su2_row(subgroup), j = su2_next_row(subgroup);
        su2 step = beyond_maximum(su2_part(w, i, j), (scalar)a->overrelaxation);
        g = su2_times(step, g, i, j);
        w = su2_times(step, w, i, j);
    }
    store_matrix(&a->g, x, su3_from_two_rows(g));
}

SITE_SUM(gauge_fixing_quality, 2, 1, gauge_fixing_args, a, x, s)
{
    su3 w = su3_mul(load_matrix(&a->g, x), neighbors(a, x));
    s[0] = su3_re_trace(w);
    s[1] = s[2] = algebra_norm2(algebra_part(w));
}

SITE_MAP(gauge_fixing_divergence, gauge_fixing_args, a, x)
{
    su3 w = su3_mul(load_matrix(&a->g, x), neighbors(a, x));
    place_of o = find(x, 1);
    store_real(a->out, &o, 0, algebra_norm2(algebra_part(w)));
}
