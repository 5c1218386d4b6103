/* parallelogram.c - the sixteen bent six-link loops (mu, nu, rho, -mu, -nu, -rho) of one site.
 *
 * mu < nu < rho, mu forward, nu and rho with either sign: every unoriented loop of the lattice once.
 *     s0 = sum of Re Tr of the loop
 */
#include "src/kernels/args.h"
#include "src/site/site.h"

SITE_SUM(parallelogram, 1, 0, gauge_args, a, x, s)
{
    s[0] = spread(0);
    KEEP_LOOP
    for (int left_out = 0; left_out < 4; left_out++) {
        int mu = left_out == 0, nu = left_out <= 1 ? 2 : 1, rho = left_out == 3 ? 2 : 3;
        KEEP_LOOP
        for (int signs = 0; signs < 4; signs++) {
            int step[6] = { mu, signs & 1 ? opposite(nu) : nu, signs & 2 ? opposite(rho) : rho, 0, 0, 0 };
            for (int i = 0; i < 3; i++)
                step[i + 3] = opposite(step[i]);
            su3 path = load_link(&a->u, x, mu);
            site y = site_up(&a->l, x, mu);
            KEEP_LOOP
            for (int i = 1; i < 5; i++) {
                path = su3_mul(path, load_hop(&a->l, &a->u, y, step[i]));
                y = site_step(&a->l, y, step[i]);
            }
            s[0] = s[0] + su3_re_trace_mul(path, load_hop(&a->l, &a->u, y, step[5]));
        }
    }
}
