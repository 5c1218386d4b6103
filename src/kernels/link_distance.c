/* link_distance.c - how far the links of one site are from those of another field:
 *
 *     s0 = the largest sum over ij of |(U_mu - V_mu)_ij|^2 of the four links */
#include "src/kernels/link_pair_args.h"
#include "src/site/site.h"

SITE_SUM(link_distance, 0, 1, link_pair_args, a, x, s)
{
    s[0] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 apart = su3_axpy(-1, load_link(&a->v, x, mu), load_link(&a->u, x, mu));
        s[0] = larger_or_nan(su3_re_trace_mul_dag(apart, apart), s[0]);
    }
}
