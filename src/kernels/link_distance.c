/* link_distance.c - the distance between the links of one site in two fields:
 *
 *     s0 = the largest of the four numbers sum over ij of |(U_mu - V_mu)_ij|^2 */
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
