/* parallelogram.c - the sixteen bent six-link loops (mu, nu, rho, -mu, -nu, -rho) of one site.
 *
 * mu < nu < rho, mu forward, nu and rho with either sign: every unoriented loop of the lattice once.
 *     s0 = sum of Re Tr of the loop
 */
#include "src/kernels/loops_of_site.h"
#include "src/site/site.h"

SITE_SUM(parallelogram, 1, 0, gauge_args, a, x, s)
{
    s[0] = spread(0);
    KEEP_LOOP
    for (int left_out = 0; left_out < 4; left_out++) {
        KEEP_LOOP
        for (int signs = 0; signs < 4; signs++)
            s[0] = s[0] + parallelogram_trace(a, x, left_out, signs);
    }
}
